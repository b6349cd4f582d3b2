import { ATTEMPTS_MAX } from '../../platform/queue/retry';
import type { EventType, LoggedDelivery, readSubscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { dayHeading, formatMoment } from '../ui/format';
import { Icon } from '../ui/icons';
import { Page, Second, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Table } from '../ui/table';
import { Bench } from '../ui/tabs';
import type { View } from '../ui/view';
import type { ListedCallback } from './callback-table';
import { durationText, HealthPanel, History } from './health';
import { isFiltered, type LogChoice, LogFilterForm, queryOf } from './log-filter';
import { messages } from './messages';
import { DeliveryChip, hostOfUrl, resultOf, StatusChip } from './parts';
import { Overlap } from './settings-page';
import { changesOfStatus, StopNote } from './stop-note';
import { TestForm } from './test-form';

const REFRESH_SECONDS = 5;

type Log = Awaited<ReturnType<typeof readSubscription>>;

interface LogProps extends Log {
  view: View;
  choice: LogChoice;
  isFirst: boolean;
  /** If it is one of an integration. */
  callback?: ListedCallback;
  /** The event type selected in the test form; by default the first subscribed one. */
  testType?: EventType;
  fieldErrors?: FieldErrors;
}

/** One subscription: its actions, a test event and its deliveries. */
export function LogPage(props: LogProps) {
  const { view, subscription, health, history, deliveries, choice, isFirst, nextBefore, progress, testType, callback } =
    props;
  const { fieldErrors = {} } = props;
  const { deliveries: t, subscriptions, callbacks } = messages(view);
  const path = `${WEBHOOKS}/${subscription.id}`;
  const isAll = isFirst && !isFiltered(choice);
  const empty = isAll ? t.empty : nextBefore ? t.emptyWindow : t.emptyFilter;
  return (
    <Page
      view={view}
      title={callback ? callbacks.of(callback.keyName) : hostOfUrl(subscription.url)}
      fieldErrors={fieldErrors}
      back={{ path: WEBHOOKS, label: sharedMessages(view).nav.webhooks }}
      lead={<StatusChip view={view} status={subscription.status} isFilled />}
      acts={
        <>
          {subscription.status === 'active' && (
            <Form view={view} action={`${path}/pause`}>
              <button type="submit">{subscriptions.pause}</button>
            </Form>
          )}
          <a class="button" href={`${path}/edit`}>
            <Icon name="pencil" />
            {subscriptions.edit}
          </a>
          <TestForm view={view} subscription={subscription} chosen={testType} fault={fieldErrors.event_type} />
        </>
      }
    >
      <Head view={view} subscription={subscription} history={history} />
      <StopNote {...{ view, subscription, health, history }} />
      {progress && <Progress view={view} progress={progress} />}
      <HealthPanel {...{ view, subscription, health }} />
      <Bench>
        <h2>{t.title}</h2>
        <LogFilterForm view={view} path={path} choice={choice} />
      </Bench>
      {deliveries.length === 0 ? <p>{empty}</p> : <LogTable view={view} deliveries={deliveries} />}
      <p class="pager">
        {!isFirst && <a href={path + queryOf(choice)}>{t.newest}</a>}
        {nextBefore && <a href={path + queryOf(choice, { before: nextBefore })}>{sharedMessages(view).common.older}</a>}
        <a href={`${path}/redeliver`}>{t.bulk.link}</a>
      </p>
      <History view={view} of={subscription} history={history} />
      <p>
        <a href={`${path}/delete`}>{subscriptions.delete}</a>
      </p>
    </Page>
  );
}

function Head({ view, subscription, history }: Pick<Log, 'subscription' | 'history'> & { view: View }) {
  const t = messages(view);
  const { id, url, shopIds, sources } = subscription;
  const [latest] = changesOfStatus(history);
  return (
    <>
      <p class="facts">
        <code>{url}</code>
        {latest && <span>{t.subscriptions.since(formatMoment(view.language, latest.at, view.now))}</span>}
        <span title={subscription.eventTypes.map((type) => t.eventTypes[type]).join(', ')}>
          {t.subscriptions.eventCount(subscription.eventTypes.length)}
        </span>
        {shopIds && <span>{t.subscriptions.shopCount(shopIds.length)}</span>}
        {sources && <span>{t.subscriptions.sourcesOnly(sources.join(', '))}</span>}
        <a href={`${WEBHOOKS}/${id}/secret`}>{t.subscriptions.rotate}</a>
      </p>
      <Overlap view={view} subscription={subscription} />
    </>
  );
}

/** Progress of the last recovery; refreshes itself while events are looked for or deliveries wait. */
function Progress({ view, progress }: { view: View; progress: NonNullable<Log['progress']> }) {
  const { deliveries: t } = messages(view);
  const { total, delivered, waiting, failed, startedAt } = progress;
  const isUnderWay = progress.isUnderWay === 1;
  const isMoving = isUnderWay || waiting > 0;
  return (
    <section
      class="panel wide"
      id="bulk-progress"
      data-refresh-seconds={isMoving ? REFRESH_SECONDS : undefined}
      aria-labelledby="bulk-title"
    >
      <h2 id="bulk-title">{t.bulk.progressTitle}</h2>
      <p class="facts">
        <progress class="meter" value={total - waiting} max={Math.max(total, 1)} aria-labelledby="bulk-title" />
        <strong>{t.bulk.progress(delivered, total)}</strong>
        {waiting > 0 && <span>{t.bulk.waiting(waiting)}</span>}
        {failed > 0 && <span>{t.bulk.failed(failed)}</span>}
        {isUnderWay && <span>{t.bulk.underWay}</span>}
        <Time view={view} at={startedAt} />
        {isMoving && <a href={view.path}>{t.bulk.reload}</a>}
      </p>
    </section>
  );
}

function LogTable({ view, deliveries }: { view: View; deliveries: LoggedDelivery[] }) {
  const { deliveries: t, eventTypes } = messages(view);
  const { common } = sharedMessages(view);
  return (
    <Table
      class="rows brief deliveries"
      rows={deliveries}
      groupOf={({ createdAt }) => dayHeading(view.language, createdAt, view.now)}
      columns={[
        { label: common.time, class: 'age', cell: ({ createdAt: at }) => <Second view={view} at={at} now={at} /> },
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
          cell: (delivery) => <DeliveryChip view={view} status={delivery.status} />,
        },
        { label: t.result, class: 'what', cell: (delivery) => <Result view={view} delivery={delivery} /> },
        {
          label: t.duration,
          kind: 'number',
          class: 'total',
          cell: ({ durationMs }) => durationMs !== null && durationText(view, durationMs),
        },
      ]}
    />
  );
}

/** What the receiver said last, which attempt that was, and when the next one comes. */
function Result({ view, delivery }: { view: View; delivery: LoggedDelivery }) {
  const { deliveries: t } = messages(view);
  const { attemptCount, trigger, status, nextAttemptAt } = delivery;
  const most = trigger === 'test' ? 1 : ATTEMPTS_MAX;
  const isDue = nextAttemptAt <= view.now;
  const next = isDue ? t.soon : formatMoment(view.language, nextAttemptAt, view.now);
  return (
    <>
      {resultOf(view, delivery)}
      {attemptCount > 0 && <span class="quiet">{` · ${t.attemptOf(attemptCount, most)}`}</span>}
      {status === 'pending' && <span class="quiet">{` · ${t.next}: ${next}`}</span>}
    </>
  );
}
