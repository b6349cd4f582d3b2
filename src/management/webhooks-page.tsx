import { EVENT_TYPES, EVENTS, type EventType, SUBSCRIPTIONS_MAX, type Subscription } from '../webhooks/service';
import { Check, Checks } from './checks';
import { FaultSummary, Field, Form, ShownOnce } from './fields';
import type { Faults } from './forms';
import { Chip, Page } from './layout';
import type { View } from './view';

export const WEBHOOKS = '/manage/settings/webhooks';

const GROUPS = [...new Set(EVENT_TYPES.map((type) => EVENTS[type].group))];
const TONES = { active: 'good', holding: 'wait', paused: 'wait', disabled: 'bad' } as const;

export interface WebhooksState {
  url?: string;
  eventTypes?: EventType[];
  faults?: Faults;
  /** The subscription that was just made. */
  made?: { url: string; secret: string };
}

export function hostOfUrl(url: string): string {
  return new URL(url).host;
}

interface WebhooksProps {
  view: View;
  subscriptions: Subscription[];
  state: WebhooksState;
}

export function WebhooksPage({ view, subscriptions, state }: WebhooksProps) {
  const words = view.words.webhooks;
  const { faults = {}, made } = state;
  const isFull = subscriptions.length >= SUBSCRIPTIONS_MAX;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      {made && (
        <section class="panel wide">
          <ShownOnce view={view} id="new-secret" label={words.secretTitle(hostOfUrl(made.url))} value={made.secret} />
          <p class="quiet">{words.secretHint}</p>
        </section>
      )}
      <p class="quiet">{words.lead}</p>
      <p>{words.used(subscriptions.length, SUBSCRIPTIONS_MAX)}</p>
      <div class="two-columns">
        {subscriptions.length === 0 ? <p>{words.empty}</p> : <SubscriptionTable {...{ view, subscriptions }} />}
        <aside>
          <section class="panel">
            <h2>{words.createTitle}</h2>
            {isFull ? <p id="url">{words.full(SUBSCRIPTIONS_MAX)}</p> : <SubscriptionForm {...{ view, state }} />}
          </section>
        </aside>
      </div>
    </Page>
  );
}

function SubscriptionTable({ view, subscriptions }: { view: View; subscriptions: Subscription[] }) {
  const words = view.words.webhooks;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.url}</th>
          <th scope="col">{words.eventTypes}</th>
          <th scope="col">{words.status}</th>
          <th scope="col">
            <span class="unseen">{words.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {subscriptions.map((subscription) => (
          <SubscriptionRow view={view} subscription={subscription} />
        ))}
      </tbody>
    </table>
  );
}

function SubscriptionRow({ view, subscription }: { view: View; subscription: Subscription }) {
  const { webhooks: words, eventTypes } = view.words;
  const { id, url, status } = subscription;
  const isActive = status === 'active';
  return (
    <tr>
      <td>
        <a href={`${WEBHOOKS}/${id}`}>{url}</a>
      </td>
      <td data-label={words.eventTypes}>
        <span title={subscription.eventTypes.map((type) => eventTypes[type]).join(', ')}>
          {words.eventCount(subscription.eventTypes.length)}
        </span>
      </td>
      <td data-label={words.status}>
        <StatusChip view={view} status={status} />
        {status === 'paused' && <small>{words.pausedLead}</small>}
      </td>
      <td class="actions">
        <Form view={view} action={`${WEBHOOKS}/${id}/${isActive ? 'pause' : 'resume'}`}>
          <button class="plain" type="submit">
            {isActive ? words.pause : words.resume}
            <span class="unseen">: {url}</span>
          </button>
        </Form>
        <a href={`${WEBHOOKS}/${id}/delete`}>
          {words.delete}
          <span class="unseen">: {url}</span>
        </a>
      </td>
    </tr>
  );
}

export function StatusChip({ view, status }: { view: View; status: Subscription['status'] }) {
  return <Chip tone={TONES[status]}>{view.words.webhooks.statuses[status]}</Chip>;
}

function SubscriptionForm({ view, state }: { view: View; state: WebhooksState }) {
  const { webhooks: words, eventGroups, eventTypes } = view.words;
  const { faults = {}, eventTypes: chosen = [] } = state;
  return (
    <Form view={view} action={WEBHOOKS}>
      <Field name="url" label={words.url} hint={words.urlHint} value={state.url} faults={faults} autocomplete="off" />
      <Checks name="event_types" label={words.eventTypes} fault={faults.event_types}>
        {GROUPS.map((group) => (
          <Checks name={`group-${GROUPS.indexOf(group)}`} label={eventGroups[group]}>
            {EVENT_TYPES.filter((type) => EVENTS[type].group === group).map((type) => (
              <Check name={type} label={eventTypes[type]} hint={type} isOn={chosen.includes(type)} />
            ))}
          </Checks>
        ))}
      </Checks>
      <button class="primary" type="submit">
        {words.create}
      </button>
    </Form>
  );
}
