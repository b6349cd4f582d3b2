import type { Reference } from './document';
import { Objects, Operations } from './operations';
import { Code, ErrorLink } from './text';

export function ReferencePage({ baseUrl, groups, schemas }: Reference) {
  return (
    <>
      <h1>API reference</h1>
      <Start baseUrl={baseUrl} />
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
        Two interfaces: the <strong>organization API</strong> at <code>{baseUrl}</code> keeps shops, products, inventory
        and overrides; the <strong>connector</strong> takes order requests on each shop's own address. What happens then
        arrives by <a href="/docs/webhooks">webhook</a>. The same contract for machines, as OpenAPI 3.1:{' '}
        <a href="/api/v2/public/openapi.json">openapi.json</a>.
      </p>
      <p>
        An API key is exchanged for an access token, which lives an hour. Set these in the shell, and every example
        below can be pasted:
      </p>
      <Code label="Shell" text={tokenCommands(baseUrl)} whole />
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
          Every answer has <code>X-Request-Id</code>. <ErrorLink code="rate_limited" /> says in <code>Retry-After</code>{' '}
          how long to wait. Repeat what is answered 429 or 5xx: an order request with an <code>external_reference</code>{' '}
          is never taken in twice.
        </li>
      </ul>
    </section>
  );
}

function tokenCommands(baseUrl: string): string {
  return `ORG_ID=… API_KEY=…              # the organization API
SHOP_URL=… INTEGRATION_KEY=…    # the connector
API="${baseUrl}/api/v2/public/orgs/$ORG_ID"
TOKEN=$(curl -sS -X POST "$API/auth/token" \\
  -H "X-API-Key: $API_KEY" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
}
