import { type ApiKey, isActiveKey } from '../../auth/keys/service';
import { SCOPES, type Scope } from '../../platform/access';
import { KEYS } from '../http/paths';
import { Checkbox, CheckboxGroup } from '../ui/checkboxes';
import { ErrorSummary, Field, Form, RadioGroup, ShownBefore, ShownOnce } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate, formatTime } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { TableHead } from '../ui/table';
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
export function keyLabel({ id }: ApiKey): string {
  return `ofz_${id}…`;
}

export function KeysPage({ view, keys, state }: { view: View; keys: ApiKey[]; state: KeysState }) {
  const t = messages(view);
  const { fieldErrors = {}, made } = state;
  return (
    <Page view={view} title={t.title}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && (
        <section class="panel wide">
          <ShownOnce view={view} id="new-key" label={t.madeTitle(made.name)} value={made.key} />
          <Rotated view={view} until={made.previousUntil} />
        </section>
      )}
      <p class="quiet">{t.lead}</p>
      <div class="two-columns">
        {keys.length === 0 ? <p>{t.empty}</p> : <KeyTable view={view} keys={keys} />}
        <aside>
          <section class="panel">
            <h2>{t.createTitle}</h2>
            <KeyForm view={view} state={state} />
          </section>
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
  return (
    <table class="cards">
      <TableHead columns={[t.name, t.kind, t.status, t.lastUsed]} actions={t.actions} />
      <tbody>
        {keys.map((key) => (
          <KeyRow view={view} apiKey={key} isReplaced={keys.some((other) => isNewer(other, key, view.now))} />
        ))}
      </tbody>
    </table>
  );
}

/** Whether an active key has replaced this one. */
function isNewer(other: ApiKey, key: ApiKey, now: number): boolean {
  return other.familyId === key.familyId && other.createdAt > key.createdAt && isActiveKey(other, now);
}

interface KeyProps {
  view: View;
  apiKey: ApiKey;
  isReplaced: boolean;
}

function KeyRow({ view, apiKey: key, isReplaced }: KeyProps) {
  const t = messages(view);
  const isIntegration = key.scopes.includes('external_orders.submit');
  const isRevoked = key.revokedAt !== null;
  const canRotate = isActiveKey(key, view.now) && !isReplaced;
  return (
    <tr>
      <td>
        <strong>{key.name}</strong>
        <small>
          <code>{keyLabel(key)}</code>
        </small>
      </td>
      <td data-label={t.kind}>
        <span title={key.scopes.join(', ')}>{isIntegration ? t.integration : t.api}</span>
        {key.scopes.length > 0 && <small>{key.scopes.map((scope) => t.scopeNames[scope]).join(', ')}</small>}
        {isIntegration && !isRevoked && <EventsSwitch view={view} apiKey={key} />}
      </td>
      <td data-label={t.status} class="day">
        <KeyChip view={view} apiKey={key} isReplaced={isReplaced} />
        <small>
          {t.created} {formatDate(view.language, key.createdAt)}
        </small>
        {key.expiresAt !== null && (
          <small>
            {t.expires}{' '}
            {isReplaced ? formatTime(view.language, key.expiresAt) : formatDate(view.language, key.expiresAt)}
          </small>
        )}
      </td>
      <td data-label={t.lastUsed} class="day">
        {key.lastUsedAt === null ? t.unused : <Time view={view} at={key.lastUsedAt} />}
      </td>
      <td class="actions">
        {canRotate && (
          <>
            <a href={`${KEYS}/${key.id}/rotate`}>
              {t.rotate}
              <span class="unseen">: {key.name}</span>
            </a>{' '}
          </>
        )}
        {!isRevoked && (
          <a href={`${KEYS}/${key.id}/revoke`}>
            {t.revoke}
            <span class="unseen">: {key.name}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

function EventsSwitch({ view, apiKey: key }: { view: View; apiKey: ApiKey }) {
  const t = messages(view);
  const isOn = key.sendsSubmittedEvents;
  return (
    <Form view={view} action={`${KEYS}/${key.id}/submitted-events`}>
      <small>
        {isOn ? t.eventsOn : t.eventsOff}{' '}
        <button class="plain" type="submit" name="on" value={isOn ? 'no' : 'yes'} title={t.eventsOf(key.name)}>
          {isOn ? t.turnOff : t.turnOn}
        </button>
      </small>
    </Form>
  );
}

function KeyChip({ view, apiKey: key, isReplaced }: KeyProps) {
  const t = messages(view);
  if (key.revokedAt !== null) return <Chip tone="quiet">{t.revoked}</Chip>;
  if (key.expiresAt !== null && key.expiresAt <= view.now) return <Chip tone="bad">{t.expired}</Chip>;
  if (isReplaced) return <Chip tone="wait">{t.replaced}</Chip>;
  return <Chip tone="good">{t.active}</Chip>;
}

function KeyForm({ view, state }: { view: View; state: KeysState }) {
  const t = messages(view);
  const { fieldErrors = {}, kind = 'integration' } = state;
  const kinds = [
    { value: 'integration', label: t.integration, hint: t.integrationHint },
    { value: 'api', label: t.api, hint: t.apiHint },
  ];
  return (
    <Form view={view} action={KEYS} class="key-form" once>
      <Field
        name="name"
        label={t.name}
        hint={t.nameHint}
        value={state.name}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <RadioGroup name="kind" label={t.kind} options={kinds} value={kind} fieldErrors={fieldErrors} />
      <CheckboxGroup name="scopes" label={t.scopes} class="api-only" fault={fieldErrors.scopes}>
        {API_SCOPES.map((scope) => (
          <Checkbox
            name={scope}
            label={t.scopeNames[scope]}
            hint={scope}
            isOn={state.scopes?.includes(scope) ?? false}
          />
        ))}
      </CheckboxGroup>
      <ExpiryField view={view} value={state.expiresAt} fieldErrors={fieldErrors} />
      <button class="primary" type="submit">
        {t.create}
      </button>
    </Form>
  );
}
