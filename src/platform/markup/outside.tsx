import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { sha256, toBase64, utf8 } from '../crypto/crypto';
import type { PageLanguage } from '../http/http';
import { ASSETS, FAVICON, LOGO } from './assets';

const WORDS = {
  de: { other: 'English', test: 'TEST', with: 'Mit Offizin' },
  en: { other: 'Deutsch', test: 'TEST', with: 'With Offizin' },
} as const;

interface OutsideProps {
  language: PageLanguage;
  title: string;
  /** The name of the pharmacy that the page belongs to; missing or null for a page of this service. */
  name?: string | null;
  /** The notice at the top of a page of a test organization. */
  test?: string;
  /** CSS class of the `main` element. */
  class?: string;
  /** JavaScript that runs at the end of the page. Pass the same text to `outsideHeaders`. */
  script?: string;
  /** The links at the end of the page. */
  foot?: Child;
  /** Whether search engines should leave the page out. */
  isHidden?: boolean;
  children: Child;
}

/**
 * Returns a page on any host that anybody can open without a session. It loads nothing from other hosts. A link leads
 * to the same page in the other language.
 */
export function OutsidePage({ language, title, name = null, script, foot, isHidden = true, ...page }: OutsideProps) {
  const words = WORDS[language];
  const other = language === 'de' ? 'en' : 'de';
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {isHidden && <meta name="robots" content="noindex" />}
        <title>{`${page.test ? `${words.test} · ` : ''}${title} · ${name ?? 'Offizin'}`}</title>
        <link rel="icon" href={FAVICON} type="image/svg+xml" />
        <link rel="stylesheet" href={ASSETS['outside.css']} />
      </head>
      <body>
        <header>
          <span class="brand">
            {LOGO}
            <bdi>{name ?? 'Offizin'}</bdi>
          </span>
          <a class="language" href={`?lang=${other}`} hreflang={other} lang={other} rel="nofollow">
            {words.other}
          </a>
        </header>
        <main class={page.class}>
          {page.test && <p class="test">{page.test}</p>}
          {page.children}
        </main>
        <footer>
          <span>{name === null ? 'Offizin' : words.with}</span>
          {foot}
        </footer>
        {/* Not escaped, because it is a constant; the Content-Security-Policy has its hash. */}
        {script && <script>{raw(script)}</script>}
      </body>
    </html>
  );
}

/** Returns the headers of an `OutsidePage`. @param script the script in the page */
export async function outsideHeaders(script?: string): Promise<Record<string, string>> {
  const scripts = script === undefined ? '' : ` script-src ${await hashOf(script)};`;
  return {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' data:; style-src 'self';${scripts} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  };
}

const hashes = new Map<string, string>();

async function hashOf(text: string): Promise<string> {
  const hash = hashes.get(text) ?? `'sha256-${toBase64(await sha256(utf8(text)))}'`;
  hashes.set(text, hash);
  return hash;
}
