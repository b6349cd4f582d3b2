import { type Organization, RETENTION_DAYS } from '../../tenants/service';
import { ORGANIZATION } from '../http/paths';
import { Decision } from '../ui/confirm';
import { FaultSummary, Field, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';

/** The form's fields as text, and which state of the organization they were read from. */
export interface TypedOrganization {
  name: string;
  iban: string;
  paymentRecipient: string;
  lowStockThreshold: string;
  requestRetentionDays: string;
  orderRetentionDays: string;
  seenAt: string;
}

/** In groups of four, as on a card. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

export function typedOf(organization: Organization): TypedOrganization {
  return {
    name: organization.name,
    iban: groupIban(organization.iban ?? ''),
    paymentRecipient: organization.paymentRecipient ?? '',
    lowStockThreshold: String(organization.lowStockThreshold),
    requestRetentionDays: String(organization.requestRetentionDays),
    orderRetentionDays: String(organization.orderRetentionDays),
    seenAt: String(organization.updatedAt),
  };
}

export function OrganizationPage({ view, typed, faults }: { view: View; typed: TypedOrganization; faults: Faults }) {
  const { organization: words, common } = view.words;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      <Form view={view} action={ORGANIZATION} class="sections">
        <input type="hidden" name="seenAt" value={typed.seenAt} />
        <section>
          <Field name="name" label={words.name} value={typed.name} faults={faults} autocomplete="organization" />
        </section>
        <section>
          <h2>{words.payment}</h2>
          <Field
            name="iban"
            label={words.iban}
            hint={words.ibanHint}
            value={typed.iban}
            faults={faults}
            autocomplete="off"
          />
          <Field
            name="paymentRecipient"
            label={`${words.recipient} (${common.optional})`}
            hint={words.recipientHint}
            value={typed.paymentRecipient}
            faults={faults}
            autocomplete="off"
          />
        </section>
        <section>
          <h2>{words.stock}</h2>
          <Field
            name="lowStockThreshold"
            label={words.threshold}
            hint={words.thresholdHint}
            value={typed.lowStockThreshold}
            faults={faults}
            inputmode="numeric"
            autocomplete="off"
          />
        </section>
        <section>
          <h2>{words.retention}</h2>
          <p>{words.retentionLead}</p>
          <Field
            name="requestRetentionDays"
            label={words.requestDays}
            hint={words.requestDaysHint(...RETENTION_DAYS.requestRetentionDays)}
            value={typed.requestRetentionDays}
            faults={faults}
            inputmode="numeric"
            autocomplete="off"
          />
          <Field
            name="orderRetentionDays"
            label={words.orderDays}
            hint={words.orderDaysHint(...RETENTION_DAYS.orderRetentionDays)}
            value={typed.orderRetentionDays}
            faults={faults}
            inputmode="numeric"
            autocomplete="off"
          />
        </section>
        <button class="primary" type="submit">
          {common.save}
        </button>
      </Form>
    </Page>
  );
}

/** A change that money or data would not come back from. */
export interface Risk {
  label: string;
  before: string;
  after: string;
  consequence: string;
}

export function RiskPage({ view, typed, risks }: { view: View; typed: TypedOrganization; risks: Risk[] }) {
  const words = view.words.organization;
  return (
    <Page view={view} title={words.confirmTitle}>
      <div class="sections">
        {risks.map(({ label, before, after, consequence }) => (
          <section>
            <h2>{label}</h2>
            <dl>
              <dt>{words.before}</dt>
              <dd>{before}</dd>
              <dt>{words.after}</dt>
              <dd>
                <strong>{after}</strong>
              </dd>
            </dl>
            <p>{consequence}</p>
          </section>
        ))}
      </div>
      <Form view={view} action={ORGANIZATION}>
        {Object.entries(typed).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="confirmed" value="yes" />
        <Decision view={view} act={words.confirm} back={ORGANIZATION} />
      </Form>
    </Page>
  );
}
