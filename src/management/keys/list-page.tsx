import { type ApiKey, isActiveKey, keyPrefix } from '../../auth/keys/service';
import { SCOPES, type Scope } from '../../platform/access';
import { callbackPathOf, KEYS, ORGANIZATION } from '../http/paths';
import { Checkbox } from '../ui/checkboxes';
import { Field, Form, Group, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate, formatTime } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
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
    <Page view={view} title={sharedMessages(view).nav.keys} fieldErrors={state.fieldErrors}>
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
      <div class="two-columns">
        {keys.length === 0 ? <p>{t.empty}</p> : <KeyTable view={view} keys={keys} />}
        <aside>
          <Panel title={t.createTitle}>
            <KeyForm view={view} state={state} />
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

function Rotated({ view, until }: { view: View; until: MadeKey['previousUntil'] }) {
  const t = messages(view);
  if (until === undefined) return null;
  return <p>{until === null ? t.rotatedAtOnce : t.rotatedUntil(formatTime(view.language, until))}</p>;
}

function KeyTable({ view, keys }: { view: View; keys: ApiKey[] }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const isReplaced = (key: ApiKey) => keys.some((other) => isNewer(other, key, view.now));
  return (
    <Table
      rows={keys}
      columns={[
        {
          label: common.name,
          kind: 'name',
          cell: (key) => (
            <>
              <strong>{key.name}</strong>
              <small>
                <code>{keyLabel(view, key)}</code>
              </small>
            </>
          ),
        },
        { label: common.kind, cell: (key) => <Kind view={view} apiKey={key} /> },
        {
          label: common.status,
          cellClass: 'day',
          cell: (key) => <Status view={view} apiKey={key} isReplaced={isReplaced(key)} />,
        },
        {
          label: t.lastUsed,
          cellClass: 'day',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.unused : <Time view={view} at={lastUsedAt} />),
        },
        {
          label: common.actions,
          kind: 'actions',
          cell: (key) => <Actions view={view} apiKey={key} isReplaced={isReplaced(key)} />,
        },
      ]}
    />
  );
}

/** Whether an active key has replaced this one. */
function isNewer(other: ApiKey, key: ApiKey, now: number): boolean {
  return other.familyId === key.familyId && other.createdAt > key.createdAt && isActiveKey(other, now);
}

interface KeyProps {
  view: View;
  apiKey: ApiKey;
}

type StatusProps = KeyProps & { isReplaced: boolean };

function Kind({ view, apiKey: key }: KeyProps) {
  const t = messages(view);
  const isIntegration = key.scopes.includes('external_orders.submit');
  return (
    <>
      <span title={key.scopes.join(', ')}>{isIntegration ? t.integration : t.api}</span>
      {key.scopes.length > 0 && <small>{key.scopes.map((scope) => t.scopeNames[scope]).join(', ')}</small>}
      {isIntegration && key.revokedAt === null && <EventsSwitch view={view} apiKey={key} />}
      {key.callback && <small>{t.callbackTo(new URL(key.callback.url).host)}</small>}
    </>
  );
}

function Status({ view, apiKey: key, isReplaced }: StatusProps) {
  const t = messages(view);
  const format = isReplaced ? formatTime : formatDate;
  return (
    <>
      <KeyChip view={view} apiKey={key} isReplaced={isReplaced} />
      <small>
        {t.created} {formatDate(view.language, key.createdAt)}
      </small>
      {key.expiresAt !== null && (
        <small>
          {t.expires} {format(view.language, key.expiresAt)}
        </small>
      )}
    </>
  );
}

function Actions({ view, apiKey: key, isReplaced }: StatusProps) {
  const t = messages(view);
  const path = `${KEYS}/${key.id}`;
  return (
    <>
      {isActiveKey(key, view.now) && !isReplaced && (
        <>
          <a href={`${path}/rotate`}>{labelFor(t.rotate, key.name)}</a>{' '}
        </>
      )}
      {isActiveKey(key, view.now) && key.scopes.includes('external_orders.submit') && (
        <>
          <a href={callbackPathOf(key.id)}>{labelFor(t.callback, key.name)}</a>{' '}
        </>
      )}
      {key.revokedAt === null && (
        <a href={`${path}/revoke`}>{labelFor(sharedMessages(view).common.revoke, key.name)}</a>
      )}
    </>
  );
}

function EventsSwitch({ view, apiKey: key }: KeyProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const isOn = key.sendsSubmittedEvents;
  return (
    <Form view={view} action={`${KEYS}/${key.id}/submitted-events`}>
      <small>
        {isOn ? t.eventsOn : t.eventsOff}{' '}
        <button class="plain" type="submit" name="on" value={isOn ? 'no' : 'yes'} title={t.eventsOf(key.name)}>
          {isOn ? common.turnOff : common.turnOn}
        </button>
      </small>
    </Form>
  );
}

function KeyChip({ view, apiKey: key, isReplaced }: StatusProps) {
  const t = messages(view);
  if (key.revokedAt !== null) return <Chip tone="off">{t.revoked}</Chip>;
  if (key.expiresAt !== null && key.expiresAt <= view.now) return <Chip tone="bad">{t.expired}</Chip>;
  if (isReplaced) return <Chip tone="wait">{t.replaced}</Chip>;
  return <Chip tone="good">{sharedMessages(view).common.active}</Chip>;
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
