import type { ProblemCode } from '../../src/platform/errors/error-codes';
import { statusOf } from '../../src/platform/http/http';
import { SNIPPETS } from '../../src/webhooks/signing/snippets';
import { codesOf, type Listed, pathOf, type Reference } from './document';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { ERROR_MEANINGS } from './error-meanings';
import { Type } from './fields';
import { HEADERS } from './openapi/headers';
import { PROBLEM_MEMBERS, problemExample, problemSchemaName, STATUS_WORDS } from './openapi/problems';
import { Code, HeaderTable, Json, joined, Paragraph, Prose } from './text';

const ALWAYS: readonly ProblemCode[] = ['not_found', 'method_not_allowed'];

/** Every error code with its status and meaning. The `type` of each problem document links to this page. */
export function ErrorsPage({ baseUrl, groups }: Reference) {
  const operations = groups.flatMap((group) => group.operations);
  // SAFETY: the keys of a record by code are codes.
  const codes = Object.keys(ERROR_MEANINGS) as ProblemCode[];
  // Paths without a call also respond with these codes.
  const seen = codes.filter(
    (code) => ALWAYS.includes(code) || operations.some((operation) => isAnswered(operation, code)),
  );
  return (
    <>
      <h1>Errors</h1>
      <p>
        Every error of every address is a problem document (RFC 9457) with the content type{' '}
        <code>application/problem+json</code>. Switch on <code>code</code>, which is stable; show or log{' '}
        <code>detail</code>, which says what to change; keep <code>request_id</code> for questions. Only the token call
        by form answers as RFC 6749 says (<code>error</code>, <code>error_description</code>), with <code>code</code>{' '}
        and <code>request_id</code> beside them.
      </p>
      <p>
        Send the same request again after 408, 429, every 5xx and 409 with the code <code>conflict</code>: wait as many
        seconds as <code>Retry-After</code> says, without it a second and then twice as long each time. All other errors
        repeat until you change the request. Send every change with an <code>Idempotency-Key</code>: sent again with the
        same key, it is carried out once and answered the same. An order request with an <code>external_reference</code>{' '}
        is taken once, however often it is sent.
      </p>
      <p>
        An address that exists for other methods answers 405 and names them in the header <code>Allow</code>.
      </p>
      <HeaderTable headers={Object.entries(HEADERS).map(([name, { description }]) => [name, description])} />
      <Json label="A problem document" value={problemExample(baseUrl, 'validation_failed')} />
      <p>
        Field by field: <a href={pathOf.object('Problem')}>Problem</a>.
      </p>
      {[...Map.groupBy(seen, statusOf)].map(([status, group]) => (
        <section aria-labelledby={`status-${status}`}>
          <h2 id={`status-${status}`}>
            {status} <span class="words">{STATUS_WORDS[status]?.[1]}</span>
          </h2>
          {group.map((code) => (
            <ErrorArticle code={code} operations={operations} />
          ))}
        </section>
      ))}
      <section aria-labelledby="elsewhere">
        <h2 id="elsewhere">Seen elsewhere</h2>
        <p>No call of this reference answers them: the management interface does, or an address of the operator.</p>
        {codes
          .filter((code) => !seen.includes(code))
          .map((code) => (
            <ErrorArticle code={code} operations={[]} />
          ))}
      </section>
    </>
  );
}

interface ErrorProps {
  code: ProblemCode;
  operations: readonly Listed[];
}

function ErrorArticle({ code, operations }: ErrorProps) {
  return (
    <article class="error" id={code}>
      <h3>
        <a href={pathOf.error(code)}>
          <code>{code}</code>
        </a>{' '}
        {operations.length === 0 && <span class="words">{statusOf(code)}</span>}
      </h3>
      <Paragraph text={ERROR_MEANINGS[code]} />
      <Members code={code} />
      <SeenOn code={code} operations={operations} />
    </article>
  );
}

function isAnswered({ responses }: Listed, code: ProblemCode): boolean {
  return Object.values(responses).some((answer) => codesOf(answer).includes(code));
}

/** The members of a problem document that only this code has. */
function Members({ code }: { code: ProblemCode }) {
  const members = PROBLEM_MEMBERS[code];
  if (!members) return null;
  const names = Object.keys(members.shape).map((name) => <code>{name}</code>);
  return (
    <p>
      With {joined(names, ', ')}: <Type schema={{ $ref: `#/components/schemas/${problemSchemaName(code)}` }} />
    </p>
  );
}

/** Maximum number of calls to list. More are only counted. */
const LISTED_MAX = 6;

/** The calls that can return the code. */
function SeenOn({ code, operations }: ErrorProps) {
  const seen = operations.filter((operation) => isAnswered(operation, code));
  if (seen.length === 0) return null;
  if (seen.length > LISTED_MAX) {
    return (
      <p class="limits">
        Seen on {seen.length} of {operations.length} calls
      </p>
    );
  }
  const links = seen.map((operation) => <a href={pathOf.operation(operation)}>{operation.summary}</a>);
  return <p class="limits">Seen on {joined(links, ', ')}</p>;
}

const SCHEMES = [
  {
    header: 'webhook-signature',
    facts: [
      ['What is signed', '`id.timestamp.body`: webhook-id, webhook-timestamp and the body, joined by dots'],
      ['Key bytes', 'the 32 bytes that the base64 after `whsec_` stands for'],
      ['Written as', 'base64 after `v1,`; several are separated by spaces'],
      ['Protects against replay', 'yes, by the timestamp'],
    ],
  },
  {
    header: 'X-Service-Signature',
    facts: [
      ['What is signed', 'the body'],
      ['Key bytes', 'the UTF-8 bytes of the whole secret: `whsec_` included, nothing decoded'],
      ['Written as', 'lowercase hex after `sha256=`'],
      ['Protects against replay', 'no'],
    ],
  },
];

export function SignaturesPage() {
  return (
    <>
      <h1>Verify a signature</h1>
      <p>
        Every webhook carries two signatures, both HMAC-SHA-256 with the subscription's signing secret (
        <code>whsec_…</code>, shown once). Check one of them before you trust the body. Prefer{' '}
        <code>webhook-signature</code> (<cite>Standard Webhooks 1.0</cite>): it covers the time, so that an old post
        cannot be replayed.
      </p>
      <div class="schemes">
        {SCHEMES.map(({ header, facts }) => (
          <section aria-labelledby={`scheme-${header}`}>
            <h2 id={`scheme-${header}`}>
              <code>{header}</code>
            </h2>
            <dl>
              {facts.map(([name = '', text = '']) => (
                <>
                  <dt>{name}</dt>
                  <dd>
                    <Prose text={text} />
                  </dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <ul>
        <li>
          <strong>Use the bytes exactly as received.</strong> A body that is parsed and serialized again has another
          signature.
        </li>
        <li>
          <strong>The two schemes derive their key differently from the same secret.</strong> If one scheme verifies and
          the other does not, look there first.
        </li>
        <li>Compare in constant time, and refuse a timestamp that is more than five minutes off.</li>
        <li>
          <strong>A rotation has an overlap</strong> of your choice, up to 7 days, in which the old and the new secret
          are valid. <code>webhook-signature</code> then carries a signature by each, so either secret verifies.{' '}
          <code>X-Service-Signature</code> has room for one and stays with the old secret until the overlap ends: if you
          check that one, put the new secret in place and end the overlap in the settings.
        </li>
        <li>
          Respond with 401 if the signature is not valid. Otherwise use <code>id</code> to process each event only once.
        </li>
      </ul>
      <ReceiverKit />
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <section aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          <p>
            Checks <code>{scheme}</code>.{' '}
            {install && (
              <>
                Install: <code>{install}</code>
              </>
            )}
          </p>
          <Code label={title} text={code} />
        </section>
      ))}
    </>
  );
}

function ReceiverKit() {
  return (
    <section aria-labelledby="kit">
      <h2 id="kit">JavaScript: one file to copy</h2>
      <p>
        <a href="/docs/receiver.js" download="receiver.js">
          receiver.js
        </a>{' '}
        runs in Node.js from 20 on, Cloudflare Workers, Deno and browsers, and depends on nothing.{' '}
        <code>verify(body, headers, secrets)</code> checks <code>webhook-signature</code> and returns the event with its
        id, or throws a <code>WebhookError</code> whose <code>reason</code> says what is wrong. During a rotation, pass
        both secrets.
      </p>
      <Code label="receiver.js" text={receiver} />
      <p>
        With it, a whole receiver (
        <a href="/docs/server.js" download="server.js">
          server.js
        </a>
        ): start it with <code>WEBHOOK_SECRET=whsec_… node server.js</code>.
      </p>
      <Code label="server.js" text={server} />
    </section>
  );
}
