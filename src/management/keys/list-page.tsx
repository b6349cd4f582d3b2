import { type ApiKey, isActiveKey, keyPrefix } from '../../auth/keys/service';
import { SCOPES, type Scope } from '../../platform/access';
import { KEYS, keyPath, ORGANIZATION } from '../http/paths';
import { Checkbox } from '../ui/checkboxes';
import { Field, Form, Group, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate, formatMoment, formatTime } from '../ui/format';
import type { Tone } from '../ui/icons';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { ExpiryField } from './expiry';
import { messages } from './messages';

export const API_SCOPES = SCOPES.filter((scope) => scope !== 'external_orders.submit');

export interface KeysState {
  name?: string;
  kind?: string;
  /** A date; empty if the key never expires. */
  expiresAt?: string;
  scopes?: Scope[];
  fieldErrors?: FieldErrors;
  /** The key that was just created. */
  made?: MadeKey | 'gone';
}

export interface MadeKey {
  name: string;
  key: string;
  /** After a rotation: until when the previous key is valid; null if it is not valid any more. */
  previousUntil?: number | null;
}

/** The part of a key that is not secret. */
export function keyLabel({ session }: Pick<View, 'session'>, { id }: ApiKey): string {
  return `${keyPrefix(session?.isTest === true)}${id}…`;
}

export function KeysPage({ view, keys, state }: { view: View; keys: ApiKey[]; state: KeysState }) {
  const t = messages(view);
  const { made } = state;
  return (
    <Page
      view={view}
      title={sharedMessages(view).nav.keys}
      fieldErrors={state.fieldErrors}
      lead={t.valid(keys.filter((key) => isActiveKey(key, view.now)).length)}
      acts={
        <a class="button" href="#create">
          {t.createTitle}
        </a>
      }
    >
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && (
        <section class="panel wide">
          <ShownOnce view={view} id="new-key" label={t.madeTitle(made.name)} value={made.key} />
          <Rotated view={view} until={made.previousUntil} />
        </section>
      )}
      <p class="quiet">
        {t.lead} {view.session?.isTest ? t.testKeys : <a href={`${ORGANIZATION}#test`}>{t.tryFirst}</a>}
      </p>
      {keys.length === 0 ? <p>{t.empty}</p> : <KeyTable view={view} keys={keys} />}
      <Panel title={t.createTitle} id="create" isWide>
        <KeyForm view={view} state={state} />
      </Panel>
    </Page>
  );
}

function Rotated({ view, until }: { view: View; until: MadeKey['previousUntil'] }) {
  const t = messages(view);
  if (until === undefined) return null;
  return <p>{until === null ? t.rotatedAtOnce : t.rotatedUntil(formatTime(view.language, until))}</p>;
}

/** A key in each row, which leads to its page: what it is for, may do, and whether it is used. */
function KeyTable({ view, keys }: { view: View; keys: ApiKey[] }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
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
        { label: common.kind, class: 'kind', cell: (key) => <span class="quiet">{kindOf(view, key)}</span> },
        {
          label: t.begins,
          class: 'total',
          title: (key) => keyLabel(view, key),
          cell: (key) => <code>{keyLabel(view, key)}</code>,
        },
        {
          label: t.may,
          class: 'what',
          title: (key) => rightsOf(view, key).join(', '),
          cell: (key) => <span class="quiet">{mayAll(key) ? t.everything : rightsOf(view, key).join(', ')}</span>,
        },
        {
          label: t.lastUsed,
          class: 'age',
          cell: ({ lastUsedAt }) => (
            <span class="quiet">
              {lastUsedAt === null ? t.unused : formatMoment(view.language, lastUsedAt, view.now)}
            </span>
          ),
        },
        {
          label: t.expires,
          class: 'shipping',
          cell: ({ expiresAt }) =>
            expiresAt === null ? <span class="quiet">{t.never}</span> : formatDate(view.language, expiresAt),
        },
        {
          label: common.status,
          class: 'settle',
          cell: (key) => <KeyChip view={view} apiKey={key} isReplaced={isReplaced(keys, key, view.now)} />,
        },
      ]}
    />
  );
}

export function kindOf(view: View, key: ApiKey): string {
  const t = messages(view);
  return isIntegration(key) ? t.integration : t.api;
}

export function isIntegration({ scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return scopes.includes('external_orders.submit');
}

function mayAll({ scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return API_SCOPES.every((scope) => scopes.includes(scope));
}

/** What a key may do, in words. */
function rightsOf(view: View, { scopes }: Pick<ApiKey, 'scopes'>): string[] {
  const { scopeNames } = messages(view);
  return scopes.map((scope) => scopeNames[scope]);
}

/** Whether an active key has replaced this one. */
export function isReplaced(keys: readonly ApiKey[], key: ApiKey, now: number): boolean {
  return keys.some(
    (other) => other.familyId === key.familyId && other.createdAt > key.createdAt && isActiveKey(other, now),
  );
}

interface KeyChipProps {
  view: View;
  apiKey: ApiKey;
  isReplaced: boolean;
  isFilled?: boolean;
}

/** Whether a key is valid, and if not, why. */
export function KeyChip({ view, apiKey: key, isReplaced, isFilled }: KeyChipProps) {
  const t = messages(view);
  const chip = (tone: Tone, text: string) => (
    <Chip tone={tone} isFilled={isFilled}>
      {text}
    </Chip>
  );
  if (key.revokedAt !== null) return chip('off', t.revoked);
  if (key.expiresAt !== null && key.expiresAt <= view.now) return chip('bad', t.expired);
  if (isReplaced) return chip('wait', t.replaced);
  return chip('good', sharedMessages(view).common.active);
}

function KeyForm({ view, state }: { view: View; state: KeysState }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const form = { kind: 'integration', ...state };
  const kinds = [
    { value: 'integration', label: t.integration, hint: t.integrationHint },
    { value: 'api', label: t.api, hint: t.apiHint },
  ];
  return (
    <Form view={view} action={KEYS} class="key-form" once>
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
      <ExpiryField view={view} value={state.expiresAt} fieldErrors={form.fieldErrors} />
      <Submit>{t.create}</Submit>
    </Form>
  );
}
