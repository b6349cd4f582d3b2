import { Hono } from 'hono';
import * as z from 'zod';
import { signInToTest } from '../../auth/staff/service';
import { testAssortment } from '../../inventory/service';
import { pick } from '../../platform/data/columns';
import { organizationRules, type OrganizationSettings as Wanted } from '../../tenants/fields';
import {
  forbiddenRetention,
  getOrganization,
  type Organization,
  openTestOrganization,
  RETENTION_DAYS,
  updateOrganization,
} from '../../tenants/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME, ORGANIZATION } from '../http/paths';
import { enterTest, signedIn } from '../http/session';
import { readFields } from '../ui/copy-field';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { messages } from './messages';
import {
  FORM_FIELDS,
  groupIban,
  OrganizationPage,
  type Risk,
  RiskPage,
  SETTINGS,
  type TypedOrganization,
  typedOf,
} from './organization-page';

const schema = z.object(organizationRules);

/** For owners only: the use cases refuse everybody else. */
export const organizationRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const stored = await getOrganization(c.var.ctx);
    return respondOrganization(c, stored, typedOf(stored));
  })
  .post('/test', async (c) => {
    const person = signedIn(c);
    await openTestOrganization(c.var.ctx, person.actor.orgId, testAssortment);
    enterTest(c, await signInToTest(c.var.ctx, person));
    return redirectWithFlash(c, 'test_entered', HOME);
  })
  .post('/', async (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const stored = await getOrganization(ctx);
    const typed = form.texts(...FORM_FIELDS);
    const values = valuesOf(typed);
    const read = readFields(schema, values, textsOf(c));
    // Only changed values are checked: the operator may have set one that an owner may not choose.
    const forbidden = forbiddenRetention(changesOf(stored, values)).map((name) => [name, textsOf(c)[name]]);
    const fieldErrors = { ...read.fieldErrors, ...Object.fromEntries(forbidden) };
    if (read.fieldErrors || hasFieldErrors(fieldErrors)) return respondOrganization(c, stored, typed, fieldErrors);
    const seenAt = Number(typed.seenAt);
    if (seenAt !== stored.updatedAt) {
      const again = { ...typed, seenAt: String(stored.updatedAt) };
      return respondOrganization(c, stored, again, { name: shared.fieldErrors.changed });
    }
    const risks = risksOf(c, stored, read.value);
    if (risks.length > 0 && form.text('confirmed') !== 'yes') {
      return respondPage(c, <RiskPage view={await viewOf(c, ORGANIZATION)} typed={typed} risks={risks} />);
    }
    const changes = changesOf(stored, read.value);
    if (Object.keys(changes).length > 0) await updateOrganization(ctx, stored.id, changes, seenAt);
    return redirectWithFlash(c, 'organization_saved', ORGANIZATION);
  });

/** What was typed, for the rules to judge: numbers as numbers, an empty text as none. */
function valuesOf(typed: TypedOrganization): Wanted {
  const values = SETTINGS.map((name) => {
    const isNumber = organizationRules[name] instanceof z.ZodNumber;
    return [name, isNumber ? wholeNumber(typed[name]) : typed[name] || null];
  });
  return Object.fromEntries(values);
}

/** Digits only: `1e3`, `0x10` and an empty field, which `Number` accepts, are typing errors. */
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

/** The settings that differ from the stored ones. */
function changesOf(stored: Organization, wanted: Wanted): Partial<Wanted> {
  return pick(
    wanted,
    SETTINGS.filter((name) => wanted[name] !== stored[name]),
  );
}

/** Another bank account redirects payments and a shorter retention deletes data: both need a confirmation. */
function risksOf(c: ManageContext, stored: Organization, wanted: Wanted): Risk[] {
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
  { counterpartId }: Organization,
  typed: TypedOrganization,
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  const view = await viewOf(c, ORGANIZATION);
  return respondForm(
    c,
    <OrganizationPage {...{ view, typed, fieldErrors, hasTest: counterpartId !== null }} />,
    fieldErrors,
  );
}
