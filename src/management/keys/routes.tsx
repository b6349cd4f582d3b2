import { Hono } from 'hono';
import { isActiveKey, keyPrefix } from '../../auth/keys/format';
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  readKeys,
  revokeApiKey,
  rotateApiKey,
  setCallback,
  setKeyStock,
  setSubmittedEvents,
} from '../../auth/keys/keys';
import { NAME_LENGTH_MAX } from '../../auth/limits';
import { STOCK_SHOWN } from '../../auth/tables';
import { SCOPES, type Scope } from '../../platform/access';
import { notFound } from '../../platform/errors/errors';
import { dayOf, endOf, readDay } from '../../platform/pharmacy-time';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Reader } from '../http/language';
import { once, showOnce, takeMade } from '../http/once';
import { KEYS, keyPath, ORGANIZATION, WEBHOOKS } from '../http/paths';
import { signedIn } from '../http/session';
import { OVERLAPS } from '../limits';
import { Decision, respondConfirm } from '../ui/confirm';
import { Checkbox, Field, Form, Group, RadioGroup, ShownBefore, ShownOnce, Submit, ticked } from '../ui/fields';
import { DayField } from '../ui/filters';
import { formatDate, formatMoment, formatTime, overlapOptions, readOverlap } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, Facts, Panel, type Tone } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, hasFieldErrors, respondForm, tryForm, useView, type View } from '../ui/view';
import { messages } from './messages';

/** Shows the page that asks how long the old key stays valid, and when the new one expires. */
async function respondRotate(
  c: ManageContext,
  keyId: string,
  typed?: TypedRotation,
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  const key = await activeKey(c, keyId);
  const suggested = { overlap: 'day', expiresAt: key.expiresAt === null ? '' : dayOf(key.expiresAt) };
  const page = <RotatePage apiKey={key} typed={typed ?? suggested} fieldErrors={fieldErrors} />;
  return respondForm(c, page, fieldErrors);
}

/** Creates the new key. The list of keys then shows it once. */
async function rotate(c: ManageContext): Promise<Response> {
  const keyId = c.req.param('id') ?? '';
  const { form, ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const typed = { overlap: form.text('overlap'), expiresAt: form.text('expires_at') };
  const overlap = readOverlap(typed.overlap);
  const { expiresAt, fieldErrors } = readExpiry(typed.expiresAt, ctx.now(), c.var);
  if (!overlap || hasFieldErrors(fieldErrors)) {
    return respondRotate(c, keyId, typed, { ...(!overlap && { overlap: t.overlap }), ...fieldErrors });
  }
  const key = await activeKey(c, keyId);
  const until = ctx.now() + OVERLAPS[overlap];
  const result = await tryForm(c.var, { key_overlap_running: 'overlap' }, () =>
    rotateApiKey(ctx, { keyId, overlapMs: OVERLAPS[overlap], expiresAt }),
  );
  if (result.fieldErrors) return respondRotate(c, keyId, typed, result.fieldErrors);
  const previousUntil = overlap === 'none' ? null : Math.min(until, key.expiresAt ?? until);
  return showOnce(c, KEYS, { name: key.name, key: result.value.apiKey, previousUntil } satisfies MadeKey);
}

async function activeKey(c: ManageContext, keyId: string): Promise<ApiKey> {
  const keys = await listApiKeys(c.var.ctx);
  const key = keys.find(({ id }) => id === keyId);
  if (!key || !isActiveKey(key, c.var.ctx.now())) throw notFound();
  return key;
}

/** Routes of API keys. They are for owners only: the use cases refuse all other roles. */
export const keyRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondKeys(c, { made: await takeMade<MadeKey>(c) }))
  .post('/', once(KEYS, create))
  .get('/:id', (c) => respondKey(c))
  .post('/:id/callback', once(WEBHOOKS, createCallback))
  .post('/:id/stock', saveStock)
  .get('/:id/revoke', async (c) => {
    const keys = await listApiKeys(c.var.ctx);
    const key = keys.find(({ id }) => id === c.req.param('id'));
    if (!key || key.revokedAt !== null) throw notFound();
    const t = messages(c.var);
    return respondConfirm(c, {
      title: t.revokeTitle(key.name),
      about: <code>{keyLabel(c.var, key)}</code>,
      lead: key.callback ? `${t.revokeLead} ${t.revokeLastLead}` : t.revokeLead,
      action: `${KEYS}/${key.id}/revoke`,
      act: sharedMessages(c.var).common.revoke,
      back: keyPath(key.id),
    });
  })
  .post('/:id/revoke', async (c) => {
    await revokeApiKey(c.var.ctx, { orgId: signedIn(c).actor.orgId, keyId: c.req.param('id') });
    return redirectWithFlash(c, 'key_revoked', KEYS);
  })
  .get('/:id/rotate', (c) => respondRotate(c, c.req.param('id')))
  .post('/:id/rotate', once(KEYS, rotate))
  .post('/:id/submitted-events', async (c) => {
    const isOn = c.var.form.text('on') === 'yes';
    await setSubmittedEvents(c.var.ctx, { keyId: c.req.param('id'), isOn });
    return redirectWithFlash(c, isOn ? 'submitted_events_on' : 'submitted_events_off', keyPath(c.req.param('id')));
  });

async function respondKey(c: ManageContext, state: KeyState = {}): Promise<Response> {
  const { keys, shops } = await readKeys(c.var.ctx);
  const apiKey = keys.find(({ id }) => id === c.req.param('id'));
  if (!apiKey) throw notFound();
  return respondForm(c, <KeyPage {...{ apiKey, keys, shops, ...state }} />, state.fieldErrors, keyPath(apiKey.id));
}

/**
 * Creates the callback of the key's integration. The page of webhooks then shows the callback's secret and how to use
 * it.
 */
async function createCallback(c: ManageContext): Promise<Response> {
  const keyId = c.req.param('id') ?? '';
  const url = c.var.form.text('url');
  const fields = { callback_limit_reached: 'url', subscription_changed: 'url' };
  const result = await tryForm(c.var, fields, () => setCallback(c.var.ctx, { keyId, url }));
  if (result.fieldErrors) return respondKey(c, { url, fieldErrors: result.fieldErrors });
  return showOnce(c, WEBHOOKS, { url, secret: result.value.signingSecret });
}

async function saveStock(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const keyId = c.req.param('id') ?? '';
  const share = form.text('reserve_share');
  const stockShown = STOCK_SHOWN.find((shown) => shown === form.text('stock_shown'));
  if (!stockShown) {
    const stock_shown = sharedMessages(c.var).common.required(messages(c.var).stockShown);
    return respondKey(c, { fieldErrors: { stock_shown } });
  }
  const typed = { reserves: form.text('reserves') === 'on', reserveShare: share, stockShown };
  if (share !== '' && !/^([1-9]\d?|100)$/.test(share)) {
    return respondKey(c, { typed, fieldErrors: { reserve_share: messages(c.var).shareFault } });
  }
  await setKeyStock(ctx, { keyId, ...typed, reserveShare: share === '' ? null : Number(share) });
  return redirectWithFlash(c, 'saved', keyPath(keyId));
}

async function create(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const typed = {
    name: form.text('name'),
    kind: form.text('kind'),
    expiresAt: form.text('expires_at'),
    scopes: ticked(form, API_SCOPES),
    prescriptionShopIds: form
      .entries()
      .flatMap(([name]) => (name.startsWith(SHOP_FIELD) ? [name.slice(SHOP_FIELD.length)] : [])),
  };
  const { expiresAt, fieldErrors: expiryErrors } = readExpiry(typed.expiresAt, ctx.now(), c.var);
  const fieldErrors = { ...fieldErrorsOf(c, typed), ...expiryErrors };
  if (hasFieldErrors(fieldErrors)) return respondKeys(c, { ...typed, fieldErrors });
  const scopes = typed.kind === 'integration' ? (['external_orders.submit'] as const) : typed.scopes;
  const result = await tryForm(c.var, { api_key_limit_reached: 'name' }, () =>
    createApiKey(ctx, {
      orgId: signedIn(c).actor.orgId,
      name: typed.name,
      scopes: [...scopes],
      ...(isLimited(typed) && { prescriptionShopIds: typed.prescriptionShopIds }),
      ...(expiresAt !== null && { expiresAt }),
    }),
  );
  if (result.fieldErrors) return respondKeys(c, { ...typed, fieldErrors: result.fieldErrors });
  return showOnce(c, KEYS, { name: typed.name, key: result.value.apiKey } satisfies MadeKey);
}

/** Prefix of the name of a shop's checkbox. The shop's id follows. */
const SHOP_FIELD = 'shop:';

/** Whether the key may read only the prescriptions of the ticked shops. False if it may read no prescriptions. */
function isLimited({
  kind,
  scopes,
  prescriptionShopIds,
}: Required<Pick<KeysState, 'kind' | 'scopes' | 'prescriptionShopIds'>>) {
  return kind === 'api' && scopes.includes('prescriptions.read') && prescriptionShopIds.length > 0;
}

function fieldErrorsOf(c: ManageContext, typed: Required<Pick<KeysState, 'name' | 'kind' | 'scopes'>>): FieldErrors {
  const shared = sharedMessages(c.var);
  return {
    ...(typed.name === '' && { name: shared.common.required(shared.common.name) }),
    ...(typed.name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
    ...(!['integration', 'api'].includes(typed.kind) && { kind: shared.fieldErrors.kind }),
    ...(typed.kind === 'api' && typed.scopes.length === 0 && { scopes: shared.fieldErrors.scopes }),
  };
}

async function respondKeys(c: ManageContext, state: KeysState = {}): Promise<Response> {
  const { keys, shops } = await readKeys(c.var.ctx);
  return respondForm(c, <KeysPage {...{ keys, shops, state }} />, state.fieldErrors, KEYS);
}

export const API_SCOPES = SCOPES.filter((scope) => scope !== 'external_orders.submit');

interface KeysState {
  name?: string;
  kind?: string;
  /** A date; empty if the key never expires. */
  expiresAt?: string;
  scopes?: Scope[];
  prescriptionShopIds?: string[];
  fieldErrors?: FieldErrors;
  /** The key that was just created; `'gone'` if it was shown already. */
  made?: MadeKey | 'gone';
}

interface MadeKey {
  name: string;
  key: string;
  /**
   * Set only after a rotation: when the previous key expires, in epoch ms. Null if the previous key is no longer valid.
   */
  previousUntil?: number | null;
}

/** The part of a key that is not secret. */
function keyLabel({ session }: Pick<View, 'session'>, { id }: ApiKey): string {
  return `${keyPrefix(session?.isTest === true)}${id}…`;
}

interface KeysProps {
  keys: ApiKey[];
  shops: Awaited<ReturnType<typeof readKeys>>['shops'];
  state: KeysState;
}

function KeysPage({ keys, shops, state }: KeysProps) {
  const view = useView();
  const t = messages();
  const { made } = state;
  return (
    <Page
      title={sharedMessages().nav.keys}
      fieldErrors={state.fieldErrors}
      lead={t.valid(keys.filter((key) => isActiveKey(key, view.now)).length)}
      acts={<ButtonLink path="#create" label={t.createTitle} />}
    >
      {made === 'gone' && <ShownBefore />}
      {typeof made === 'object' && (
        <section class="panel wide">
          <ShownOnce id="new-key" label={t.madeTitle(made.name)} value={made.key} />
          {made.previousUntil !== undefined && (
            <p>{made.previousUntil === null ? t.rotatedAtOnce : t.rotatedUntil(formatTime(made.previousUntil))}</p>
          )}
        </section>
      )}
      <p class="quiet">
        {t.lead} {view.session?.isTest ? t.testKeys : <a href={`${ORGANIZATION}#test`}>{t.tryFirst}</a>}
      </p>
      {keys.length === 0 ? <p>{t.empty}</p> : <KeyTable keys={keys} />}
      <Panel title={t.createTitle} id="create" isWide>
        <KeyForm shops={shops} state={state} />
      </Panel>
    </Page>
  );
}

/** A table of keys with links to their pages: name, permissions, and use. */
function KeyTable({ keys }: { keys: ApiKey[] }) {
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Table
      class="rows brief keys-list"
      rows={keys}
      columns={[
        {
          label: common.name,
          kind: 'name',
          class: 'name',
          title: ({ name }) => name,
          cell: ({ id, name }) => (
            <a class="go" href={keyPath(id)}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        {
          label: t.may,
          class: 'what',
          title: (key) => rightsOf(key).join(', '),
          cell: (key) => (
            <span class="quiet">
              {API_SCOPES.every((scope) => key.scopes.includes(scope)) ? t.everything : rightsOf(key).join(', ')}
            </span>
          ),
        },
        {
          label: t.lastUsed,
          class: 'age',
          cell: ({ lastUsedAt }) => (
            <span class="quiet">
              {lastUsedAt !== null && <span class="phone">{t.last} </span>}
              {lastUsedAt === null ? t.unused : formatMoment(lastUsedAt)}
            </span>
          ),
        },
        {
          label: t.expires,
          class: 'shipping',
          cell: ({ expiresAt }) => (expiresAt === null ? <span class="quiet">{t.never}</span> : formatDate(expiresAt)),
        },
        {
          label: common.status,
          class: 'settle',
          cell: (key) => <KeyChip apiKey={key} isReplaced={isReplaced(keys, key, useView().now)} />,
        },
      ]}
    />
  );
}

function isIntegration({ scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return scopes.includes('external_orders.submit');
}

/** The names of a key's scopes. */
function rightsOf({ scopes }: Pick<ApiKey, 'scopes'>): string[] {
  const { scopeNames } = messages();
  return scopes.map((scope) => scopeNames[scope]);
}

/** Whether a newer key of the same family is active. */
function isReplaced(keys: readonly ApiKey[], key: ApiKey, now: number): boolean {
  return keys.some(
    (other) => other.familyId === key.familyId && other.createdAt > key.createdAt && isActiveKey(other, now),
  );
}

/** Shows whether a key is valid, replaced, expired, or revoked. */
function KeyChip({ apiKey: key, isReplaced, isFilled }: { apiKey: ApiKey; isReplaced: boolean; isFilled?: boolean }) {
  const t = messages();
  const chip = (tone: Tone, text: string) => (
    <Chip tone={tone} isFilled={isFilled}>
      {text}
    </Chip>
  );
  if (key.revokedAt !== null) return chip('off', t.revoked);
  if (key.expiresAt !== null && key.expiresAt <= useView().now) return chip('bad', t.expired);
  if (isReplaced) return chip('wait', t.replaced);
  return chip('good', sharedMessages().common.active);
}

function KeyForm({ shops, state }: Omit<KeysProps, 'keys'>) {
  const t = messages();
  const { common } = sharedMessages();
  const form = { kind: 'integration', ...state };
  const kinds = [
    { value: 'integration', label: t.integration, hint: t.integrationHint },
    { value: 'api', label: t.api, hint: t.apiHint },
  ];
  return (
    <Form action={KEYS} class="key-form" once>
      <Field name="name" label={common.name} hint={t.nameHint} form={form} />
      <RadioGroup name="kind" label={common.kind} options={kinds} form={form} />
      <Group id="scopes" name="scopes" label={t.scopes} class="api-only" fault={form.fieldErrors?.scopes}>
        {API_SCOPES.map((scope) => (
          <Checkbox
            name={scope}
            label={t.scopeNames[scope]}
            hint={scope}
            isOn={state.scopes?.includes(scope) ?? false}
          />
        ))}
      </Group>
      {shops.length > 1 && (
        <Group id="prescription_shops" name="prescription_shops" label={t.prescriptionShops} class="api-only">
          {shops.map(({ id, name }) => (
            <Checkbox name={SHOP_FIELD + id} label={name} isOn={state.prescriptionShopIds?.includes(id) ?? false} />
          ))}
        </Group>
      )}
      <ExpiryField value={state.expiresAt} fieldErrors={form.fieldErrors} />
      <Submit>{t.createTitle}</Submit>
    </Form>
  );
}

interface KeyProps {
  apiKey: ApiKey;
}

/** The refused values of the forms for the stock and for the callback's URL. */
interface KeyState {
  url?: string;
  typed?: { reserves: boolean; reserveShare: string; stockShown: string };
  fieldErrors?: FieldErrors;
}

/** The page of a key: permissions, use, and actions. @param keys all keys of the organization */
function KeyPage({ apiKey: key, keys, shops, ...state }: KeyProps & KeyState & Omit<KeysProps, 'state'>) {
  const view = useView();
  const t = messages();
  const { common, nav } = sharedMessages();
  const isOld = isReplaced(keys, key, view.now);
  const isActive = isActiveKey(key, view.now);
  return (
    <Page
      title={key.name}
      back={{ path: KEYS, label: nav.keys }}
      lead={<KeyChip apiKey={key} isReplaced={isOld} isFilled />}
      fieldErrors={state.fieldErrors}
      acts={!isOld && isActive && <ButtonLink path={`${keyPath(key.id)}/rotate`} label={t.rotate} />}
    >
      <div class="halves">
        <Panel title={isIntegration(key) ? t.integration : t.api}>
          <Facts
            entries={[
              [t.begins, <code>{keyLabel(view, key)}</code>],
              [t.created, <Time at={key.createdAt} />],
              [t.lastUsed, key.lastUsedAt === null ? t.unused : <Time at={key.lastUsedAt} />],
              [t.expires, key.expiresAt === null ? t.never : formatTime(key.expiresAt)],
            ]}
          />
          {isIntegration(key) && key.revokedAt === null && <EventsSwitch apiKey={key} />}
        </Panel>
        {key.scopes.length > 0 && (
          <Panel title={t.may}>
            <Facts entries={key.scopes.map((scope) => [<code>{scope}</code>, t.scopeNames[scope]])} />
            {key.prescriptionShopIds && (
              <p>
                {t.prescriptionShops}:{' '}
                {shops.flatMap(({ id, name }) => (key.prescriptionShopIds?.includes(id) ? [name] : [])).join(', ')}
              </p>
            )}
            <p>
              <a href="/docs">{t.reference}</a>
            </p>
          </Panel>
        )}
        {isIntegration(key) && isActive && <CallbackPanel apiKey={key} {...state} />}
        {isIntegration(key) && key.revokedAt === null && <StockPanel apiKey={key} {...state} />}
      </div>
      {key.revokedAt === null && (
        <p>
          <a href={`${keyPath(key.id)}/revoke`}>{common.revoke}</a>
        </p>
      )}
    </Page>
  );
}

/** The callback of the key's integration; if there is none, the form that creates it. */
function CallbackPanel({ apiKey: { id, callback }, url, fieldErrors }: KeyProps & KeyState) {
  const t = messages();
  return (
    <Panel title={t.callback}>
      <p class="quiet">{t.callbackLead}</p>
      {callback ? (
        <a class="go" href={`${WEBHOOKS}/${callback.id}`}>
          {callback.url}
        </a>
      ) : (
        <Form action={`${keyPath(id)}/callback`} once>
          <Field name="url" label={t.callbackUrl} form={{ url, fieldErrors }} />
          <button type="submit">{t.callbackSet}</button>
        </Form>
      )}
    </Panel>
  );
}

/** The switch for webhook events about submissions with the key. */
function EventsSwitch({ apiKey: key }: KeyProps) {
  const t = messages();
  const { common } = sharedMessages();
  const isOn = key.sendsSubmittedEvents;
  return (
    <Form action={`${keyPath(key.id)}/submitted-events`}>
      <p>
        {isOn ? t.eventsOn : t.eventsOff}{' '}
        <button type="submit" name="on" value={isOn ? 'no' : 'yes'} title={t.eventsOf(key.name)}>
          {isOn ? common.turnOff : common.turnOn}
        </button>
      </p>
    </Form>
  );
}

/** The form for the stock: whether submissions with the key reserve it, and how much of it the platform can see. */
function StockPanel({ apiKey: key, typed, fieldErrors }: KeyProps & KeyState) {
  const t = messages();
  const { common } = sharedMessages();
  const { reserves, reserveShare, stockShown } = typed ?? key;
  const options = STOCK_SHOWN.map((value) => ({ value, label: t.stockShownAs[value] }));
  const form = { stock_shown: stockShown, fieldErrors };
  return (
    <Panel title={common.stock}>
      <Form action={`${keyPath(key.id)}/stock`}>
        <Checkbox name="reserves" label={t.reserves} hint={t.reservesHint} isOn={reserves} />
        <Field
          name="reserve_share"
          label={common.optional(t.reserveShare)}
          hint={t.reserveShareHint}
          value={String(reserveShare ?? '')}
          fieldErrors={fieldErrors}
          inputmode="numeric"
        />
        <RadioGroup name="stock_shown" label={t.stockShown} options={options} form={form} />
        <button type="submit">{common.save}</button>
      </Form>
    </Panel>
  );
}

interface TypedRotation {
  overlap: string;
  expiresAt: string;
}

interface RotateProps {
  apiKey: ApiKey;
  typed: TypedRotation;
  fieldErrors: FieldErrors;
}

function RotatePage({ apiKey: key, typed: { overlap, expiresAt }, fieldErrors }: RotateProps) {
  const view = useView();
  const t = messages();
  return (
    <Page title={t.rotateTitle(key.name)} fieldErrors={fieldErrors} isDialog>
      <p>
        <code>{keyLabel(view, key)}</code>
      </p>
      <p>{t.rotateLead}</p>
      <Form action={`${KEYS}/${key.id}/rotate`} once>
        <RadioGroup name="overlap" label={t.overlap} options={overlapOptions(view)} form={{ overlap, fieldErrors }} />
        <ExpiryField value={expiresAt} fieldErrors={fieldErrors} />
        <Decision act={t.rotateSubmit} back={KEYS} />
      </Form>
    </Page>
  );
}

/** Reads the typed last day. Returns its end in epoch ms, null for a key that never expires, or the field's error. */
function readExpiry(text: string, now: number, reader: Reader): { expiresAt: number | null; fieldErrors: FieldErrors } {
  const { fieldErrors } = sharedMessages(reader);
  if (text === '') return { expiresAt: null, fieldErrors: {} };
  const day = readDay(text);
  if (day === null) return { expiresAt: null, fieldErrors: { expires_at: fieldErrors.date } };
  const expiresAt = endOf(day);
  return { expiresAt, fieldErrors: expiresAt > now ? {} : { expires_at: fieldErrors.date_past } };
}

/** The field for the last day on which a key is valid. If it is empty, the key never expires. */
function ExpiryField({ value, fieldErrors }: { value?: string; fieldErrors?: FieldErrors }) {
  const t = messages();
  const props = { name: 'expires_at', label: t.expires, hint: t.expiresHint, value, fieldErrors };
  return <DayField {...props} min={dayOf(useView().now)} />;
}
