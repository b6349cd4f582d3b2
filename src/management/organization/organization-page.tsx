import { type OrganizationSettings, organizationRules } from '../../tenants/fields';
import { type Organization, RETENTION_DAYS } from '../../tenants/service';
import { OPEN_TEST, ORGANIZATION, WELCOME } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

// SAFETY: each rule is that of a setting.
export const SETTINGS = Object.keys(organizationRules) as (keyof OrganizationSettings)[];
/** The form's fields, and the version of the organization that they were read from. */
export const FORM_FIELDS = [...SETTINGS, 'seenAt'] as const;
export type TypedOrganization = Record<(typeof FORM_FIELDS)[number], string>;

/** An IBAN in groups of four characters, as on bank cards. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

export function typedOf(organization: Organization): TypedOrganization {
  const texts = SETTINGS.map((name) => [name, String(organization[name] ?? '')]);
  const typed = { iban: groupIban(organization.iban ?? ''), seenAt: String(organization.updatedAt) };
  // SAFETY: there is a text for each setting.
  return { ...(Object.fromEntries(texts) as TypedOrganization), ...typed };
}

interface OrganizationProps {
  view: View;
  typed: TypedOrganization;
  fieldErrors: FieldErrors;
  /** Whether there is a test organization; of a test organization nothing is told. */
  hasTest: boolean;
}

export function OrganizationPage({ view, typed, fieldErrors, hasTest }: OrganizationProps) {
  const { common, nav, orders } = sharedMessages(view);
  const t = messages(view);
  const form = { ...typed, fieldErrors };
  const number = { form, inputmode: 'numeric' } as const;
  const { requestRetentionDays, orderRetentionDays } = RETENTION_DAYS;
  return (
    <Page
      view={view}
      title={nav.organization}
      fieldErrors={fieldErrors}
      acts={
        <a class="button" href={WELCOME}>
          {t.firstSteps}
        </a>
      }
    >
      <Form view={view} action={ORGANIZATION}>
        <Hidden name="seenAt" value={typed.seenAt} />
        <div class="sections">
          <section>
            <Field name="name" label={t.name} form={form} autocomplete="organization" />
          </section>
          <section>
            <h2>{orders.payment}</h2>
            <Field name="iban" label={t.iban} hint={t.ibanHint} form={form} />
            <Field name="paymentRecipient" label={common.optional(t.recipient)} hint={t.recipientHint} form={form} />
          </section>
          <section>
            <h2>{common.stock}</h2>
            <Field name="lowStockThreshold" label={t.threshold} hint={t.thresholdHint} {...number} />
          </section>
          <section>
            <h2>{t.prescriptions}</h2>
            <Field name="prescriptionValidDays" label={t.validDays} hint={t.validDaysHint} {...number} />
          </section>
          <section>
            <h2>{t.retention}</h2>
            <p>{t.retentionLead}</p>
            <Field
              name="requestRetentionDays"
              label={t.requestDays}
              hint={t.requestDaysHint(...requestRetentionDays)}
              {...number}
            />
            <Field
              name="orderRetentionDays"
              label={t.orderDays}
              hint={t.orderDaysHint(...orderRetentionDays)}
              {...number}
            />
          </section>
        </div>
        <Submit>{common.save}</Submit>
      </Form>
      {!view.session?.isTest && <TestSection view={view} hasTest={hasTest} />}
    </Page>
  );
}

function TestSection({ view, hasTest }: { view: View; hasTest: boolean }) {
  const t = messages(view);
  return (
    <div class="sections">
      <section id="test">
        <h2>{t.test}</h2>
        <p>{t.testLead}</p>
        <Form view={view} action={OPEN_TEST}>
          <button type="submit">{hasTest ? t.enterTest : t.makeTest}</button>
        </Form>
      </section>
    </div>
  );
}

/** A change that can lose money or data and cannot be undone. */
export interface Risk {
  label: string;
  before: string;
  after: string;
  consequence: string;
}

export function RiskPage({ view, typed, risks }: { view: View; typed: TypedOrganization; risks: Risk[] }) {
  const t = messages(view);
  return (
    <Page view={view} title={t.confirmTitle}>
      <div class="sections">
        {risks.map(({ label, before, after, consequence }) => (
          <section>
            <h2>{label}</h2>
            <Facts
              entries={[
                [t.before, before],
                [t.after, <strong>{after}</strong>],
              ]}
            />
            <p>{consequence}</p>
          </section>
        ))}
      </div>
      <Form view={view} action={ORGANIZATION}>
        {Object.entries(typed).map(([name, value]) => (
          <Hidden name={name} value={value} />
        ))}
        <Hidden name="confirmed" value="yes" />
        <Decision view={view} act={t.confirm} back={ORGANIZATION} />
      </Form>
    </Page>
  );
}
