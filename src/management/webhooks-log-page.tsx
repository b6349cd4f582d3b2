import { DELIVERY_FILTERS, type DeliveryFilter, type LoggedDelivery, type Subscription } from '../webhooks/service';
import { Chip, Page, Time } from './layout';
import type { View } from './view';
import { StatusChip, WEBHOOKS } from './webhooks-page';

const ATTEMPTS_MAX = 3;
const TONES = {
  pending: 'wait',
  delivering: 'wait',
  succeeded: 'good',
  exhausted: 'bad',
  held: 'wait',
  cancelled: 'quiet',
} as const;

export function filterOf(text: string | undefined): DeliveryFilter {
  return DELIVERY_FILTERS.find((filter) => filter === text) ?? 'all';
}

interface LogProps {
  view: View;
  subscription: Subscription;
  deliveries: LoggedDelivery[];
  filter: DeliveryFilter;
  isFirst: boolean;
  nextBefore?: string;
}

export function LogPage({ view, subscription, deliveries, filter, isFirst, nextBefore }: LogProps) {
  const words = view.words.deliveries;
  const path = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={words.title}>
      <p>
        <code>{subscription.url}</code> <StatusChip view={view} status={subscription.status} />
      </p>
      <p class="inline">
        {DELIVERY_FILTERS.map((each) => (
          <a href={`${path}?filter=${each}`} aria-current={each === filter ? 'true' : undefined} class="button">
            {words.filters[each]}
          </a>
        ))}
      </p>
      {deliveries.length === 0 ? (
        <p>{filter === 'all' && isFirst ? words.empty : words.emptyFilter}</p>
      ) : (
        <LogTable view={view} deliveries={deliveries} />
      )}
      <p class="inline">
        {!isFirst && <a href={`${path}?filter=${filter}`}>{words.newest}</a>}
        {nextBefore && <a href={`${path}?filter=${filter}&before=${nextBefore}`}>{words.older}</a>}
      </p>
    </Page>
  );
}

function LogTable({ view, deliveries }: { view: View; deliveries: LoggedDelivery[] }) {
  const words = view.words.deliveries;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.event}</th>
          <th scope="col">{words.id}</th>
          <th scope="col">{words.status}</th>
          <th scope="col">{words.attempts}</th>
          <th scope="col">{words.result}</th>
          <th scope="col" class="number">
            {words.duration}
          </th>
          <th scope="col">{words.next}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <LogRow view={view} delivery={delivery} />
        ))}
      </tbody>
    </table>
  );
}

function LogRow({ view, delivery }: { view: View; delivery: LoggedDelivery }) {
  const { deliveries: words, eventTypes } = view.words;
  const isWaiting = delivery.status === 'pending';
  return (
    <tr>
      <td data-label={words.time}>
        <Time view={view} at={delivery.createdAt} />
      </td>
      <td data-label={words.event}>
        {eventTypes[delivery.eventType]}
        <small>{delivery.eventType}</small>
      </td>
      <td data-label={words.id}>
        <a href={`${WEBHOOKS}/${delivery.subscriptionId}/deliveries/${delivery.id}`}>
          <code>{delivery.id}</code>
        </a>
        {delivery.trigger !== 'event' && <small>{words.triggers[delivery.trigger]}</small>}
      </td>
      <td data-label={words.status}>
        <DeliveryChip view={view} status={delivery.status} />
      </td>
      <td data-label={words.attempts}>
        {delivery.attemptCount}/{ATTEMPTS_MAX}
      </td>
      <td data-label={words.result}>{resultOf(view, delivery)}</td>
      <td data-label={words.duration} class="number">
        {delivery.durationMs === null ? '' : `${delivery.durationMs} ms`}
      </td>
      <td data-label={words.next}>
        {isWaiting &&
          (delivery.nextAttemptAt <= view.now ? words.soon : <Time view={view} at={delivery.nextAttemptAt} />)}
      </td>
    </tr>
  );
}

export function DeliveryChip({ view, status }: { view: View; status: LoggedDelivery['status'] }) {
  return <Chip tone={TONES[status]}>{view.words.deliveries.statuses[status]}</Chip>;
}

/** How an attempt ended: the answer's status, and in words what was wrong with it. */
export function resultOf(view: View, attempt: Pick<LoggedDelivery, 'httpStatus' | 'failureClass'>): string {
  const { failures } = view.words.deliveries;
  return [attempt.httpStatus && `HTTP ${attempt.httpStatus}`, attempt.failureClass && failures[attempt.failureClass]]
    .filter(Boolean)
    .join(' · ');
}
