import type { ProblemCode } from '../../platform/error-codes';
import { statusOf } from '../../platform/http/http';
import { ERROR_MEANINGS } from '../errors';
import { HEADERS } from '../headers';
import { PROBLEM_MEMBERS, problemExample, problemSchemaName, STATUS_WORDS } from '../problems';
import { type Listed, pathOf, type Reference } from './document';
import { FieldTable, Type } from './fields';
import { HeaderTable, Json, joined, Paragraph } from './text';

/** Every error code with its status and meaning: the `type` of each problem document links to this page. */
export function ErrorsPage({ baseUrl, schemas, groups }: Reference) {
  const operations = groups.flatMap((group) => group.operations);
  // SAFETY: the keys of a record by code are codes.
  const codes = Object.keys(ERROR_MEANINGS) as ProblemCode[];
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
        seconds as <code>Retry-After</code> says, without it a second and then twice as long each time. Everything else
        comes again until the request changes. Send every change with an <code>Idempotency-Key</code>: sent again with
        the same key, it is carried out once and answered the same. An order request with an{' '}
        <code>external_reference</code> is taken once, however often it is sent.
      </p>
      <p>
        An address that exists for other methods answers 405 and names them in the header <code>Allow</code>.
      </p>
      <HeaderTable headers={Object.entries(HEADERS).map(([name, { description }]) => [name, description])} />
      <Json label="A problem document" value={problemExample(baseUrl, 'validation_failed')} />
      {schemas.Problem && <FieldTable label="Problem" schema={schemas.Problem} />}
      {[...Map.groupBy(codes, statusOf)].map(([status, group]) => (
        <section aria-labelledby={`status-${status}`}>
          <h2 id={`status-${status}`}>
            {status} <span class="words">{STATUS_WORDS[status]?.[1]}</span>
          </h2>
          {group.map((code) => (
            <article class="error" id={code}>
              <h3>
                <a href={pathOf.error(code)}>
                  <code>{code}</code>
                </a>
              </h3>
              <Paragraph text={ERROR_MEANINGS[code]} />
              <Members code={code} />
              <SeenOn code={code} operations={operations} />
            </article>
          ))}
        </section>
      ))}
    </>
  );
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

/** More calls than that are counted, not listed. */
const LISTED_MAX = 8;

/** Where the code can come back. */
function SeenOn({ code, operations }: { code: ProblemCode; operations: readonly Listed[] }) {
  const seen = operations.filter(({ responses }) =>
    Object.values(responses).some(({ content }) => content?.['application/problem+json']?.examples?.[code]),
  );
  const links = seen
    .slice(0, seen.length > LISTED_MAX ? 3 : LISTED_MAX)
    .map((operation) => <a href={pathOf.operation(operation)}>{operation.summary}</a>);
  if (seen.length === 0) return <p class="limits">Seen in the management interface or by the operator alone.</p>;
  return (
    <p class="limits">
      {seen.length > LISTED_MAX ? `Seen on ${seen.length} of ${operations.length} calls, such as ` : 'Seen on '}
      {joined(links, ', ')}
    </p>
  );
}
