import type { ApiKey } from '../auth/service';
import { SCOPES, type Scope } from '../platform/access';
import { Check, Checks } from './checks';
import { Choice, FaultSummary, Field, Form, ShownOnce } from './fields';
import { formatDate } from './format';
import type { Faults } from './forms';
import { Chip, Page, Time } from './layout';
import type { View } from './view';

export const KEYS = '/manage/settings/keys';
export const API_SCOPES = SCOPES.filter((scope) => scope !== 'external_orders.submit');
/** 0 stands for no end. */
export const EXPIRY_DAYS = [0, 90, 365] as const;

export interface KeysState {
  name?: string;
  kind?: string;
  expiry?: string;
  scopes?: Scope[];
  faults?: Faults;
  /** The key that was just made. */
  made?: { name: string; key: string };
}

/** What of a key may be seen for ever. */
export function keyLabel({ id }: ApiKey): string {
  return `ofz_${id}…`;
}

export function KeysPage({ view, keys, state }: { view: View; keys: ApiKey[]; state: KeysState }) {
  const words = view.words.keys;
  const { faults = {}, made } = state;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      {made && (
        <section class="panel wide">
          <ShownOnce view={view} id="new-key" label={words.madeTitle(made.name)} value={made.key} />
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

function KeyTable({ view, keys }: { view: View; keys: ApiKey[] }) {
  const words = view.words.keys;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.kind}</th>
          <th scope="col">{words.created}</th>
          <th scope="col">{words.expires}</th>
          <th scope="col">{words.lastUsed}</th>
          <th scope="col">{words.status}</th>
          <th scope="col">
            <span class="unseen">{words.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow view={view} apiKey={key} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ view, apiKey: key }: { view: View; apiKey: ApiKey }) {
  const { keys: words, scopes } = view.words;
  const isIntegration = key.scopes.includes('external_orders.submit');
  const isRevoked = key.revokedAt !== null;
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
      <td data-label={words.created} class="day">
        {formatDate(view.language, key.createdAt)}
      </td>
      <td data-label={words.expires} class="day">
        {key.expiresAt === null ? words.never : formatDate(view.language, key.expiresAt)}
      </td>
      <td data-label={words.lastUsed}>
        {key.lastUsedAt === null ? words.unused : <Time view={view} at={key.lastUsedAt} />}
      </td>
      <td data-label={words.status}>
        <KeyChip view={view} apiKey={key} />
      </td>
      <td class="actions">
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

function KeyChip({ view, apiKey: key }: { view: View; apiKey: ApiKey }) {
  const words = view.words.keys;
  if (key.revokedAt !== null) return <Chip tone="quiet">{words.revoked}</Chip>;
  if (key.expiresAt !== null && key.expiresAt <= view.now) return <Chip tone="bad">{words.expired}</Chip>;
  return <Chip tone="good">{words.active}</Chip>;
}

function KeyForm({ view, state }: { view: View; state: KeysState }) {
  const { keys: words, scopes } = view.words;
  const { faults = {}, kind = 'integration', expiry = '0' } = state;
  const kinds = [
    { value: 'integration', label: words.integration, hint: words.integrationHint },
    { value: 'api', label: words.api, hint: words.apiHint },
  ];
  const expiries = EXPIRY_DAYS.map((days) => ({
    value: String(days),
    label: days === 0 ? words.never : words.expiryDays(days),
  }));
  return (
    <Form view={view} action={KEYS} class="key-form">
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
      <Choice name="expiry" label={words.expires} options={expiries} value={expiry} faults={faults} />
      <button class="primary" type="submit">
        {words.create}
      </button>
    </Form>
  );
}
