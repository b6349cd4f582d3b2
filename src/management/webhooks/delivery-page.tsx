import type { getDelivery, ShownAttempt } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form } from '../ui/fields';
import { Page, Time } from '../ui/layout';
import type { View } from '../ui/view';
import { DeliveryChip } from './parts';
import { VerdictLine } from './verdict';

const ENDED = ['succeeded', 'exhausted', 'cancelled'];

type Shown = Awaited<ReturnType<typeof getDelivery>>;

/** One run: verdict, request and answer of every attempt, the latest on top. */
export function DeliveryPage({ view, subscription, delivery, attempts }: Shown & { view: View }) {
  const { deliveries: words, eventTypes } = view.words;
  const isTest = delivery.trigger === 'test';
  const type = eventTypes[delivery.eventType];
  return (
    <Page view={view} title={isTest ? words.testDetail(type) : words.detail(type)}>
      <div class="two-columns">
        <div>
          {attempts.length === 0 && (
            <section class="panel">
              <p class="quiet">{words.noAttempt}</p>
              <h2>{words.body}</h2>
              <pre tabindex={0}>{delivery.body}</pre>
            </section>
          )}
          {attempts.toReversed().map((attempt, index) => (
            <Attempt {...{ view, attempt }} url={subscription.url} body={delivery.body} isLatest={index === 0} />
          ))}
        </div>
        <aside>
          <Facts view={view} delivery={delivery} />
          {isTest && <p class="hint">{words.test.isExample}</p>}
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
  const words = view.words.deliveries;
  const { request } = attempt;
  return (
    <section class="panel">
      <h2>{words.attempt(attempt.attempt)}</h2>
      <VerdictLine {...{ view, attempt, url }} />
      <p class="hint">
        <Time view={view} at={attempt.startedAt} /> · {words.triggers[attempt.trigger]}
      </p>
      <details class="fold" open={isLatest}>
        <summary>{words.request}</summary>
        {request ? (
          <>
            {!request.isSigned && <p class="hint">{words.unsigned}</p>}
            {request.url === null && <p class="hint">{words.urlChanged}</p>}
            <pre tabindex={0}>{requestText(request, body)}</pre>
            <p class="hint">{words.bodyHint}</p>
          </>
        ) : (
          <p class="quiet">{attempt.failureClass === 'interrupted' ? words.maybeSent : words.notSent}</p>
        )}
      </details>
      <details class="fold" open={isLatest}>
        <summary>{words.answer}</summary>
        <Answer view={view} attempt={attempt} />
      </details>
    </section>
  );
}

function requestText({ url, headers }: NonNullable<ShownAttempt['request']>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url ?? '…'}`, ...lines, '', indented(body)].join('\n');
}

/** Bodies are one line of JSON; a reader sees it by members. The signature holds for the line as it was sent. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function Answer({ view, attempt }: { view: View; attempt: ShownAttempt }) {
  const words = view.words.deliveries;
  if (attempt.httpStatus === null) return <p class="quiet">{words.noAnswer}</p>;
  return (
    <>
      <pre tabindex={0} dir="auto">
        {`HTTP ${attempt.httpStatus}\n\n${attempt.answerExcerpt ?? ''}`.trim()}
      </pre>
      <p class="hint">{attempt.answerExcerpt ? words.answerHint : words.emptyAnswer}</p>
    </>
  );
}

function Facts({ view, delivery }: { view: View; delivery: Shown['delivery'] }) {
  const words = view.words.deliveries;
  const isWaiting = delivery.status === 'pending';
  return (
    <section class="panel">
      <dl>
        <dt>{words.status}</dt>
        <dd>
          <DeliveryChip view={view} status={delivery.status} />
        </dd>
        {isWaiting && (
          <>
            <dt>{words.next}</dt>
            <dd>
              {delivery.nextAttemptAt <= view.now ? words.soon : <Time view={view} at={delivery.nextAttemptAt} />}
            </dd>
          </>
        )}
        <dt>{words.time}</dt>
        <dd>
          <Time view={view} at={delivery.createdAt} />
        </dd>
        <dt>{words.trigger}</dt>
        <dd>{words.triggers[delivery.trigger]}</dd>
        <dt>{words.event}</dt>
        <dd>{delivery.eventType}</dd>
        <dt>{words.id}</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>{words.eventId}</dt>
        <dd>
          <code>{delivery.eventId}</code>
        </dd>
      </dl>
    </section>
  );
}

function Again({ view, subscription, delivery }: Pick<Shown, 'subscription' | 'delivery'> & { view: View }) {
  const words = view.words.deliveries;
  const log = `${WEBHOOKS}/${subscription.id}`;
  const canRedeliver = delivery.trigger !== 'test' && ENDED.includes(delivery.status);
  return (
    <>
      {canRedeliver && (
        <section class="panel">
          {subscription.status === 'active' ? (
            <Form view={view} action={`${log}/deliveries/${delivery.id}/redeliver`} once>
              <p class="hint">{words.redeliverHint}</p>
              <button class="primary" type="submit">
                {words.redeliver}
              </button>
            </Form>
          ) : (
            <p>{words.notActive}</p>
          )}
        </section>
      )}
      {delivery.trigger === 'test' && (
        <p>
          <a href={`${log}?test=${delivery.eventType}#event_type`}>{words.testAgain}</a>
        </p>
      )}
      <a href={log}>{words.back}</a>
    </>
  );
}
