import { Hono } from 'hono';
import { sha256, toBase64, utf8 } from '../../platform/crypto';
import type { HttpContext, HttpEnv } from '../../platform/http/http';
import type { Child } from '../../platform/markup/markup';
import { type Reference, readReference } from './document';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { ErrorsPage } from './errors';
import { Page, type Path, SCRIPT, styleSheet } from './page';
import { SignaturesPage } from './signatures';
import { ReferencePage } from './start';
import { WebhooksPage } from './webhooks';

const CACHE_CONTROL = 'public, max-age=300';

const CONTENTS: Record<Path, (reference: Reference) => Child> = {
  '/docs': ReferencePage,
  '/docs/errors': ErrorsPage,
  '/docs/webhooks': WebhooksPage,
  '/docs/signatures': SignaturesPage,
};

/** The receiver kit (signatures.tsx shows it). */
const DOWNLOADS: Record<string, string> = { '/receiver.js': receiver, '/server.js': server };

/** The API reference, made from the OpenAPI document. */
export const docsRoutes = new Hono<HttpEnv>();
// SAFETY: the keys of a record by path are paths.
for (const path of Object.keys(CONTENTS) as Path[]) {
  docsRoutes.get(path.slice('/docs'.length) || '/', (c) => answerPage(c, path));
}
for (const [path, text] of Object.entries(DOWNLOADS)) {
  docsRoutes.get(path, (c) =>
    c.body(text, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': CACHE_CONTROL }),
  );
}

/** Rendered pages with the hashes of their style and script, once per isolate, because they never change. */
const pages = new Map<Path, string>();
let policy: string | undefined;

async function answerPage(c: HttpContext, path: Path): Promise<Response> {
  policy ??= `default-src 'none'; style-src ${await hashOf(styleSheet())}; script-src ${await hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const html = pages.get(path) ?? pageText(path, readReference(c.var.ctx.config.baseUrl));
  pages.set(path, html);
  return c.html(html, 200, {
    'Cache-Control': CACHE_CONTROL,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
  });
}

async function hashOf(text: string): Promise<string> {
  return `'sha256-${toBase64(await sha256(utf8(text)))}'`;
}

function pageText(path: Path, reference: Reference): string {
  const page = (
    <Page path={path} reference={reference}>
      {CONTENTS[path](reference)}
    </Page>
  );
  return `<!doctype html>${page}`;
}
