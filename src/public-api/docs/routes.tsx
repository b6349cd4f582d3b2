import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { sha256, toBase64, utf8 } from '../../platform/crypto';
import type { HttpContext, HttpEnv } from '../../platform/http';
import { type Reference, readReference } from './document';
import { ErrorsPage } from './errors';
import { Page, STYLES } from './page';
import { SignaturesPage } from './signatures';
import { ReferencePage } from './start';
import { WebhooksPage } from './webhooks';

interface Chapter {
  title: string;
  content: (reference: Reference) => Child;
}

const CHAPTERS: Record<string, Chapter> = {
  '/docs': { title: 'API reference', content: (reference) => <ReferencePage {...reference} /> },
  '/docs/errors': { title: 'Errors', content: (reference) => <ErrorsPage {...reference} /> },
  '/docs/webhooks': { title: 'Webhooks', content: (reference) => <WebhooksPage {...reference} /> },
  '/docs/signatures': { title: 'Verify a signature', content: () => <SignaturesPage /> },
};

/** The API reference, made from the OpenAPI document. */
export const docsRoutes = new Hono<HttpEnv>();
for (const [path, chapter] of Object.entries(CHAPTERS)) {
  docsRoutes.get(path.slice('/docs'.length) || '/', (c) => answerPage(c, path, chapter));
}

/** Rendered pages with the hash of their style, once per isolate, because they never change. */
const pages = new Map<string, string>();
let styleHash: string | undefined;

async function answerPage(c: HttpContext, path: string, { title, content }: Chapter): Promise<Response> {
  styleHash ??= toBase64(await sha256(utf8(STYLES)));
  const html = pages.get(path) ?? pageText(path, title, content, readReference(c.var.ctx.config.baseUrl));
  pages.set(path, html);
  return c.html(html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  });
}

function pageText(path: string, title: string, content: Chapter['content'], reference: Reference): string {
  const page = (
    <Page title={title} path={path} reference={reference}>
      {content(reference)}
    </Page>
  );
  return `<!doctype html>${page}`;
}
