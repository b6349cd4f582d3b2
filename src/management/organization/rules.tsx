import { Hono } from 'hono';
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

/** Routes of the rules for what must not be shipped. They are for owners only: the use cases refuse all other roles. */
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
    const texts = {
      category: t.category,
      effect: sharedMessages(c.var).common.required(messages(c.var).effect),
      text: t.ruleText,
      from: t.day,
      to: t.day,
    };
    const read = readFields(shippingRuleSchema, { ...typed, ...orNull }, texts);
    if (read.fieldErrors) return respondRules(c, stored, { ...typed, fieldErrors: read.fieldErrors });
    return save(c, stored, [...rulesOf(stored), read.value]);
  })
  .post('/remove', async (c) => {
    const stored = await getOrganization(c.var.ctx);
    const place = Number(c.var.form.text('rule'));
    return save(
      c,
      stored,
      rulesOf(stored).filter((_, index) => index !== place),
    );
  });

function rulesOf({ shippingRules }: Organization): ShippingRule[] {
  return shippingRulesSchema.parse(shippingRules);
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
  return redirectWithFlash(c, 'organization_saved', RULES);
}

function respondRules(c: ManageContext, stored: Organization, form: RuleState): Promise<Response> {
  return respondForm(c, <RulesPage {...{ stored, form }} />, form.fieldErrors, RULES);
}

function RulesPage({ stored, form }: { stored: Organization; form: RuleState }) {
  const t = messages();
  const { common, nav } = sharedMessages();
  const seen = <Hidden name="seenAt" value={stored.updatedAt} />;
  const options = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({ value, label }));
  return (
    <Page title={t.rules} back={{ path: ORGANIZATION, label: nav.organization }} fieldErrors={form.fieldErrors}>
      <p>{t.rulesLead}</p>
      {rulesOf(stored).map((rule, place) => (
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
        <p>
          {t.drafts}{' '}
          {RULE_DRAFTS.map(({ category }, place) => (
            <>
              {place > 0 && ', '}
              <a href={`${RULES}?draft=${place}#add`}>{category}</a>
            </>
          ))}
        </p>
        <Form action={RULES}>
          {seen}
          <div class="halves">
            <Field name="category" label={t.category} hint={t.categoryHint} form={form} />
            <Select
              {...{ name: 'shipping', label: t.shipping, value: form.shipping, fieldErrors: form.fieldErrors }}
              options={options(t.ways)}
              none={t.anyWay}
            />
            <Select
              {...{ name: 'effect', label: t.effect, value: form.effect ?? 'blocks', fieldErrors: form.fieldErrors }}
              options={options(t.effects)}
            />
            <Field name="text" label={t.ruleText} hint={t.ruleTextHint} form={form} />
            <DayField name="from" label={common.optional(t.from)} value={form.from} fieldErrors={form.fieldErrors} />
            <DayField name="to" label={common.optional(t.to)} value={form.to} fieldErrors={form.fieldErrors} />
          </div>
          <Submit>{t.addRule}</Submit>
        </Form>
      </Panel>
    </Page>
  );
}
