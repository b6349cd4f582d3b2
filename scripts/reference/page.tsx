import type { Child } from 'hono/jsx';
import { ASSETS, FAVICON, LOGO } from '../../src/platform/markup/assets';
import {
  anchorOf,
  type Listed,
  type Operation,
  pathOf,
  type Reference,
  resolve,
  type Schema,
  schemaNames,
} from './document';
import { ERROR_MEANINGS } from './error-meanings';
import { valueLists } from './fields';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { headingsOf } from './text';
import { envelopeOf } from './webhooks';

interface PageProps {
  /** Marked as current in the navigation. */
  path: string;
  title: string;
  reference: Reference;
  children: Child;
}

/** The layout of every page. On a narrow screen, a menu that works without a script replaces the side bar. */
export function Page({ path, title, reference, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Offizin API`}</title>
        <link rel="icon" href={FAVICON} type="image/svg+xml" />
        <link rel="stylesheet" href={ASSETS['docs.css']} />
        {/* Every page is readable without the script. */}
        <script src={ASSETS['docs.js']} defer></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <a class="brand" href="/docs">
            {LOGO}
            Offizin <span>API</span>
          </a>
          <Search />
        </header>
        <details class="menu">
          <summary>Contents</summary>
          <nav aria-label="Contents">
            <Contents path={path} reference={reference} />
          </nav>
        </details>
        <div class="frame">
          <nav class="rail" aria-label="Contents">
            <Contents path={path} reference={reference} />
          </nav>
          <main id="main" tabindex={-1}>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

/** The search form. It leads to a page of results; the script shows results below the box. */
function Search() {
  return (
    <search>
      <form class="search" action="/docs/search">
        <input
          type="search"
          name="q"
          maxlength={SEARCH_MAX}
          aria-label="Search the reference"
          placeholder="Search calls, fields, codes"
          autocomplete="off"
        />
        <div class="found" hidden />
      </form>
    </search>
  );
}

function Contents({ path, reference: { groups, webhooks } }: Pick<PageProps, 'path' | 'reference'>) {
  const entry = (href: string, text: string, children?: Child) => (
    <li>
      <a href={href} aria-current={href === path ? 'page' : undefined}>
        {text}
      </a>
      {children}
    </li>
  );
  const listed = (operations: readonly Listed[]) =>
    operations.map((operation) => entry(pathOf.operation(operation), operation.summary));
  const chapter = (href: string, text: string, entries: () => Child[]) =>
    entry(href, text, (path === href || path.startsWith(`${href}/`)) && <ul>{entries()}</ul>);
  return (
    <>
      <Part title="Guides">{GUIDES.map((guide) => entry(guide.path, guide.title))}</Part>
      <Part title="Reference">
        {groups
          .filter(({ name }) => name !== 'Webhooks')
          .map(({ name, operations }) => chapter(pathOf.area(name), name, () => listed(operations)))}
        {chapter('/docs/webhooks', 'Webhooks', () => [
          ...webhooks.flatMap(({ events }) => events.map(({ type }) => entry(pathOf.event(type), type))),
          ...listed(groups.find(({ name }) => name === 'Webhooks')?.operations ?? []),
        ])}
        {entry('/docs/signatures', 'Verify a signature')}
        {entry('/docs/errors', 'Errors')}
        {entry(VALUES.path, VALUES.title)}
        {entry('/docs/objects', 'Objects')}
      </Part>
      <Part title="More">
        {entry(CHANGELOG.path, CHANGELOG.title)}
        {entry('/docs/search', 'Everything')}
        {entry('/api/v2/public/openapi.json', 'openapi.json')}
        {entry('/api/v2/public/webhooks.json', 'webhooks.json')}
        {entry('/llms.txt', 'llms.txt')}
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: Child }) {
  return (
    <>
      <p>{title}</p>
      <ul>{children}</ul>
    </>
  );
}

interface SearchEntry {
  kind: string;
  title: string;
  href: string;
  /** Further search words, in lower case. */
  words: string;
}

/** Search words that the texts do not contain, by the page that answers them. */
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

const SEARCH_MAX = 80;
const DEPTH_MAX = 4;

/** A page with links to everything that can be found. With a query, the script turns it into the page of results. */
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

/** The search index (client/docs.js): everything that can be found, in the order of the navigation. */
export function entriesOf({ groups, webhooks, schemas }: Reference): SearchEntry[] {
  const entry = (kind: string, title: string, href: string, ...words: string[]): SearchEntry => ({
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

/** Names of all parameters and members in a call's request and responses. */
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
