import { completeCss } from '../../platform/markup/css';
import { LOGO } from '../../platform/markup/logo';
import { type Child, Markup } from '../../platform/markup/markup';
import { once } from '../../platform/once';
import copy from './client/copy.js' with { type: 'text' };
import { anchorOf, type Reference } from './document';
import styles from './styles.css' with { type: 'text' };

/** The style sheet, inline; the Content-Security-Policy contains its hash. */
export const styleSheet = once(() => completeCss(styles));

/** The script, inline; the Content-Security-Policy contains its hash. */
export const SCRIPT = copy;

/** The title of each page. */
const CHAPTERS = {
  '/docs': 'API reference',
  '/docs/errors': 'Errors',
  '/docs/webhooks': 'Webhooks',
  '/docs/signatures': 'Verify a signature',
};
export type Path = keyof typeof CHAPTERS;

interface PageProps {
  /** Marked as current in the navigation. */
  path: Path;
  reference: Reference;
  children: Child;
}

/** The layout of every page. On a narrow screen, a menu that works without a script replaces the side bar. */
export function Page({ path, reference, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${CHAPTERS[path]} · Offizin API`}</title>
        {/* Not escaped, because it is a constant; the Content-Security-Policy has its hash (routes.tsx). */}
        <style>{new Markup(styleSheet())}</style>
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
          <a href="/api/v2/public/openapi.json">openapi.json</a>
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
        {/* Like the style: a constant. Every page can be read without it. */}
        <script type="module">{new Markup(SCRIPT)}</script>
      </body>
    </html>
  );
}

function Contents({ path, reference: { groups, webhooks } }: Pick<PageProps, 'path' | 'reference'>) {
  return (
    <>
      <ul class="chapters">
        {Object.entries(CHAPTERS).map(([href, title]) => (
          <Entry href={href} text={title} isCurrent={href === path} />
        ))}
      </ul>
      <Part title="Start">
        <Entry href="/docs#start" text="Getting started" />
        <Entry href="/docs#walkthrough" text="From request to hand-over" />
        <Entry href="/docs#limits" text="Limits" />
      </Part>
      {groups.map(({ name, operations }) => (
        <Part title={name}>
          {operations.map(({ operationId, summary }) => (
            <Entry href={`/docs#${operationId}`} text={summary} />
          ))}
        </Part>
      ))}
      <Part title="Objects">
        <Entry href="/docs#objects" text="All objects" />
      </Part>
      <Part title="Webhooks">
        <Entry href="/docs/webhooks#delivery" text="Delivery and retries" />
        {webhooks.map(({ name }) => (
          <Entry href={`/docs/webhooks#events-${anchorOf(name)}`} text={name} />
        ))}
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

function Entry({ href, text, isCurrent = false }: { href: string; text: string; isCurrent?: boolean }) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {text}
      </a>
    </li>
  );
}
