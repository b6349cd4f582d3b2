import { localTime } from '../../platform/pharmacy-time';
import type { getDelivery, ShownAttempt } from '../../webhooks/log/log';
import type { Subscription } from '../../webhooks/subscriptions/manage';
import { WEBHOOKS } from '../http/paths';
import { Form, Hidden, Submit } from '../ui/fields';
import { DayField } from '../ui/filters';
import { Chip, Page, Second, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { FieldErrors, View } from '../ui/view';
import { StopNote, TestForm } from './log-page';
import { messages } from './messages';
import { DeliveryChip, durationText, hostOfUrl, resultOf, Verdict } from './parts';

/** Maximum number of characters of a response in its attempt's row. */
const EXCERPT_SHOWN = 100;
const ENDED = ['succeeded', 'exhausted', 'cancelled'];

type Shown = Awaited<ReturnType<typeof getDelivery>>;

interface DeliveryProps extends Shown {
  view: View;
  /** The number of the attempt to show in full. If there is none, the latest is shown. */
  chosen: number;
}

/** The page of a delivery: its attempts, and for one of them the verdict, request, and response. */
export function DeliveryPage({ view, chosen, subscription, delivery, attempts }: DeliveryProps) {
  const t = messages(view);
  const isTest = delivery.trigger === 'test';
  const path = `${WEBHOOKS}/${subscription.id}`;
  const shown = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1);
  return (
    <Page
      view={view}
      title={t.eventTypes[delivery.eventType]}
      back={{ path, label: t.subscriptions.backToSubscription }}
      lead={
        <span class="chips">
          {isTest && (
            <Chip tone="note" isFilled>
              {t.deliveries.triggers.test}
            </Chip>
          )}
          <DeliveryChip view={view} status={delivery.status} isFilled />
        </span>
      }
      acts={
        isTest ? (
          <TestForm view={view} subscription={subscription} chosen={delivery.eventType} />
        ) : (
          <Again {...{ view, subscription, delivery }} />
        )
      }
    >
      <DeliveryFacts view={view} delivery={delivery} />
      {!ENDED.includes(delivery.status) && <StopNote view={view} subscription={subscription} />}
      {shown && <Verdict view={view} attempt={shown} url={subscription.url} />}
      <div class="halves exchange">
        <div>
          <Attempts {...{ view, attempts, shown }} path={`${path}/deliveries/${delivery.id}`} />
          {shown && <Answer view={view} attempt={shown} />}
        </div>
        <Sent view={view} attempt={shown} body={delivery.body} />
      </div>
    </Page>
  );
}

function DeliveryFacts({ view, delivery }: { view: View; delivery: Shown['delivery'] }) {
  const { deliveries: t } = messages(view);
  const { id, status, trigger, eventType, createdAt, nextAttemptAt } = delivery;
  return (
    <p class="facts quiet">
      <code>{eventType}</code>
      <span>{trigger === 'test' ? t.test.isExample : t.triggers[trigger]}</span>
      <Second view={view} at={createdAt} />
      {status === 'pending' && (
        <strong>
          {t.next}: {nextAttemptAt <= view.now ? t.soon : <Time view={view} at={nextAttemptAt} />}
        </strong>
      )}
      <span>
        {t.id} <code>{id}</code>
      </span>
    </p>
  );
}

function ResultChip({ view, attempt }: { view: View; attempt: ShownAttempt }) {
  const look = attempt.failureClass === null ? ({ tone: 'good' } as const) : ({ tone: 'bad', mark: 'failed' } as const);
  return <Chip {...look}>{resultOf(view, attempt)}</Chip>;
}

interface AttemptsProps extends Pick<Shown, 'attempts'> {
  view: View;
  shown: ShownAttempt | undefined;
  path: string;
}

/** All attempts, the latest first, each linked to its request. */
function Attempts({ view, attempts, shown, path }: AttemptsProps) {
  const { deliveries: t } = messages(view);
  const { common } = sharedMessages(view);
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
              label: common.time,
              kind: 'name',
              cell: (attempt) => {
                const time = <Second view={view} at={attempt.startedAt} />;
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
                  <ResultChip view={view} attempt={attempt} />
                  {attempt.answerExcerpt && (
                    <small class="clip" dir="auto">
                      {attempt.answerExcerpt.slice(0, EXCERPT_SHOWN)}
                    </small>
                  )}
                </>
              ),
            },
            { label: t.duration, kind: 'number', cell: ({ durationMs }) => durationText(view, durationMs) },
          ]}
        />
      )}
    </Panel>
  );
}

function Sent({ view, attempt, body }: { view: View; attempt: ShownAttempt | undefined; body: string }) {
  const { deliveries: t } = messages(view);
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
          {url && (
            <button type="button" hidden data-copy="curl" data-copied={sharedMessages(view).common.copied}>
              {t.asCurl}
            </button>
          )}
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
      {/* The body is sent as one line, and the signature is valid only for that. */}
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

function Answer({ view, attempt }: { view: View; attempt: ShownAttempt }) {
  const { deliveries: t } = messages(view);
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

function Again({ view, subscription, delivery }: Pick<Shown, 'subscription' | 'delivery'> & { view: View }) {
  const { deliveries: t } = messages(view);
  if (!ENDED.includes(delivery.status)) return null;
  if (subscription.status !== 'active') return <span class="quiet">{t.notActive}</span>;
  return (
    <Form view={view} action={`${WEBHOOKS}/${subscription.id}/deliveries/${delivery.id}/redeliver`} once>
      <Submit>{t.redeliver}</Submit>
    </Form>
  );
}

interface RedeliverProps {
  view: View;
  subscription: Subscription;
  /** Null without a valid start time. */
  found: { since: number; count: number } | null;
  typed: string;
  fieldErrors: FieldErrors;
}

/** Asks for confirmation before a bulk redelivery: start time, number of events, and URL. */
export function RedeliverPage({ view, subscription, found, typed, fieldErrors }: RedeliverProps) {
  const { common } = sharedMessages(view);
  const { deliveries: t } = messages(view);
  const log = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={t.bulk.link} fieldErrors={fieldErrors} isDialog>
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
      {found && <Found {...{ view, subscription }} {...found} />}
      <p>
        <a href={log}>{found?.count ? common.cancel : messages(view).subscriptions.backToSubscription}</a>
      </p>
    </Page>
  );
}

interface FoundProps {
  view: View;
  subscription: Subscription;
  since: number;
  count: number;
}

function Found({ view, subscription, since, count }: FoundProps) {
  const { deliveries: t } = messages(view);
  if (count === 0) return <p role="status">{t.bulk.none}</p>;
  return (
    <>
      <p role="status">
        <strong>{t.bulk.found(count)}</strong>
      </p>
      {subscription.status === 'active' ? (
        <Form view={view} action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
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
