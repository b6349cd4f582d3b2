import { WALKTHROUGH } from '../examples/calls';
import { blockText, startText } from '../examples/shell';
import { LIMITS } from '../limits';
import type { Reference } from './document';
import { Objects, Operations } from './operations';
import { Code, ErrorLink, Prose, Table } from './text';

export function ReferencePage({ baseUrl, groups, schemas }: Reference) {
  return (
    <>
      <h1>API reference</h1>
      <Start baseUrl={baseUrl} />
      <Walkthrough />
      <Limits />
      <Operations groups={groups} schemas={schemas} />
      <Objects schemas={schemas} />
    </>
  );
}

function Start({ baseUrl }: Pick<Reference, 'baseUrl'>) {
  return (
    <section aria-labelledby="start">
      <h2 id="start">Getting started</h2>
      <p>
        There are two interfaces. The <strong>connector</strong> accepts order requests on each shop's own address. The{' '}
        <strong>organization API</strong> at <code>{baseUrl}</code> manages shops, products, inventory and overrides,
        and takes order requests through review to hand-over. Events are sent by <a href="/docs/webhooks">webhook</a>.
        The same contract as an OpenAPI 3.1 document: <a href="/api/v2/public/openapi.json">openapi.json</a>.
      </p>
      <p>
        An API key is exchanged for an access token, which is valid for one hour. Set these variables in a POSIX shell;
        then each example below can be pasted as it is. It creates what it needs; the response beside it was recorded
        from the demo.
      </p>
      <Code label="Shell" text={startText(baseUrl)} whole />
      <p>
        <code>curl</code> and browsers resolve every name below <code>localhost</code>, such as a demo shop's{' '}
        <code>loewen.localhost</code>; Python and some other clients may not. From those, call <code>127.0.0.1</code>{' '}
        with the same port and send the shop's host and port in the header <code>Host</code>.
      </p>
      <ul>
        <li>
          Bodies are JSON in UTF-8. The organization API refuses unknown fields; the connector accepts and stores them.
        </li>
        <li>Money is EUR, a number with at most two decimals. Times are ISO 8601 in UTC.</li>
        <li>
          An <a href="/docs/errors">error</a> names all faults at once; switch on its <code>code</code>. What does not
          exist and what belongs to somebody else give the same response.
        </li>
        <li>
          Products, shops and overrides are safe to send again: the second response says <code>changed: false</code> or
          names no field. An order request is recognized by its <code>external_reference</code>.
        </li>
        <li>
          Every response has <code>X-Request-Id</code>. If the response is 429 (
          <ErrorLink code="rate_limited" />, <ErrorLink code="busy" />) or 5xx, send the request again after the seconds
          in <code>Retry-After</code>.
        </li>
      </ul>
    </section>
  );
}

function Walkthrough() {
  return (
    <section aria-labelledby="walkthrough">
      <h2 id="walkthrough">From request to hand-over</h2>
      <p>
        A request is <code>pending</code> until staff decide; <code>GET /order-requests/{'{id}'}</code> lists in{' '}
        <code>blockers</code> what prevents approval. A prescription is approved first, because a line that needs one
        cannot be handed over without it. Approving the request creates the order and takes its items from stock. The
        order goes from <code>awaiting_packing</code> to <code>ready_pickup</code> and <code>picked_up</code>, or, when
        it is sent, to <code>ready_shipping</code>, <code>shipped</code> and <code>delivered</code>;{' '}
        <a href="/docs#listOrderStatuses">the table of steps</a> has all of them. Each step sends its{' '}
        <a href="/docs/webhooks">webhook</a>.
      </p>
      <Code label="Shell" text={blockText(WALKTHROUGH)} whole />
    </section>
  );
}

function Limits() {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <Table
        label="Limits"
        kind="headers"
        columns={['What', 'Limit']}
        rows={LIMITS.map(([what, limit]) => [what, <Prose text={limit} />])}
      />
      <p>
        Lists come in pages. For lists with <code>next_cursor</code>, send it as <code>cursor</code> to get the next
        page, until it is null; <code>GET /products</code> counts pages with <code>page</code>; <code>GET /events</code>{' '}
        always returns a cursor for the next call.
      </p>
    </section>
  );
}
