import { ASSETS, FAVICON } from '../../platform/markup/assets';
import { LOGO } from '../../platform/markup/logo';
import type { Child } from '../../platform/markup/markup';
import { pathOf, type Reference } from './document';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { SEARCH_MAX } from './search';

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
        {/* Every page can be read without it. */}
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

/** Leads to a page of results; the script shows them below the box. */
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
  const entry = (href: string, text: string) => <Entry href={href} text={text} isCurrent={href === path} />;
  const isWithin = (chapter: string) => path === chapter || path.startsWith(`${chapter}/`);
  return (
    <>
      <Part title="Guides">{GUIDES.map((guide) => entry(guide.path, guide.title))}</Part>
      <Part title="Reference">
        {groups
          .filter(({ name }) => name !== 'Webhooks')
          .map(({ name, operations }) => (
            <li>
              <Link href={pathOf.area(name)} text={name} isCurrent={path === pathOf.area(name)} />
              {isWithin(pathOf.area(name)) && (
                <ul>{operations.map((operation) => entry(pathOf.operation(operation), operation.summary))}</ul>
              )}
            </li>
          ))}
        <li>
          <Link href="/docs/webhooks" text="Webhooks" isCurrent={path === '/docs/webhooks'} />
          {isWithin('/docs/webhooks') && (
            <ul>
              {webhooks.flatMap(({ events }) => events.map(({ type }) => entry(pathOf.event(type), type)))}
              {groups
                .filter(({ name }) => name === 'Webhooks')
                .flatMap(({ operations }) =>
                  operations.map((operation) => entry(pathOf.operation(operation), operation.summary)),
                )}
            </ul>
          )}
        </li>
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

interface LinkProps {
  href: string;
  text: string;
  isCurrent: boolean;
}

function Entry(props: LinkProps) {
  return (
    <li>
      <Link {...props} />
    </li>
  );
}

function Link({ href, text, isCurrent }: LinkProps) {
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {text}
    </a>
  );
}
