import { POST_TIMEOUT_SECONDS } from '../../src/webhooks/limits';
import { anchorOf, type Operation, pathOf, type Reference, resolve } from './document';
import { FieldTable } from './fields';
import { Operations } from './operations';
import { HeaderTable, Json } from './text';

export function WebhooksPage({ webhooks, groups }: Reference) {
  // Headers are the same for every event.
  const { parameters = [] } = webhooks[0]?.events[0]?.operation ?? {};
  return (
    <>
      <h1>Webhooks</h1>
      <p>
        A subscription names an HTTPS address and the event types that it wants; an organization has five at most. Each
        event is posted there as JSON, <a href="/docs/signatures">signed</a>, with the same seven fields. It holds ids,
        never a name, an address or anything else about a patient.
      </p>
      <Delivery headers={parameters.map(({ name, description = '' }) => [name, description])} />
      <h2 id="events">Events</h2>
      <p>
        Each has a page with its <code>metadata</code> and an example, and a JSON Schema under{' '}
        <a href="/docs/schemas/event.json">/docs/schemas</a>.
      </p>
      {webhooks.map(({ name, events }) => (
        <section aria-labelledby={`events-${anchorOf(name)}`}>
          <h3 id={`events-${anchorOf(name)}`}>{name}</h3>
          <dl class="objects">
            {events.map(({ type, operation }) => (
              <>
                <dt>
                  <a href={pathOf.event(type)}>
                    <code>{type}</code>
                  </a>
                </dt>
                <dd>{envelopeOf(operation).description}</dd>
              </>
            ))}
          </dl>
        </section>
      ))}
      <h2 id="calls">Calls</h2>
      <Operations operations={groups.find(({ name }) => name === 'Webhooks')?.operations ?? []} />
    </>
  );
}

function Delivery({ headers }: Parameters<typeof HeaderTable>[0]) {
  return (
    <section aria-labelledby="delivery">
      <h2 id="delivery">Delivery and retries</h2>
      <ul>
        <li>
          <strong>The address</strong> is <code>https://</code> and a name on the public internet, on the standard port:
          no IP address, no user name, none of our own hosts. It is checked again before every post. (A service of{' '}
          <code>npm start</code> also posts to <code>127.0.0.1</code> and <code>[::1]</code>, over http too, on any
          port.)
        </li>
        <li>
          <strong>Answer with any 2xx within {POST_TIMEOUT_SECONDS} seconds.</strong> Everything else is a failure:
          other statuses, redirects (they are not followed), no answer. Put the event aside first and work on it after
          the answer.
        </li>
        <li>
          <strong>Three attempts:</strong> at once, after 1 minute, after 15 minutes, each up to 10 % later. The body is
          the same to the byte each time; timestamp, attempt number and <code>webhook-signature</code> are new.
        </li>
        <li>
          <strong>
            <code>Retry-After</code> is honored
          </strong>{' '}
          on 429 and 503: the next attempt comes later, by 24 hours at most, never earlier.
        </li>
        <li>
          <strong>410 pauses the subscription</strong> and ends the delivery. Return it when you give up an address.
        </li>
        <li>
          <strong>At least once, in no fixed order.</strong> An event can come twice, for example when your response was
          lost. Recognize it by <code>id</code>, and order by the header <code>X-Service-Sequence</code>.
        </li>
        <li>
          <strong>A receiver to copy:</strong> <a href="/docs/signatures#kit">one JavaScript file</a> verifies the
          signature, and a short server drops what comes twice.
        </li>
        <li>
          After three failures the delivery ends. The event itself stays in the{' '}
          <a href="/docs/events/listEvents">pull feed</a> for 30 days.
        </li>
      </ul>
      <h3 id="headers">Headers</h3>
      <HeaderTable headers={[['Content-Type', 'application/json'], ...headers]} />
    </section>
  );
}

interface EventPageProps extends Reference {
  type: string;
  operation: Operation;
}

export function EventPage({ type, operation, schemas }: EventPageProps) {
  const media = operation.requestBody?.content['application/json'];
  const envelope = envelopeOf(operation);
  const metadata = media && resolve(media.schema, schemas).properties?.metadata;
  return (
    <article class="operation" aria-labelledby={type}>
      <p class="crumb">
        <a href="/docs/webhooks#events">Events</a>
      </p>
      <h1 id={type}>
        <code>{type}</code>
      </h1>
      <div class="about">
        <p>{envelope.description}</p>
        <p>
          JSON Schema: <a href={`/docs/schemas/${type}.json`}>/docs/schemas/{type}.json</a>
        </p>
        <h2>Metadata</h2>
        {metadata && <FieldTable label={`Metadata of ${type}`} schema={metadata} example={envelope.metadata} />}
      </div>
      <div class="try">
        <Json label="Body" value={envelope} />
      </div>
    </article>
  );
}

/** The example of an event. */
export function envelopeOf({ requestBody }: Operation): { description: string; metadata: Record<string, unknown> } {
  // SAFETY: the examples of events in the document are envelopes.
  return requestBody?.content['application/json']?.example as ReturnType<typeof envelopeOf>;
}
