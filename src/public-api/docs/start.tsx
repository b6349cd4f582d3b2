import { WALKTHROUGH } from '../examples/calls';
import { blockText, startText } from '../examples/shell';
import { LIMITS } from '../limits';
import type { Reference } from './document';
import { Objects, Operations } from './operations';
import { Code, ErrorLink, Prose, Row, Table } from './text';

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
        Two interfaces: the <strong>connector</strong> takes order requests on each shop's own address; the{' '}
        <strong>organization API</strong> at <code>{baseUrl}</code> keeps shops, products, inventory and overrides, and
        takes requests through review to hand-over. What happens then arrives by <a href="/docs/webhooks">webhook</a>.
        The same contract for machines, as OpenAPI 3.1: <a href="/api/v2/public/openapi.json">openapi.json</a>.
      </p>
      <p>
        An API key is exchanged for an access token, which lives an hour. Set these in a POSIX shell; then each example
        below can be pasted as it stands. It makes what it needs, and the answer beside it is what the demo gave.
      </p>
      <Code label="Shell" text={startText(baseUrl)} whole />
      <p>
        <code>curl</code> and browsers find every name below <code>localhost</code>, such as a demo shop's{' '}
        <code>loewen.localhost</code>; Python and some other clients may not. Call <code>127.0.0.1</code> with the same
        port from there, and send the shop's host and port in the header <code>Host</code>.
      </p>
      <ul>
        <li>
          Bodies are JSON in UTF-8. The organization API refuses fields that it does not know; the connector keeps them.
        </li>
        <li>Money is EUR, a number with at most two decimals. Times are ISO 8601 in UTC.</li>
        <li>
          An <a href="/docs/errors">error</a> names every fault at once; switch on its <code>code</code>. What is not
          there and what is not yours answer alike.
        </li>
        <li>
          Products, shops and overrides are safe to send again: the second answer says <code>changed: false</code> or
          names no field. An order request is recognized by its <code>external_reference</code>.
        </li>
        <li>
          Every answer has <code>X-Request-Id</code>. Send a request again that was answered with 429 (
          <ErrorLink code="rate_limited" />, <ErrorLink code="busy" />) or 5xx, after as many seconds as{' '}
          <code>Retry-After</code> says.
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
        A request is <code>pending</code> until staff decide; <code>GET /order-requests/{'{id}'}</code> says in{' '}
        <code>blockers</code> what is in the way. A prescription is approved first, since a line that needs one cannot
        be handed over without. Approving the request makes the order and takes the stock. The order goes from{' '}
        <code>awaiting_packing</code> to <code>ready_pickup</code> and <code>picked_up</code>, or, when it is sent, to{' '}
        <code>ready_shipping</code>, <code>shipped</code> and <code>delivered</code>;{' '}
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
      <Table label="Limits" kind="headers" columns={['What', 'Limit']}>
        {LIMITS.map(([what, limit]) => (
          <Row cells={[what, <Prose text={limit} />]} />
        ))}
      </Table>
      <p>
        Lists come in pages. Those with <code>next_cursor</code> are read on by sending it as <code>cursor</code>, until
        it is null; <code>GET /products</code> counts pages with <code>page</code>; <code>GET /events</code> always
        gives a cursor to come back with.
      </p>
    </section>
  );
}
