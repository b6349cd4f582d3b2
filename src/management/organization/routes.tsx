import { Hono } from 'hono';
import * as z from 'zod';
import { signInToTest } from '../../auth/staff/sign-in/session';
import { testAssortment } from '../../inventory/bulk/products';
import { pick } from '../../platform/data/columns';
import { answerArchive } from '../../platform/http/http';
import { SIGNATURE_CHECKS } from '../../platform/tables';
import { beginOwnExport, listOwnExports, openOwnExport } from '../../restore/organization/export';
import type { ExportRecord } from '../../restore/organization/record';
import { type OrganizationSettings, organizationRules } from '../../tenants/fields';
import { RETENTION_DAYS } from '../../tenants/limits';
import { getOrganization, type Organization, updateOrganization } from '../../tenants/organizations';
import { forbiddenRetention } from '../../tenants/rules';
import { openTestOrganization } from '../../tenants/shops';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { ACCOUNT, HOME, OPEN_TEST, ORGANIZATION, RULES, WELCOME } from '../http/paths';
import { enterTest, signedIn } from '../http/session';
import { Decision } from '../ui/confirm';
import { Field, Form, FormButton, Hidden, numberOptions, RadioGroup, readFields, Select, Submit } from '../ui/fields';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, Facts, Panel } from '../ui/parts';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm, useView } from '../ui/view';
import { daysOf, messages } from './messages';

const schema = z.object(organizationRules);
/** The periods for which owners may keep orders (`RETENTION_DAYS`): whole years, given in days. */
const YEARS = Array.from({ length: 26 }, (_, index) => daysOf(5 + index));

/** Routes of the organization's settings. They are for owners only: the use cases refuse all other roles. */
export const organizationRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const stored = await getOrganization(c.var.ctx);
    return respondOrganization(c, stored, typedOf(stored));
  })
  .post('/export', async (c) => {
    const { form, ctx } = c.var;
    const input = { passphrase: form.secret('passphrase'), code: form.text('code').replaceAll(' ', '') };
    const result = await tryForm(c.var, {}, () => beginOwnExport(ctx, input));
    if (!result.fieldErrors) return redirectWithFlash(c, 'export_begun', ORGANIZATION);
    const stored = await getOrganization(ctx);
    return respondOrganization(c, stored, typedOf(stored), result.fieldErrors);
  })
  .get('/export/:id', async (c) => {
    const id = c.req.param('id');
    return answerArchive(c, await openOwnExport(c.var.ctx, id), id);
  })
  .post('/test', async (c) => {
    const person = signedIn(c);
    await openTestOrganization(c.var.ctx, person.actor.orgId, testAssortment);
    enterTest(c, await signInToTest(c.var.ctx, person));
    return redirectWithFlash(c, 'test_entered', HOME);
  })
  .post('/', async (c) => {
    const { form, ctx } = c.var;
    const stored = await getOrganization(ctx);
    const typed = form.texts(...FORM_FIELDS);
    const values = valuesOf(typed);
    const read = readFields(schema, values, textsOf(c));
    // Only changed values are checked: the operator may have set a retention that owners may not choose.
    const forbidden = forbiddenRetention(changesOf(stored, values)).map((name) => [name, textsOf(c)[name]]);
    const fieldErrors = { ...read.fieldErrors, ...Object.fromEntries(forbidden) };
    if (read.fieldErrors || hasFieldErrors(fieldErrors)) return respondOrganization(c, stored, typed, fieldErrors);
    const seenAt = Number(typed.seenAt);
    if (seenAt !== stored.updatedAt) {
      const again = { ...typed, seenAt: String(stored.updatedAt) };
      return respondOrganization(c, stored, again, { name: sharedMessages(c.var).fieldErrors.changed });
    }
    const risks = risksOf(c, stored, read.value);
    if (risks.length > 0 && form.text('confirmed') !== 'yes') {
      return respondPage(c, <RiskPage typed={typed} risks={risks} />, 200, ORGANIZATION);
    }
    const changes = changesOf(stored, read.value);
    if (Object.keys(changes).length > 0) await updateOrganization(ctx, stored.id, changes, seenAt);
    return redirectWithFlash(c, 'organization_saved', ORGANIZATION);
  });

/** The typed values for validation: numbers as numbers, empty texts as null. */
function valuesOf(typed: TypedOrganization): OrganizationSettings {
  const values = SETTINGS.map((name) => {
    const isNumber = organizationRules[name] instanceof z.ZodNumber;
    return [name, isNumber ? wholeNumber(typed[name]) : typed[name] || null];
  });
  return Object.fromEntries(values);
}

/** Parses a whole number; NaN for other texts. `Number` would also accept `1e3`, `0x10`, and an empty field. */
function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function textsOf(c: ManageContext) {
  const t = messages(c.var);
  return {
    ...t.fieldErrors,
    name: sharedMessages(c.var).fieldErrors.name,
    requestRetentionDays: t.fieldErrors.requestRetentionDays(...RETENTION_DAYS.requestRetentionDays),
    orderRetentionDays: t.fieldErrors.orderRetentionDays(...RETENTION_DAYS.orderRetentionDays),
  };
}

/** The wanted values of the settings that differ from the stored ones. */
function changesOf(stored: Organization, wanted: OrganizationSettings): Partial<OrganizationSettings> {
  return pick(
    wanted,
    SETTINGS.filter((name) => wanted[name] !== stored[name]),
  );
}

/** Changes that need confirmation: another IBAN redirects payments, and a shorter retention deletes data. */
function risksOf(c: ManageContext, stored: Organization, wanted: OrganizationSettings): Risk[] {
  const t = messages(c.var);
  const risks: Risk[] = [];
  if (stored.iban !== null && wanted.iban !== stored.iban) {
    risks.push({
      label: t.iban,
      before: groupIban(stored.iban),
      after: wanted.iban === null ? t.none : groupIban(wanted.iban),
      consequence: wanted.iban === null ? t.ibanRemoval : t.ibanChange,
    });
  }
  for (const [name, label] of [
    ['requestRetentionDays', t.requestDays],
    ['orderRetentionDays', t.orderDays],
  ] as const) {
    if (wanted[name] >= stored[name]) continue;
    const [before, after] = [t.days(stored[name]), t.days(wanted[name])];
    risks.push({ label, before, after, consequence: t.retentionChange });
  }
  return risks;
}

async function respondOrganization(
  c: ManageContext,
  stored: Organization,
  typed: TypedOrganization,
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  return respondForm(
    c,
    <OrganizationPage {...{ stored, typed, fieldErrors, files: await listOwnExports(c.var.ctx) }} />,
    fieldErrors,
    ORGANIZATION,
  );
}

// SAFETY: each rule is that of a setting.
const SETTINGS = Object.keys(organizationRules) as (keyof OrganizationSettings)[];
/**
 * The names of the form's fields: the settings, and `seenAt` with the version of the organization that the form shows.
 */
const FORM_FIELDS = [...SETTINGS, 'seenAt'] as const;
type TypedOrganization = Record<(typeof FORM_FIELDS)[number], string>;

/** An IBAN in groups of four characters, as on bank cards. */
function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

function typedOf(organization: Organization): TypedOrganization {
  const texts = SETTINGS.map((name) => [name, String(organization[name] ?? '')]);
  const typed = { iban: groupIban(organization.iban ?? ''), seenAt: String(organization.updatedAt) };
  // SAFETY: there is a text for each setting.
  return { ...(Object.fromEntries(texts) as TypedOrganization), ...typed };
}

interface OrganizationProps {
  stored: Organization;
  typed: TypedOrganization;
  fieldErrors: FieldErrors;
  files: readonly ExportRecord[];
}

function OrganizationPage({ stored, typed, fieldErrors, files }: OrganizationProps) {
  const { common, nav, orders } = sharedMessages();
  const isTest = useView().session?.isTest;
  const t = messages();
  const form = { ...typed, fieldErrors };
  const number = { form, inputmode: 'numeric' } as const;
  return (
    <Page
      title={nav.organization}
      fieldErrors={fieldErrors}
      acts={
        <>
          <ButtonLink path={RULES} label={t.rules} />
          <ButtonLink path={WELCOME} label={t.firstSteps} />
        </>
      }
    >
      <Form action={ORGANIZATION}>
        <Hidden name="seenAt" value={typed.seenAt} />
        <div class="halves">
          <Panel title={t.general}>
            <Field name="name" label={t.name} form={form} autocomplete="organization" />
            <Field name="lowStockThreshold" label={t.threshold} hint={t.thresholdHint} {...number} />
          </Panel>
          <Panel title={orders.payment}>
            <Field name="iban" label={t.iban} hint={t.ibanHint} form={form} />
            <Field name="paymentRecipient" label={common.optional(t.recipient)} hint={t.recipientHint} form={form} />
          </Panel>
          <Panel title={t.prescriptions}>
            <Field name="prescriptionValidDays" label={t.validDays} hint={t.validDaysHint} {...number} />
            <RadioGroup
              name="signatureCheck"
              label={t.signatureCheck}
              options={SIGNATURE_CHECKS.map((value) => ({ value, label: t.signatureChecks[value] }))}
              form={form}
            />
          </Panel>
          <Panel title={t.retention}>
            <p>{t.retentionLead}</p>
            <Field
              name="requestRetentionDays"
              label={t.requestDays}
              hint={RETENTION_DAYS.requestRetentionDays.map((days) => t.days(days)).join(' – ')}
              {...number}
            />
            <Select
              name="orderRetentionDays"
              label={t.orderDays}
              options={numberOptions(
                [...YEARS, stored.orderRetentionDays, wholeNumber(typed.orderRetentionDays)],
                t.days,
              )}
              value={typed.orderRetentionDays}
              fieldErrors={fieldErrors}
            />
          </Panel>
        </div>
        <div class="acts save">
          <Submit>{common.save}</Submit>
        </div>
      </Form>
      {!isTest && <ExportSection {...{ fieldErrors, files }} />}
      {!isTest && (
        <div class="halves">
          <Panel title={t.test} id="test">
            <p>{t.testLead}</p>
            <FormButton action={OPEN_TEST} label={stored.counterpartId === null ? t.makeTest : t.enterTest} />
          </Panel>
        </div>
      )}
    </Page>
  );
}

function ExportSection({ fieldErrors, files }: Pick<OrganizationProps, 'fieldErrors' | 'files'>) {
  const t = messages();
  const form = { passphrase: '', code: '', fieldErrors };
  const isRunning = files.some(({ status }) => status === 'running');
  const hasSecondFactor = useView().session?.hasSecondFactor;
  const said = { running: t.exportRunning, sending: t.exportRunning, failed: t.exportFailed };
  return (
    <div class="halves">
      <Panel title={t.exportTitle} id="export">
        <p>{t.exportLead}</p>
        {files.map(({ id, fence, status }) => (
          <p>
            <Time at={fence} />{' '}
            {status === 'ready' ? <a href={`${ORGANIZATION}/export/${id}`}>{t.exportFetch}</a> : said[status]}
          </p>
        ))}
        {!hasSecondFactor && (
          <p>
            <a href={ACCOUNT}>{t.exportNeedsFactor}</a>
          </p>
        )}
        {hasSecondFactor && !isRunning && (
          <Form action={`${ORGANIZATION}/export`}>
            <Field name="passphrase" label={t.passphrase} hint={t.passphraseHint} form={form} />
            <Field name="code" label={t.factorCode} form={form} inputmode="numeric" autocomplete="one-time-code" />
            <Submit>{t.exportWrite}</Submit>
          </Form>
        )}
      </Panel>
    </div>
  );
}

/** A change that can cost money or delete data and cannot be undone. */
interface Risk {
  label: string;
  before: string;
  after: string;
  consequence: string;
}

function RiskPage({ typed, risks }: { typed: TypedOrganization; risks: Risk[] }) {
  const t = messages();
  return (
    <Page title={t.confirmTitle}>
      <div class="halves">
        {risks.map(({ label, before, after, consequence }) => (
          <Panel title={label}>
            <Facts
              entries={[
                [t.before, before],
                [t.after, <strong>{after}</strong>],
              ]}
            />
            <p>{consequence}</p>
          </Panel>
        ))}
      </div>
      <Form action={ORGANIZATION}>
        {Object.entries(typed).map(([name, value]) => (
          <Hidden name={name} value={value} />
        ))}
        <Hidden name="confirmed" value="yes" />
        <Decision act={t.confirm} back={ORGANIZATION} />
      </Form>
    </Page>
  );
}
