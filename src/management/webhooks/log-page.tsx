import { ATTEMPTS_MAX } from '../../platform/limits';
import { localTime } from '../../platform/pharmacy-time';
import { DAY_MS, HOUR_MS } from '../../platform/time';
import { EVENT_TYPES, type EventType } from '../../webhooks/event-types';
import {
  type Health,
  type LoggedDelivery,
  type readSubscription,
  type StatusChange,
  stopReasonOf,
} from '../../webhooks/log/log';
import { LOG_STATUSES, type LogFilter } from '../../webhooks/log/store';
import type { Subscription } from '../../webhooks/subscriptions/subscriptions';
import { FAILURE_CLASSES } from '../../webhooks/tables';
import { WEBHOOKS } from '../http/paths';
import { LOG_REFRESH_SECONDS } from '../limits';
import { controlOf, Fault, Form, FormButton, Select, Submit } from '../ui/fields';
import { FilterToggle } from '../ui/filters';
import { dayHeading, formatMoment } from '../ui/format';
import { Page, Second, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, Notice } from '../ui/parts';
import { Bench, Table } from '../ui/table';
import { type FieldErrors, useView } from '../ui/view';
import { type ListedCallback, Overlap } from './list-page';
import { type Messages, messages } from './messages';
import {
  countedText,
  DeliveryChip,
  durationText,
  HealthPanel,
  History,
  hostOfUrl,
  resultOf,
  StatusChip,
} from './parts';

type Log = Awaited<ReturnType<typeof readSubscription>>;

interface LogProps extends Log {
  choice: LogChoice;
  isFirst: boolean;
  /** The callback, if the subscription is the callback of an integration. */
  callback?: ListedCallback;
  /** The event type selected in the test form; the first subscribed one by default. */
  testType?: EventType;
  fieldErrors?: FieldErrors;
}

/** One subscription: its actions, a test event and its deliveries. */
export function LogPage(props: LogProps) {
  const { subscription, health, history, deliveries, choice, isFirst, nextBefore, progress, testType, callback } =
    props;
  const { fieldErrors = {} } = props;
  const { deliveries: t, subscriptions, callbacks } = messages();
  const [latest] = changesOfStatus(history);
  const path = `${WEBHOOKS}/${subscription.id}`;
  const isAll = isFirst && !isFiltered(choice);
  const empty = isAll ? t.empty : nextBefore ? t.emptyWindow : t.emptyFilter;
  return (
    <Page
      title={callback ? callbacks.of(callback.keyName) : hostOfUrl(subscription.url)}
      fieldErrors={fieldErrors}
      back={{ path: WEBHOOKS, label: sharedMessages().nav.webhooks }}
      lead={
        <span class="with">
          <StatusChip status={subscription.status} isFilled />
          {latest && subscriptions.since(formatMoment(latest.at))}
        </span>
      }
      acts={
        <>
          {subscription.status === 'active' && <FormButton action={`${path}/pause`} label={subscriptions.pause} />}
          <ButtonLink path={`${path}/edit`} icon="pencil" label={subscriptions.edit} />
          <TestForm subscription={subscription} chosen={testType} fault={fieldErrors.event_type} />
        </>
      }
    >
      <Head subscription={subscription} />
      <StopNote {...{ subscription, health, history }} />
      {progress && <Progress progress={progress} />}
      <HealthPanel {...{ subscription, health }} />
      <Bench>
        <h2>{t.title}</h2>
        <LogFilterForm path={path} choice={choice} />
      </Bench>
      {deliveries.length === 0 ? <p>{empty}</p> : <LogTable deliveries={deliveries} />}
      <p class="pager">
        {!isFirst && <a href={path + queryOf(choice)}>{t.newest}</a>}
        {nextBefore && <a href={path + queryOf(choice, { before: nextBefore })}>{sharedMessages().common.older}</a>}
        <a href={`${path}/redeliver`}>{t.bulk.link}</a>
      </p>
      <History of={subscription} history={history} />
      <p>
        <a href={`${path}/delete`}>{subscriptions.delete}</a>
      </p>
    </Page>
  );
}

function Head({ subscription }: Pick<Log, 'subscription'>) {
  const t = messages();
  const { id, url, shopIds, sources } = subscription;
  return (
    <>
      <p class="facts">
        <code>{url}</code>
        <span title={subscription.eventTypes.map((type) => t.eventTypes[type]).join(', ')}>
          {t.subscriptions.eventCount(subscription.eventTypes.length)}
        </span>
        {shopIds && <span>{t.subscriptions.shopCount(shopIds.length)}</span>}
        {sources && <span>{t.subscriptions.sourcesOnly(sources.join(', '))}</span>}
        <a href={`${WEBHOOKS}/${id}/secret`}>{t.subscriptions.rotate}</a>
      </p>
      <Overlap subscription={subscription} />
    </>
  );
}

/** The progress of the last recovery. It refreshes while the search for events runs or deliveries wait. */
function Progress({ progress }: { progress: NonNullable<Log['progress']> }) {
  const { deliveries: t } = messages();
  const { total, delivered, waiting, failed, startedAt } = progress;
  const isUnderWay = progress.isUnderWay === 1;
  const isMoving = isUnderWay || waiting > 0;
  return (
    <section
      class="panel wide"
      id="bulk-progress"
      data-refresh-seconds={isMoving ? LOG_REFRESH_SECONDS : undefined}
      aria-labelledby="bulk-title"
    >
      <h2 id="bulk-title">{t.bulk.progressTitle}</h2>
      <p class="facts">
        <progress class="meter" value={total - waiting} max={Math.max(total, 1)} aria-labelledby="bulk-title" />
        <strong>{t.bulk.progress(delivered, total)}</strong>
        {waiting > 0 && <span>{t.bulk.waiting(waiting)}</span>}
        {failed > 0 && <span>{t.bulk.failed(failed)}</span>}
        {isUnderWay && <span>{t.bulk.underWay}</span>}
        <Time at={startedAt} />
        {isMoving && <a href={useView().path}>{t.bulk.reload}</a>}
      </p>
    </section>
  );
}

function LogTable({ deliveries }: { deliveries: LoggedDelivery[] }) {
  const { deliveries: t, eventTypes } = messages();
  const { common } = sharedMessages();
  return (
    <Table
      class="rows brief deliveries"
      rows={deliveries}
      groupOf={({ createdAt }) => dayHeading(createdAt)}
      columns={[
        { label: common.time, class: 'age', cell: ({ createdAt: at }) => <Second at={at} now={at} /> },
        {
          label: t.triggers.event,
          class: 'name',
          title: ({ id, eventType }) => `${eventType} · ${t.id} ${id}`,
          cell: ({ id, subscriptionId, eventType, trigger }) => (
            <a class="go" href={`${WEBHOOKS}/${subscriptionId}/deliveries/${id}`}>
              {eventTypes[eventType]}
              {trigger !== 'event' && ` · ${t.triggers[trigger]}`}
            </a>
          ),
        },
        {
          label: common.status,
          class: 'settle',
          cell: (delivery) => <DeliveryChip status={delivery.status} />,
        },
        { label: t.result, class: 'what', cell: (delivery) => <Result delivery={delivery} /> },
        {
          label: t.duration,
          kind: 'number',
          class: 'total',
          cell: ({ durationMs }) => durationMs !== null && durationText(durationMs),
        },
      ]}
    />
  );
}

/** The result of the latest attempt, the number of that attempt, and the time of the next attempt. */
function Result({ delivery }: { delivery: LoggedDelivery }) {
  const { deliveries: t } = messages();
  const { attemptCount, trigger, status, nextAttemptAt } = delivery;
  const most = trigger === 'test' ? 1 : ATTEMPTS_MAX;
  const isDue = nextAttemptAt <= useView().now;
  const next = isDue ? t.soon : formatMoment(nextAttemptAt);
  return (
    <>
      {resultOf(delivery)}
      {attemptCount > 0 && <span class="quiet">{` · ${t.attemptOf(attemptCount, most)}`}</span>}
      {status === 'pending' && <span class="quiet">{` · ${t.next}: ${next}`}</span>}
    </>
  );
}

const PERIODS = { all: 0, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
type Period = keyof typeof PERIODS;
const PERIOD_NAMES = Object.keys(PERIODS) as Period[];

/** Reads the filter of a log page from the query of its URL. Ignores unknown values. */
export function readChoice(query: Record<string, string>) {
  return {
    status: LOG_STATUSES.find((each) => each === query.status) ?? ('all' as const),
    type: EVENT_TYPES.find((each) => each === query.type),
    failure: FAILURE_CLASSES.find((each) => each === query.failure),
    period: PERIOD_NAMES.find((each) => each === query.period) ?? ('all' as const),
  };
}

type LogChoice = ReturnType<typeof readChoice>;

export function filterOf({ status, type, failure, period }: LogChoice, now: number): LogFilter {
  const since = period === 'all' ? undefined : now - PERIODS[period];
  return { status, eventTypes: type && [type], failureClass: failure, since };
}

function isFiltered(choice: LogChoice): boolean {
  return queryOf(choice) !== '';
}

/** The filter as a query string, followed by further parameters. */
function queryOf(choice: LogChoice, more: Record<string, string> = {}): string {
  const { status, period, type, failure } = choice;
  const chosen = {
    ...(status !== 'all' && { status }),
    ...(type && { type }),
    ...(failure && { failure }),
    ...(period !== 'all' && { period }),
  };
  const query = new URLSearchParams({ ...chosen, ...more });
  return query.size === 0 ? '' : `?${query}`;
}

/** The form of the filter, submitted by GET so that the URL contains it. */
function LogFilterForm({ path, choice }: { path: string; choice: LogChoice }) {
  const { common } = sharedMessages();
  const { deliveries: t, eventTypes } = messages();
  const optionsOf = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
    values.map((value) => ({ value, label: labels[value] }));
  const statuses = optionsOf(LOG_STATUSES, {
    ...t.statuses,
    all: t.allStatuses,
    failed: t.statuses.exhausted,
    waiting: t.statuses.pending,
  });
  const types = optionsOf(EVENT_TYPES, eventTypes);
  const failures = optionsOf(FAILURE_CLASSES, t.failures);
  const periods = optionsOf(PERIOD_NAMES, t.periods);
  return (
    <form method="get" action={path} class="filters">
      <FilterToggle isOn={isFiltered(choice)} />
      <Select name="status" label={common.status} options={statuses} value={choice.status} />
      <Select name="type" label={t.triggers.event} none={t.allEvents} options={types} value={choice.type} />
      <Select name="failure" label={t.failure} none={t.allFailures} options={failures} value={choice.failure} />
      <Select name="period" label={common.period} options={periods} value={choice.period} />
      <button type="submit">{common.show}</button>
      {isFiltered(choice) && <a href={path}>{t.reset}</a>}
    </form>
  );
}

interface TestProps {
  subscription: Pick<Subscription, 'id' | 'eventTypes'>;
  chosen?: EventType;
  fault?: string;
}

/** The form that sends a test event of a chosen type. */
export function TestForm({ subscription, chosen, fault }: TestProps) {
  const t = messages();
  const subscribed = subscription.eventTypes;
  const others = EVENT_TYPES.filter((type) => !subscribed.includes(type));
  const option = (type: EventType) => (
    <option value={type} selected={type === chosen}>
      {t.eventTypes[type]}
    </option>
  );
  return (
    <Form action={`${WEBHOOKS}/${subscription.id}/test`} class="inline" once>
      <Fault name="event_type" text={fault} />
      <select
        {...controlOf('event_type', fault)}
        aria-label={t.deliveries.triggers.event}
        title={t.deliveries.test.lead}
      >
        <optgroup label={t.deliveries.test.subscribed}>{subscribed.map(option)}</optgroup>
        {others.length > 0 && <optgroup label={t.deliveries.test.others}>{others.map(option)}</optgroup>}
      </select>
      <Submit>{t.deliveries.test.send}</Submit>
    </Form>
  );
}

interface Props {
  subscription: Subscription;
  /**
   * The subscription's health, which includes the number of waiting deliveries. Undefined on the page of a single
   * delivery.
   */
  health?: Health;
  history?: readonly StatusChange[];
}

/** Explains why nothing is posted: reason, waiting deliveries, time of the next probe, and the owner's options. */
export function StopNote({ subscription, health, history = [] }: Props) {
  const view = useView();
  const { subscriptions: t } = messages();
  const { id, status, nextProbeAt, waitUntil } = subscription;
  const waits = waitUntil !== null && waitUntil > view.now && t.waitsUntil(formatMoment(waitUntil));
  if (status === 'active') {
    return (
      <>
        {waits && <Notice tone="wait">{waits}</Notice>}
        <RecoverHint {...{ subscription, history }} />
      </>
    );
  }
  return (
    <Notice tone="wait" mark="held" class="stopped">
      <p>
        {[
          leadOf(t, subscription, history),
          waits,
          nextProbeAt !== null && t.nextProbe(formatMoment(nextProbeAt)),
          health && health.waiting > 0 && t.waitingNow(countedText(view, health.waiting)),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <FormButton action={`${WEBHOOKS}/${id}/resume`} label={t.resume} />
    </Notice>
  );
}

/**
 * Says that events from the time when the subscription was disabled have no deliveries yet. Shown only if the latest
 * change of status resumed a disabled subscription.
 */
function RecoverHint({ subscription, history = [] }: Omit<Props, 'health'>) {
  const [latest, before] = changesOfStatus(history);
  if (latest?.action !== 'subscription.resumed' || before?.action !== 'subscription.disabled') return null;
  return (
    <Notice tone="wait" mark="held">
      <p>
        {messages().subscriptions.recoverHint}{' '}
        <a href={`${WEBHOOKS}/${subscription.id}/redeliver?since=${localTime(before.at)}`}>
          {messages().deliveries.bulk.link}
        </a>
      </p>
    </Notice>
  );
}

function leadOf(t: Messages['subscriptions'], subscription: Subscription, history: readonly StatusChange[]): string {
  const reason = stopReasonOf(subscription, changesOfStatus(history)[0]);
  if (subscription.status === 'disabled') return t.disabledLead;
  if (reason === 'receiver_gone') return t.goneLead;
  return reason === null ? t.pausedLead : t.holdReasons[reason];
}

/** The history without changes of the URL. */
function changesOfStatus(history: readonly StatusChange[]): StatusChange[] {
  return history.filter(({ action }) => action !== 'subscription.updated');
}
