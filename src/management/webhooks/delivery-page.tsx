import type { getDelivery, ShownAttempt } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form, Submit } from '../ui/fields';
import { Chip, Page, Second, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel, Say } from '../ui/parts';
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
    <Page
      view={view}
      title={isTest ? t.deliveries.testDetail(type) : t.deliveries.detail(type)}
      back={{ path: `${WEBHOOKS}/${subscription.id}`, label: t.deliveries.back }}
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
    >
      {isTest && <Say tone="note">{t.deliveries.test.isExample}</Say>}
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
          <DeliveryFacts view={view} delivery={delivery} />
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
  const { deliveries: t } = messages(view);
  const { request } = attempt;
  return (
    <Panel title={t.attempt(attempt.attempt)}>
      <VerdictLine {...{ view, attempt, url }} />
      <p class="hint">
        <Second view={view} at={attempt.startedAt} /> · {t.triggers[attempt.trigger]}
      </p>
      <details class="fold" open={isLatest}>
        <summary>{t.request}</summary>
        {request ? (
          <>
            {!request.isSigned && <p class="hint">{t.unsigned}</p>}
            {request.url === null && <p class="hint">{t.urlChanged}</p>}
            <pre tabindex={0}>{requestText(request, body)}</pre>
            <p class="hint">{t.bodyHint}</p>
          </>
        ) : (
          <p class="quiet">{attempt.failureClass === 'interrupted' ? t.maybeSent : t.notSent}</p>
        )}
      </details>
      <details class="fold" open={isLatest}>
        <summary>{t.answer}</summary>
        <Answer view={view} attempt={attempt} />
      </details>
    </Panel>
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
  const { deliveries: t } = messages(view);
  if (attempt.httpStatus === null) return <p class="quiet">{t.noAnswer}</p>;
  return (
    <>
      <pre tabindex={0} dir="auto">
        {`HTTP ${attempt.httpStatus}\n\n${attempt.answerExcerpt ?? ''}`.trim()}
      </pre>
      <p class="hint">{attempt.answerExcerpt ? t.answerHint : t.emptyAnswer}</p>
    </>
  );
}

function DeliveryFacts({ view, delivery }: { view: View; delivery: Shown['delivery'] }) {
  const { deliveries: t } = messages(view);
  const { common } = sharedMessages(view);
  const { status, nextAttemptAt } = delivery;
  const next = nextAttemptAt <= view.now ? t.soon : <Time view={view} at={nextAttemptAt} />;
  return (
    <section class="panel">
      <Facts
        entries={[
          [t.next, status === 'pending' ? next : null],
          [common.time, <Second view={view} at={delivery.createdAt} />],
          [t.trigger, t.triggers[delivery.trigger]],
          [t.triggers.event, delivery.eventType],
          [t.id, <code>{delivery.id}</code>],
          [t.eventId, <code>{delivery.eventId}</code>],
        ]}
      />
    </section>
  );
}

function Again({ view, subscription, delivery }: Pick<Shown, 'subscription' | 'delivery'> & { view: View }) {
  const { deliveries: t } = messages(view);
  const log = `${WEBHOOKS}/${subscription.id}`;
  const canRedeliver = delivery.trigger !== 'test' && ENDED.includes(delivery.status);
  return (
    <>
      {canRedeliver && (
        <section class="panel">
          {subscription.status === 'active' ? (
            <Form view={view} action={`${log}/deliveries/${delivery.id}/redeliver`} once>
              <p class="hint">{t.redeliverHint}</p>
              <Submit>{t.redeliver}</Submit>
            </Form>
          ) : (
            <p>{t.notActive}</p>
          )}
        </section>
      )}
      {delivery.trigger === 'test' && (
        <p>
          <a href={`${log}?test=${delivery.eventType}#event_type`}>{t.testAgain}</a>
        </p>
      )}
    </>
  );
}
