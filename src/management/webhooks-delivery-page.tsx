import type { getDelivery } from '../webhooks/service';
import { Form } from './fields';
import { Page, Time } from './layout';
import type { View } from './view';
import { DeliveryChip, resultOf } from './webhooks-log-page';
import { WEBHOOKS } from './webhooks-page';

const ENDED = ['succeeded', 'exhausted', 'cancelled'];

type Shown = Awaited<ReturnType<typeof getDelivery>>;

export function DeliveryPage({ view, subscription, delivery, attempts }: Shown & { view: View }) {
  const { deliveries: words, eventTypes } = view.words;
  const log = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={words.detail(eventTypes[delivery.eventType])}>
      <div class="two-columns">
        <div>
          <section class="panel">
            <h2>{words.body}</h2>
            <pre>{delivery.body}</pre>
          </section>
          {attempts.length === 0 && <p class="quiet">{words.noAttempt}</p>}
          {attempts.map((attempt) => (
            <section class="panel">
              <h2>{words.attempt(attempt.attempt)}</h2>
              <p>
                <Time view={view} at={attempt.startedAt} /> · {words.triggers[attempt.trigger]} ·{' '}
                {resultOf(view, attempt)} · {attempt.durationMs} ms
              </p>
              <h3>{words.answer}</h3>
              {attempt.answerExcerpt ? <pre>{attempt.answerExcerpt}</pre> : <p class="quiet">{words.noAnswer}</p>}
            </section>
          ))}
        </div>
        <aside>
          <section class="panel">
            <dl>
              <dt>{words.status}</dt>
              <dd>
                <DeliveryChip view={view} status={delivery.status} />
              </dd>
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
          {ENDED.includes(delivery.status) && (
            <section class="panel">
              {subscription.status === 'active' ? (
                <Form view={view} action={`${log}/deliveries/${delivery.id}/redeliver`}>
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
          <a href={log}>{words.back}</a>
        </aside>
      </div>
    </Page>
  );
}
