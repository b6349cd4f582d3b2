import { ERRORS } from '../errors';
import type { Reference } from './document';
import { FieldTable } from './fields';
import { Json, Prose } from './text';

const STATUS_WORDS: Record<number, string> = {
  400: 'The request is wrong',
  401: 'Who you are is not known',
  403: 'You may not',
  404: 'Not there, or not yours',
  405: 'Another method',
  408: 'Too slow',
  409: 'The present state forbids it',
  413: 'Too large',
  415: 'Another content type',
  429: 'Too many',
  500: 'Our fault',
  502: 'Our storage, for the moment',
};

const EXAMPLE_CODE = 'validation_failed';

/** Every code with its status and meaning: the `type` of each problem document points here. */
export function ErrorsPage({ baseUrl, schemas }: Reference) {
  const codes = Object.entries(ERRORS).map(([code, [status, meaning]]) => ({ code, status, meaning }));
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
        What is answered 408, 429 or 5xx may succeed later: send the same request again, after as many seconds as{' '}
        <code>Retry-After</code> says, or with growing waits where it says nothing. So does 409 with the code{' '}
        <code>conflict</code>. Everything else from 400 to 415 comes again until the request changes.
      </p>
      <Json label="A problem document" value={exampleProblem(baseUrl)} />
      {schemas.Problem && <FieldTable label="Problem" schema={schemas.Problem} schemas={schemas} />}
      {[...Map.groupBy(codes, ({ status }) => status)].map(([status, group]) => (
        <section aria-labelledby={`status-${status}`}>
          <h2 id={`status-${status}`}>
            {status} <span class="words">{STATUS_WORDS[status]}</span>
          </h2>
          {group.map(({ code, meaning }) => (
            <article class="error" id={code}>
              <h3>
                <a href={`#${code}`}>
                  <code>{code}</code>
                </a>
              </h3>
              <p>
                <Prose text={meaning} />
              </p>
            </article>
          ))}
        </section>
      ))}
    </>
  );
}

function exampleProblem(baseUrl: string) {
  const [status, meaning] = ERRORS[EXAMPLE_CODE];
  return {
    type: `${baseUrl}/docs/errors#${EXAMPLE_CODE}`,
    title: 'Validation failed',
    status,
    detail: meaning,
    instance: '/api/v2/public/orgs/019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b/products/P1-10001',
    code: EXAMPLE_CODE,
    request_id: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
    errors: [{ pointer: '/price', code: 'invalid_amount', message: 'Send EUR with at most two decimals.' }],
  };
}
