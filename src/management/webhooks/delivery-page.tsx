import type { getDelivery, ShownAttempt } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form } from '../ui/fields';
import { Page, Time } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';
import { DeliveryChip } from './parts';
import { VerdictLine } from './verdict';

const ENDED = ['succeeded', 'exhausted', 'cancelled'];

type Shown = Awaited<ReturnType<typeof getDelivery>>;

/** One delivery: result, request and response of every attempt, the latest first. */
export function DeliveryPage({ view, subscription, delivery, attempts }: Shown & { view: View }) {
  const t = messages(view);
  const isTest = delivery.trigger === 'test';
  const type = t.eventTypes[delivery.eventType];
  return (
    <Page view={view} title={isTest ? t.deliveries.testDetail(type) : t.deliveries.detail(type)}>
      <div class="two-columns">
        <div>
          {attempts.length === 0 && (
            <section class="panel">
              <p class="quiet">{t.deliveries.noAttempt}</p>
              <h2>{t.deliveries.body}</h2>
              <pre tabindex={0}>{delivery.body}</pre>
            </section>
          )}
          {attempts.toReversed().map((attempt, index) => (
            <Attempt {...{ view, attempt }} url={subscription.url} body={delivery.body} isLatest={index === 0} />
          ))}
        </div>
        <aside>
          <Facts view={view} delivery={delivery} />
          {isTest && <p class="hint">{t.deliveries.test.isExample}</p>}
          <Again {...{ view, subscription, delivery }} />
        </aside>
      </div>
    </Page>
  );
}

interface AttemptProps {
  view: View;
  attempt: ShownAttempt;
  url: string;
  body: string;
  isLatest: boolean;
}

function Attempt({ view, attempt, url, body, isLatest }: AttemptProps) {
  const t = messages(view);
  const { request } = attempt;
  return (
    <section class="panel">
      <h2>{t.deliveries.attempt(attempt.attempt)}</h2>
      <VerdictLine {...{ view, attempt, url }} />
      <p class="hint">
        <Time view={view} at={attempt.startedAt} /> · {t.deliveries.triggers[attempt.trigger]}
      </p>
      <details class="fold" open={isLatest}>
        <summary>{t.deliveries.request}</summary>
        {request ? (
          <>
            {!request.isSigned && <p class="hint">{t.deliveries.unsigned}</p>}
            {request.url === null && <p class="hint">{t.deliveries.urlChanged}</p>}
            <pre tabindex={0}>{requestText(request, body)}</pre>
            <p class="hint">{t.deliveries.bodyHint}</p>
          </>
        ) : (
          <p class="quiet">{attempt.failureClass === 'interrupted' ? t.deliveries.maybeSent : t.deliveries.notSent}</p>
        )}
      </details>
      <details class="fold" open={isLatest}>
        <summary>{t.deliveries.answer}</summary>
        <Answer view={view} attempt={attempt} />
      </details>
    </section>
  );
}

function requestText({ url, headers }: NonNullable<ShownAttempt['request']>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url ?? '…'}`, ...lines, '', indented(body)].join('\n');
}

/** Indents a body, which was sent as one line of JSON. The signature is valid only for the line as it was sent. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function Answer({ view, attempt }: { view: View; attempt: ShownAttempt }) {
  const t = messages(view);
  if (attempt.httpStatus === null) return <p class="quiet">{t.deliveries.noAnswer}</p>;
  return (
    <>
      <pre tabindex={0} dir="auto">
        {`HTTP ${attempt.httpStatus}\n\n${attempt.answerExcerpt ?? ''}`.trim()}
      </pre>
      <p class="hint">{attempt.answerExcerpt ? t.deliveries.answerHint : t.deliveries.emptyAnswer}</p>
    </>
  );
}

function Facts({ view, delivery }: { view: View; delivery: Shown['delivery'] }) {
  const t = messages(view);
  const isWaiting = delivery.status === 'pending';
  return (
    <section class="panel">
      <dl>
        <dt>{t.deliveries.status}</dt>
        <dd>
          <DeliveryChip view={view} status={delivery.status} />
        </dd>
        {isWaiting && (
          <>
            <dt>{t.deliveries.next}</dt>
            <dd>
              {delivery.nextAttemptAt <= view.now ? (
                t.deliveries.soon
              ) : (
                <Time view={view} at={delivery.nextAttemptAt} />
              )}
            </dd>
          </>
        )}
        <dt>{t.deliveries.time}</dt>
        <dd>
          <Time view={view} at={delivery.createdAt} />
        </dd>
        <dt>{t.deliveries.trigger}</dt>
        <dd>{t.deliveries.triggers[delivery.trigger]}</dd>
        <dt>{t.deliveries.event}</dt>
        <dd>{delivery.eventType}</dd>
        <dt>{t.deliveries.id}</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>{t.deliveries.eventId}</dt>
        <dd>
          <code>{delivery.eventId}</code>
        </dd>
      </dl>
    </section>
  );
}

function Again({ view, subscription, delivery }: Pick<Shown, 'subscription' | 'delivery'> & { view: View }) {
  const t = messages(view);
  const log = `${WEBHOOKS}/${subscription.id}`;
  const canRedeliver = delivery.trigger !== 'test' && ENDED.includes(delivery.status);
  return (
    <>
      {canRedeliver && (
        <section class="panel">
          {subscription.status === 'active' ? (
            <Form view={view} action={`${log}/deliveries/${delivery.id}/redeliver`} once>
              <p class="hint">{t.deliveries.redeliverHint}</p>
              <button class="primary" type="submit">
                {t.deliveries.redeliver}
              </button>
            </Form>
          ) : (
            <p>{t.deliveries.notActive}</p>
          )}
        </section>
      )}
      {delivery.trigger === 'test' && (
        <p>
          <a href={`${log}?test=${delivery.eventType}#event_type`}>{t.deliveries.testAgain}</a>
        </p>
      )}
      <a href={log}>{t.deliveries.back}</a>
    </>
  );
}
