import { localTime } from '../../platform/pharmacy-time';
import { EVENTS_KEPT_MS } from '../../webhooks/limits';
import type { getDelivery, ShownAttempt } from '../../webhooks/log/log';
import type { Subscription } from '../../webhooks/subscriptions/subscriptions';
import { WEBHOOKS } from '../http/paths';
import { CopyButton, Form, Hidden, Submit } from '../ui/fields';
import { DayField } from '../ui/filters';
import { formatDate } from '../ui/format';
import { Chip, Page, Second, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, useView } from '../ui/view';
import { StopNote, TestForm } from './log-page';
import { messages } from './messages';
import { DeliveryChip, durationText, hostOfUrl, resultOf, Verdict } from './parts';

/** The most characters of a response that the row of its attempt shows. */
const EXCERPT_SHOWN = 100;
const ENDED = ['succeeded', 'exhausted', 'cancelled'];

type Shown = Awaited<ReturnType<typeof getDelivery>>;

/**
 * The page of a delivery. It lists all attempts, and shows the verdict, request and response of one attempt.
 * @param chosen the number of the attempt to show. If no attempt has this number, the latest is shown
 */
export function DeliveryPage({ chosen, subscription, delivery, attempts, lastFailed }: Shown & { chosen: number }) {
  const t = messages();
  const isTest = delivery.trigger === 'test';
  const path = `${WEBHOOKS}/${subscription.id}`;
  const shown = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1);
  return (
    <Page
      title={t.eventTypes[delivery.eventType]}
      back={{ path, label: t.subscriptions.backToSubscription }}
      lead={
        <span class="chips">
          {isTest && (
            <Chip tone="note" isFilled>
              {t.deliveries.triggers.test}
            </Chip>
          )}
          <DeliveryChip status={delivery.status} isFilled />
        </span>
      }
      acts={
        isTest ? (
          <TestForm subscription={subscription} chosen={delivery.eventType} />
        ) : (
          <Again {...{ subscription, delivery }} />
        )
      }
    >
      <DeliveryFacts delivery={delivery} />
      {(subscription.status !== 'active' || !ENDED.includes(delivery.status)) && (
        <StopNote subscription={subscription} />
      )}
      {shown && <Verdict attempt={shown} url={subscription.url} />}
      {!shown && delivery.status === 'held' && lastFailed && (
        <Verdict attempt={{ ...lastFailed, request: null }} url={subscription.url}>
          {t.deliveries.lastAnswer} <Time at={lastFailed.startedAt} />:
        </Verdict>
      )}
      <div class="halves exchange">
        <div>
          <Attempts {...{ attempts, shown }} path={`${path}/deliveries/${delivery.id}`} />
          {shown && <Answer attempt={shown} />}
        </div>
        <Sent attempt={shown} body={delivery.body} />
      </div>
    </Page>
  );
}

function DeliveryFacts({ delivery }: { delivery: Shown['delivery'] }) {
  const { deliveries: t } = messages();
  const { id, status, trigger, eventType, createdAt, nextAttemptAt } = delivery;
  return (
    <p class="facts quiet">
      <code>{eventType}</code>
      <span>{trigger === 'test' ? t.test.isExample : t.triggers[trigger]}</span>
      <Second at={createdAt} />
      {status === 'pending' && (
        <strong>
          {t.next}: {nextAttemptAt <= useView().now ? t.soon : <Time at={nextAttemptAt} />}
        </strong>
      )}
      {status === 'held' && (
        <strong>
          {t.keptUntil} {formatDate(createdAt + EVENTS_KEPT_MS)}
        </strong>
      )}
      <span>
        {t.id} <code>{id}</code>
      </span>
    </p>
  );
}

function ResultChip({ attempt }: { attempt: ShownAttempt }) {
  const look = attempt.failureClass === null ? ({ tone: 'good' } as const) : ({ tone: 'bad', mark: 'failed' } as const);
  return <Chip {...look}>{resultOf(attempt)}</Chip>;
}

type AttemptsProps = Pick<Shown, 'attempts'> & { shown?: ShownAttempt; path: string };

/** Lists all attempts, the latest first, each with a link to its request. */
function Attempts({ attempts, shown, path }: AttemptsProps) {
  const { deliveries: t } = messages();
  return (
    <Panel title={t.attempts}>
      {attempts.length === 0 ? (
        <p class="quiet">{t.noAttempt}</p>
      ) : (
        <Table
          class="lines"
          rows={attempts.toReversed()}
          columns={[
            {
              label: sharedMessages().common.time,
              kind: 'name',
              cell: (attempt) => {
                const time = <Second at={attempt.startedAt} />;
                const isShown = attempt === shown;
                return (
                  <>
                    {isShown ? <strong>{time}</strong> : <a href={`${path}?attempt=${attempt.attempt}`}>{time}</a>}
                    <small>{t.triggers[attempt.trigger]}</small>
                  </>
                );
              },
            },
            {
              label: t.result,
              cell: (attempt) => (
                <>
                  <ResultChip attempt={attempt} />
                  {attempt.answerExcerpt && (
                    <small class="clip" dir="auto">
                      {attempt.answerExcerpt.slice(0, EXCERPT_SHOWN)}
                    </small>
                  )}
                </>
              ),
            },
            { label: t.duration, kind: 'number', cell: ({ durationMs }) => durationText(durationMs) },
          ]}
        />
      )}
    </Panel>
  );
}

function Sent({ attempt, body }: { attempt: ShownAttempt | undefined; body: string }) {
  const { deliveries: t } = messages();
  if (attempt && !attempt.request) {
    return (
      <Panel title={t.request}>
        <p class="quiet">{attempt.failureClass === 'interrupted' ? t.maybeSent : t.notSent}</p>
      </Panel>
    );
  }
  const request = attempt?.request;
  const url = request?.url;
  return (
    <Panel
      title={request ? t.request : t.body}
      beside={
        <>
          <span class="hint">{t.bodyHint}</span>
          {url && <CopyButton of="curl" label={t.asCurl} />}
        </>
      }
    >
      {request && (
        <>
          {!request.isSigned && <p class="hint">{t.unsigned}</p>}
          {!url && <p class="hint">{t.urlChanged}</p>}
          <pre tabindex={0}>{[`POST ${url ?? '…'}`, ...headerLines(request)].join('\n')}</pre>
        </>
      )}
      {/* The body is sent as one line, and the signature is valid only for this line. */}
      <pre tabindex={0}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      {url && (
        <code id="curl" hidden>
          {['curl', quoted(url), ...headerLines(request).map((line) => `-H ${quoted(line)}`), '-d', quoted(body)].join(
            ' ',
          )}
        </code>
      )}
    </Panel>
  );
}

function headerLines({ headers }: NonNullable<ShownAttempt['request']>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** The text quoted as one shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function Answer({ attempt }: { attempt: ShownAttempt }) {
  const { deliveries: t } = messages();
  const { httpStatus, answerExcerpt } = attempt;
  return (
    <Panel title={t.answer} beside={answerExcerpt && <span class="hint">{t.answerHint}</span>}>
      {httpStatus === null ? (
        <p class="quiet">{t.noAnswer}</p>
      ) : (
        <pre tabindex={0} dir="auto">
          {`HTTP ${httpStatus}\n\n${answerExcerpt ?? t.emptyAnswer}`}
        </pre>
      )}
    </Panel>
  );
}

function Again({ subscription, delivery }: Pick<Shown, 'subscription' | 'delivery'>) {
  const { deliveries: t } = messages();
  const { status, holdReason } = subscription;
  const isTried = delivery.status === 'held' && status === 'holding' && holdReason === 'receiver_failing';
  if (!isTried && !ENDED.includes(delivery.status)) return null;
  if (!isTried && status !== 'active') return <span class="quiet">{t.notActive}</span>;
  return (
    <Form action={`${WEBHOOKS}/${subscription.id}/deliveries/${delivery.id}/redeliver`} once>
      <Submit>{t.redeliver}</Submit>
    </Form>
  );
}

interface RedeliverProps {
  subscription: Subscription;
  /** The start time in epoch ms, and the number of events since then. Null if the typed start time is invalid. */
  found: { since: number; count: number } | null;
  typed: string;
  fieldErrors: FieldErrors;
}

/** Asks for confirmation before a bulk redelivery. Shows the start time, the number of events, and the URL. */
export function RedeliverPage({ subscription, found, typed, fieldErrors }: RedeliverProps) {
  const { deliveries: t } = messages();
  const log = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page title={t.bulk.link} fieldErrors={fieldErrors} isDialog>
      <p>{t.bulk.lead(hostOfUrl(subscription.url))}</p>
      <form method="get" action={`${log}/redeliver`} class="filters">
        <DayField
          name="since"
          label={t.bulk.since}
          hint={t.bulk.sinceHint}
          type="datetime-local"
          value={found ? localTime(found.since) : typed}
          fieldErrors={fieldErrors}
        />
        <button type="submit">{t.bulk.count}</button>
      </form>
      {found && <Found subscription={subscription} {...found} />}
      <p>
        <a href={log}>{found?.count ? sharedMessages().common.cancel : messages().subscriptions.backToSubscription}</a>
      </p>
    </Page>
  );
}

function Found({ subscription, since, count }: { subscription: Subscription; since: number; count: number }) {
  const { deliveries: t } = messages();
  if (count === 0) return <p role="status">{t.bulk.none}</p>;
  return (
    <>
      <p role="status">
        <strong>{t.bulk.found(count)}</strong>
      </p>
      {subscription.status === 'active' ? (
        <Form action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
          <Hidden name="since" value={localTime(since)} />
          <div class="acts">
            <Submit>{t.bulk.submit(count)}</Submit>
          </div>
        </Form>
      ) : (
        <p>{t.notActive}</p>
      )}
    </>
  );
}
