import type { ApiKey } from '../../auth/keys/service';
import { SCOPES, type Scope } from '../../platform/access';
import { KEYS } from '../http/paths';
import { Check, Checks } from '../ui/checkboxes';
import { Choice, FaultSummary, Field, Form, ShownBefore, ShownOnce } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { formatDate, formatTime } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';
import { ExpiryField } from './expiry';

export const API_SCOPES = SCOPES.filter((scope) => scope !== 'external_orders.submit');

export interface KeysState {
  name?: string;
  kind?: string;
  /** A date, empty for never. */
  expiresAt?: string;
  scopes?: Scope[];
  faults?: Faults;
  /** The key that was just made. */
  made?: MadeKey | 'gone';
}

export interface MadeKey {
  name: string;
  key: string;
  /** Of a rotation: until when the key before is valid, null for not at all any more. */
  previousUntil?: number | null;
}

/** What of a key may be seen for ever. */
export function keyLabel({ id }: ApiKey): string {
  return `ofz_${id}…`;
}

export function isActive({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

export function KeysPage({ view, keys, state }: { view: View; keys: ApiKey[]; state: KeysState }) {
  const words = view.words.keys;
  const { faults = {}, made } = state;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && (
        <section class="panel wide">
          <ShownOnce view={view} id="new-key" label={words.madeTitle(made.name)} value={made.key} />
          <Rotated view={view} until={made.previousUntil} />
        </section>
      )}
      <p class="quiet">{words.lead}</p>
      <div class="two-columns">
        {keys.length === 0 ? <p>{words.empty}</p> : <KeyTable view={view} keys={keys} />}
        <aside>
          <section class="panel">
            <h2>{words.createTitle}</h2>
            <KeyForm view={view} state={state} />
          </section>
        </aside>
      </div>
    </Page>
  );
}

function Rotated({ view, until }: { view: View; until: MadeKey['previousUntil'] }) {
  const words = view.words.keys;
  if (until === undefined) return null;
  return <p>{until === null ? words.rotatedAtOnce : words.rotatedUntil(formatTime(view.language, until))}</p>;
}

function KeyTable({ view, keys }: { view: View; keys: ApiKey[] }) {
  const words = view.words.keys;
  return (
    <table class="cards">
      <Heads columns={[words.name, words.kind, words.status, words.lastUsed]} actions={words.actions} />
      <tbody>
        {keys.map((key) => (
          <KeyRow view={view} apiKey={key} isReplaced={keys.some((other) => isNewer(other, key, view.now))} />
        ))}
      </tbody>
    </table>
  );
}

/** An active key took this one's place. */
function isNewer(other: ApiKey, key: ApiKey, now: number): boolean {
  return other.familyId === key.familyId && other.createdAt > key.createdAt && isActive(other, now);
}

interface KeyProps {
  view: View;
  apiKey: ApiKey;
  isReplaced: boolean;
}

function KeyRow({ view, apiKey: key, isReplaced }: KeyProps) {
  const { keys: words, scopes } = view.words;
  const isIntegration = key.scopes.includes('external_orders.submit');
  const isRevoked = key.revokedAt !== null;
  const canRotate = isActive(key, view.now) && !isReplaced;
  return (
    <tr>
      <td>
        <strong>{key.name}</strong>
        <small>
          <code>{keyLabel(key)}</code>
        </small>
      </td>
      <td data-label={words.kind}>
        <span title={key.scopes.join(', ')}>{isIntegration ? words.integration : words.api}</span>
        {key.scopes.length > 0 && <small>{key.scopes.map((scope) => scopes[scope]).join(', ')}</small>}
        {isIntegration && !isRevoked && <EventsSwitch view={view} apiKey={key} />}
      </td>
      <td data-label={words.status} class="day">
        <KeyChip view={view} apiKey={key} isReplaced={isReplaced} />
        <small>
          {words.created} {formatDate(view.language, key.createdAt)}
        </small>
        {key.expiresAt !== null && (
          <small>
            {words.expires}{' '}
            {isReplaced ? formatTime(view.language, key.expiresAt) : formatDate(view.language, key.expiresAt)}
          </small>
        )}
      </td>
      <td data-label={words.lastUsed} class="day">
        {key.lastUsedAt === null ? words.unused : <Time view={view} at={key.lastUsedAt} />}
      </td>
      <td class="actions">
        {canRotate && (
          <>
            <a href={`${KEYS}/${key.id}/rotate`}>
              {words.rotate}
              <span class="unseen">: {key.name}</span>
            </a>{' '}
          </>
        )}
        {!isRevoked && (
          <a href={`${KEYS}/${key.id}/revoke`}>
            {words.revoke}
            <span class="unseen">: {key.name}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

function EventsSwitch({ view, apiKey: key }: { view: View; apiKey: ApiKey }) {
  const words = view.words.keys;
  const isOn = key.sendsSubmittedEvents;
  return (
    <Form view={view} action={`${KEYS}/${key.id}/submitted-events`}>
      <small>
        {isOn ? words.eventsOn : words.eventsOff}{' '}
        <button class="plain" type="submit" name="on" value={isOn ? 'no' : 'yes'} title={words.eventsOf(key.name)}>
          {isOn ? words.turnOff : words.turnOn}
        </button>
      </small>
    </Form>
  );
}

function KeyChip({ view, apiKey: key, isReplaced }: KeyProps) {
  const words = view.words.keys;
  if (key.revokedAt !== null) return <Chip tone="quiet">{words.revoked}</Chip>;
  if (key.expiresAt !== null && key.expiresAt <= view.now) return <Chip tone="bad">{words.expired}</Chip>;
  if (isReplaced) return <Chip tone="wait">{words.replaced}</Chip>;
  return <Chip tone="good">{words.active}</Chip>;
}

function KeyForm({ view, state }: { view: View; state: KeysState }) {
  const { keys: words, scopes } = view.words;
  const { faults = {}, kind = 'integration' } = state;
  const kinds = [
    { value: 'integration', label: words.integration, hint: words.integrationHint },
    { value: 'api', label: words.api, hint: words.apiHint },
  ];
  return (
    <Form view={view} action={KEYS} class="key-form" once>
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        value={state.name}
        faults={faults}
        autocomplete="off"
      />
      <Choice name="kind" label={words.kind} options={kinds} value={kind} faults={faults} />
      <Checks name="scopes" label={words.scopes} class="api-only" fault={faults.scopes}>
        {API_SCOPES.map((scope) => (
          <Check name={scope} label={scopes[scope]} hint={scope} isOn={state.scopes?.includes(scope) ?? false} />
        ))}
      </Checks>
      <ExpiryField view={view} value={state.expiresAt} faults={faults} />
      <button class="primary" type="submit">
        {words.create}
      </button>
    </Form>
  );
}
