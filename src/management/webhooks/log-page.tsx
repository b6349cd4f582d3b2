import { ATTEMPTS_MAX } from '../../platform/retry';
import { EVENT_TYPES, type EventType, type LoggedDelivery, type listDeliveries } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { FaultSummary, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { Page, Time } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';
import { isFiltered, type LogChoice, LogFilterForm, queryOf } from './log-filter';
import { DeliveryChip, hostOfUrl, resultOf, StatusChip } from './parts';
import { Overlap } from './settings-page';

const REFRESH_SECONDS = 5;

type Log = Awaited<ReturnType<typeof listDeliveries>>;

interface LogProps extends Log {
  view: View;
  choice: LogChoice;
  isFirst: boolean;
  /** The type that the test form offers, when it is not the first one subscribed. */
  testType?: EventType;
  faults?: Faults;
}

/** One subscription: what can be done with it, a test event, and all that was delivered. */
export function LogPage(props: LogProps) {
  const { view, subscription, deliveries, choice, isFirst, nextBefore, progress, testType, faults = {} } = props;
  const words = view.words.deliveries;
  const path = `${WEBHOOKS}/${subscription.id}`;
  const isAll = isFirst && !isFiltered(choice);
  const empty = isAll ? words.empty : nextBefore ? words.emptyWindow : words.emptyFilter;
  return (
    <Page view={view} title={words.of(hostOfUrl(subscription.url))}>
      <FaultSummary view={view} faults={faults} />
      <Head view={view} subscription={subscription} />
      <TestForm {...{ view, subscription, faults }} chosen={testType} />
      {progress && <Progress view={view} progress={progress} />}
      <h2>{words.title}</h2>
      <LogFilterForm view={view} path={path} choice={choice} />
      {deliveries.length === 0 ? <p>{empty}</p> : <LogTable view={view} deliveries={deliveries} />}
      <p class="pager">
        {!isFirst && <a href={path + queryOf(choice)}>{words.newest}</a>}
        {nextBefore && <a href={path + queryOf(choice, { before: nextBefore })}>{words.older}</a>}
        <a href={`${path}/redeliver`}>{words.bulk.link}</a>
      </p>
    </Page>
  );
}

function Head({ view, subscription }: { view: View; subscription: Log['subscription'] }) {
  const { webhooks: words, eventTypes } = view.words;
  const { id, url, status, holdReason } = subscription;
  const path = `${WEBHOOKS}/${id}`;
  return (
    <>
      <p class="facts">
        <code>{url}</code> <StatusChip view={view} status={status} />
        <span title={subscription.eventTypes.map((type) => eventTypes[type]).join(', ')}>
          {words.eventCount(subscription.eventTypes.length)}
        </span>
        <a href={`${path}/edit`}>{words.edit}</a>
        <a href={`${path}/secret`}>{words.rotate}</a>
      </p>
      {holdReason && <p id="hold-reason">{words.holdReasons[holdReason]}</p>}
      <Overlap view={view} subscription={subscription} />
    </>
  );
}

interface TestProps {
  view: View;
  subscription: Log['subscription'];
  chosen?: EventType;
  faults: Faults;
}

function TestForm({ view, subscription, chosen, faults }: TestProps) {
  const { deliveries: words, eventTypes } = view.words;
  const subscribed = subscription.eventTypes;
  const others = EVENT_TYPES.filter((type) => !subscribed.includes(type));
  const option = (type: EventType) => (
    <option value={type} selected={type === chosen}>
      {eventTypes[type]} ({type})
    </option>
  );
  const fault = faults.event_type;
  return (
    <section class="panel wide">
      <h2>{words.test.title}</h2>
      <p class="hint" id="test-hint">
        {words.test.lead}
      </p>
      <Form view={view} action={`${WEBHOOKS}/${subscription.id}/test`} class="inline" once>
        {fault && (
          <p class="fault" id="event_type-fault">
            {fault}
          </p>
        )}
        <select
          id="event_type"
          name="event_type"
          aria-label={words.event}
          aria-describedby={fault ? 'event_type-fault test-hint' : 'test-hint'}
          aria-invalid={fault ? 'true' : undefined}
        >
          <optgroup label={words.test.subscribed}>{subscribed.map(option)}</optgroup>
          {others.length > 0 && <optgroup label={words.test.others}>{others.map(option)}</optgroup>}
        </select>
        <button class="primary" type="submit">
          {words.test.send}
        </button>
      </Form>
    </section>
  );
}

/** How far the last bulk redelivery has come; looks again by itself while something waits. */
function Progress({ view, progress }: { view: View; progress: NonNullable<Log['progress']> }) {
  const words = view.words.deliveries.bulk;
  const { total, delivered, waiting, failed, startedAt } = progress;
  return (
    <section
      class="panel wide"
      id="bulk-progress"
      data-refresh-seconds={waiting > 0 ? REFRESH_SECONDS : undefined}
      aria-labelledby="bulk-title"
    >
      <h2 id="bulk-title">{words.progressTitle}</h2>
      <p class="facts">
        <progress value={total - waiting} max={total} aria-labelledby="bulk-title" />
        <strong>{words.progress(delivered, total)}</strong>
        {waiting > 0 && <span>{words.waiting(waiting)}</span>}
        {failed > 0 && <span>{words.failed(failed)}</span>}
        <Time view={view} at={startedAt} />
        {waiting > 0 && <a href={view.path}>{words.reload}</a>}
      </p>
    </section>
  );
}

function LogTable({ view, deliveries }: { view: View; deliveries: LoggedDelivery[] }) {
  const words = view.words.deliveries;
  return (
    <table class="cards">
      <Heads columns={[words.time, words.event, words.status, words.result]} />
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
  const { id, attemptCount, durationMs, trigger } = delivery;
  const most = trigger === 'test' ? 1 : ATTEMPTS_MAX;
  return (
    <tr>
      <td data-label={words.time}>
        <a href={`${WEBHOOKS}/${delivery.subscriptionId}/deliveries/${id}`}>
          <Time view={view} at={delivery.createdAt} />
        </a>
        {trigger !== 'event' && <small>{words.triggers[trigger]}</small>}
      </td>
      <td data-label={words.event}>
        {eventTypes[delivery.eventType]} <code class="quiet">{delivery.eventType}</code>
        <small>
          {words.id} <code>{id}</code>
        </small>
      </td>
      <td data-label={words.status}>
        <DeliveryChip view={view} status={delivery.status} />
        <Next view={view} delivery={delivery} />
      </td>
      <td data-label={words.result}>
        {resultOf(view, delivery)}
        {attemptCount > 0 && (
          <small>
            {words.attemptOf(attemptCount, most)}
            {durationMs !== null && ` · ${durationMs} ms`}
          </small>
        )}
      </td>
    </tr>
  );
}

function Next({ view, delivery }: { view: View; delivery: LoggedDelivery }) {
  const words = view.words.deliveries;
  if (delivery.status !== 'pending') return null;
  const isDue = delivery.nextAttemptAt <= view.now;
  return (
    <small>
      {words.next}: {isDue ? words.soon : <Time view={view} at={delivery.nextAttemptAt} />}
    </small>
  );
}
