import { ERROR_MEANINGS } from '../errors';
import { anchorOf, type Operation, pathOf, type Reference, resolve, type Schema } from './document';
import { CHANGELOG, GUIDES } from './guides/list';
import { headingsOf } from './markdown';
import { schemaNames } from './schemas';
import { valueLists } from './values';
import { envelopeOf } from './webhooks';

interface Entry {
  kind: string;
  title: string;
  href: string;
  /** What else it can be found by, in lower case. */
  words: string;
}

/** Words that people look for and the texts do not use, by the page that answers them. */
const SYNONYMS: Record<string, string> = {
  '/docs':
    'sdk postman bruno insomnia client library curl getting started quickstart tutorial authentication login base url environment insurance doctor dosage birthday',
  '/docs/guides/go-live': 'sandbox staging test mode environment production checklist cors browser frontend',
  '/docs/guides/mirror-the-assortment': 'sync erp inventory management warehouse currency eur euro vat tax',
  '/docs/guides/bulk': 'batch import mass update',
  '/docs/guides/receive-webhooks': 'callback hook push notification polling listener',
  '/docs/guides/needs-info-and-withdrawal': 'cancel revoke status polling question',
  '/docs/changelog': 'version versioning deprecation breaking changes release notes',
};

export const SEARCH_MAX = 80;
const DEPTH_MAX = 4;

/** Everything that can be found, as a page of links. With a query the script of every page makes it that of the results. */
export function SearchPage(reference: Reference) {
  const entries = entriesOf(reference);
  return (
    <>
      <h1>Everything</h1>
      <div id="results">
        <ul class="results">
          {entries.map(({ kind, title, href }) => (
            <li>
              <a href={href}>
                {title} <span>{kind}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** Everything that can be found, in the order of the navigation: the index that the script searches (client/docs.js). */
export function entriesOf({ groups, webhooks, schemas }: Reference): Entry[] {
  const entry = (kind: string, title: string, href: string, ...words: string[]): Entry => ({
    kind,
    title,
    href,
    words: words.join(' ').toLowerCase(),
  });
  return [
    ...[...GUIDES, CHANGELOG].flatMap(({ path, title, text }) => [
      entry('Guide', title, path, text, SYNONYMS[path] ?? ''),
      ...headingsOf(text).map((heading) => entry(title, heading.title, `${path}#${heading.id}`)),
    ]),
    ...groups.flatMap(({ name, description, operations }) => [
      entry('Area', name, pathOf.area(name), description),
      ...operations.map((operation) => {
        const { operationId, method, path, summary, description: about } = operation;
        const names = namesOf(operation, schemas);
        return entry(name, summary, pathOf.operation(operation), operationId, method, path, about, ...names);
      }),
    ]),
    entry('Page', 'Webhooks: delivery, retries, headers', '/docs/webhooks', 'retry-after hold 410'),
    ...webhooks.flatMap(({ events }) =>
      events.map(({ type, operation }) => {
        const { description, metadata } = envelopeOf(operation);
        return entry(
          'Event',
          type,
          pathOf.event(type),
          type.replaceAll('_', ' '),
          description,
          ...Object.keys(metadata),
        );
      }),
    ),
    entry('Page', 'Verify a signature', '/docs/signatures', 'webhook-signature x-service-signature receiver secret'),
    entry('Page', 'Errors', '/docs/errors', 'problem rfc 9457 retry'),
    ...Object.entries(ERROR_MEANINGS).map(([code, meaning]) => entry('Error', code, pathOf.error(code), meaning)),
    ...valueLists().map(({ title, meanings }) =>
      entry('Values', title, `/docs/values#${anchorOf(title)}`, ...[...meanings].flat()),
    ),
    ...Object.entries(schemas).map(([name, schema]) =>
      entry('Object', name, pathOf.object(name), schema.description ?? '', ...membersOf(schema, schemas)),
    ),
    ...schemaNames().map((file) => entry('JSON Schema', file, `/docs/schemas/${file}`)),
  ];
}

/** Names of everything that a call takes and answers. */
function namesOf({ parameters = [], requestBody, responses }: Operation, schemas: Reference['schemas']): Set<string> {
  const answers = Object.entries(responses).flatMap(([status, answer]) => (Number(status) < 400 ? [answer] : []));
  const contents = [requestBody, ...answers].flatMap((each) => Object.values(each?.content ?? {}));
  const names = contents.flatMap(({ schema }) => [...membersOf(schema, schemas)]);
  return new Set([...parameters.map(({ name }) => name), ...names]);
}

function membersOf(schema: Schema, schemas: Reference['schemas'], found = new Set<string>(), depth = 0): Set<string> {
  const { properties = {}, items, anyOf = [] } = resolve(schema, schemas);
  if (depth > DEPTH_MAX) return found;
  for (const [name, child] of Object.entries(properties)) membersOf(child, schemas, found.add(name), depth + 1);
  for (const child of [...(items ? [items] : []), ...anyOf]) membersOf(child, schemas, found, depth + 1);
  return found;
}
