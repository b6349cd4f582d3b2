import { Hono } from 'hono';
import { foldText } from '../../platform/fold';
import { getOrganization, type Organization, updateOrganization } from '../../tenants/organizations';
import { RULE_DRAFTS, type ShippingRule, shippingRuleSchema, shippingRulesSchema } from '../../tenants/shipping';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { ORGANIZATION, RULES } from '../http/paths';
import { Button, Field, Form, type FormState, Hidden, readFields, Select, Submit } from '../ui/fields';
import { DayField } from '../ui/filters';
import { formatDate } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import { respondForm } from '../ui/view';
import { messages } from './messages';

const FIELDS = ['category', 'shipping', 'from', 'to', 'effect', 'text'] as const;
type RuleState = FormState<(typeof FIELDS)[number]>;

/** Routes of the shipping rules. They are for owners only: the use cases refuse all other roles. */
export const ruleRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const draft = RULE_DRAFTS[Number(c.req.query('draft') ?? Number.NaN)];
    return respondRules(c, await getOrganization(c.var.ctx), draft ? { ...draft, shipping: draft.shipping ?? '' } : {});
  })
  .post('/', async (c) => {
    const stored = await getOrganization(c.var.ctx);
    const typed = c.var.form.texts(...FIELDS);
    const { fieldErrors: t } = messages(c.var);
    const orNull = { shipping: typed.shipping || null, from: typed.from || null, to: typed.to || null };
    const effect = sharedMessages(c.var).common.required(messages(c.var).effect);
    const texts = { category: t.category, effect, text: t.ruleText, from: t.day, to: t.day };
    const read = readFields(shippingRuleSchema, { ...typed, ...orNull }, texts);
    if (read.fieldErrors) return respondRules(c, stored, { ...typed, fieldErrors: read.fieldErrors });
    if (rulesOf(stored).some((rule) => isSameRule(rule, read.value))) {
      return respondRules(c, stored, { ...typed, fieldErrors: { category: t.sameRule } });
    }
    return save(c, stored, [...rulesOf(stored), read.value]);
  })
  .post('/remove', async (c) => {
    const stored = await getOrganization(c.var.ctx);
    const rules = rulesOf(stored).filter((_, index) => String(index) !== c.var.form.text('rule'));
    return save(c, stored, rules);
  });

function rulesOf({ shippingRules }: Organization): ShippingRule[] {
  return shippingRulesSchema.parse(shippingRules);
}

/** Whether two rules have the same category of products, shipping option, and days. */
function isSameRule(one: ShippingRule, other: ShippingRule): boolean {
  const of = ({ category, shipping, from, to }: ShippingRule) => [foldText(category), shipping, from, to].join('\n');
  return of(one) === of(other);
}

/**
 * Saves the list of rules, or shows the page again with an error. It saves nothing if the organization was changed
 * since the page was shown, or if the list is too long.
 */
async function save(c: ManageContext, stored: Organization, shippingRules: ShippingRule[]): Promise<Response> {
  const seenAt = Number(c.var.form.text('seenAt'));
  const isTooLong = !shippingRulesSchema.safeParse(shippingRules).success;
  if (seenAt !== stored.updatedAt || isTooLong) {
    const changed = isTooLong ? messages(c.var).fieldErrors.rules : sharedMessages(c.var).fieldErrors.changed;
    return respondRules(c, stored, { ...c.var.form.texts(...FIELDS), fieldErrors: { category: changed } });
  }
  await updateOrganization(c.var.ctx, stored.id, { shippingRules }, seenAt);
  return redirectWithFlash(c, 'saved', RULES);
}

function respondRules(c: ManageContext, stored: Organization, form: RuleState): Promise<Response> {
  return respondForm(c, <RulesPage {...{ stored, form }} />, form.fieldErrors, RULES);
}

function RulesPage({ stored, form }: { stored: Organization; form: RuleState }) {
  const t = messages();
  const { common, nav } = sharedMessages();
  const rules = rulesOf(stored);
  const isThere = (draft: (typeof RULE_DRAFTS)[number]) =>
    rules.some((rule) => isSameRule(rule, { ...draft, from: null, to: null }));
  const seen = <Hidden name="seenAt" value={stored.updatedAt} />;
  const { fieldErrors } = form;
  const of = (name: 'shipping' | 'effect' | 'from' | 'to') => ({
    name,
    label: t[name],
    value: form[name],
    fieldErrors,
  });
  const options = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({ value, label }));
  return (
    <Page title={t.rules} back={{ path: ORGANIZATION, label: nav.organization }} fieldErrors={form.fieldErrors}>
      <p>{t.rulesLead}</p>
      {rules.map((rule, place) => (
        <Panel title={rule.category}>
          <Facts
            entries={[
              [t.shipping, rule.shipping === null ? t.anyWay : t.ways[rule.shipping]],
              [t.effect, t.effects[rule.effect]],
              [t.from, rule.from && formatDate(Date.parse(rule.from))],
              [t.to, rule.to && formatDate(Date.parse(rule.to))],
              [t.ruleText, rule.text],
            ]}
          />
          <Form action={`${RULES}/remove`}>
            {seen}
            <Button name="rule" value={String(place)} label={t.removeRule} />
          </Form>
        </Panel>
      ))}
      <Panel title={t.addRule} id="add">
        {!RULE_DRAFTS.every(isThere) && (
          <p class="facts">
            {t.drafts}
            {RULE_DRAFTS.map(
              (each, place) => isThere(each) || <a href={`${RULES}?draft=${place}#add`}>{each.category}</a>,
            )}
          </p>
        )}
        <Form action={RULES}>
          {seen}
          <div class="halves">
            <Field name="category" label={t.category} hint={t.categoryHint} form={form} />
            <Select {...of('shipping')} options={options(t.ways)} none={t.anyWay} />
            <Select {...of('effect')} options={options(t.effects)} />
            <Field name="text" label={t.ruleText} hint={t.ruleTextHint} form={form} />
            <DayField {...of('from')} label={common.optional(t.from)} />
            <DayField {...of('to')} label={common.optional(t.to)} />
          </div>
          <Submit>{t.addRule}</Submit>
        </Form>
      </Panel>
    </Page>
  );
}
