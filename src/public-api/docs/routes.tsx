import { Hono } from 'hono';
import { sha256, toBase64, utf8 } from '../../platform/crypto';
import { notFound } from '../../platform/errors';
import type { HttpContext, HttpEnv } from '../../platform/http/http';
import { readReference } from './document';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { guideText } from './guides';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { llmsText } from './llms';
import { Page, SCRIPT, styleSheet } from './page';
import { type DocsPage, pagesOf } from './pages';
import { schemaFile, schemaNames } from './schemas';
import { SEARCH_MAX, SearchPage } from './search';

const CACHE_CONTROL = 'public, max-age=300';
const SEARCH_PATH = '/docs/search';
const MARKDOWN = 'text/markdown; charset=utf-8';

interface File {
  type: string;
  text: (baseUrl: string) => string;
}

/** Texts beside the pages: the receiver kit (signatures.tsx shows it), what guides are written in, schemas of events. */
const FILES = new Map<string, File>([
  ['/docs/receiver.js', { type: 'text/javascript; charset=utf-8', text: () => receiver }],
  ['/docs/server.js', { type: 'text/javascript; charset=utf-8', text: () => server }],
  ...[...GUIDES, CHANGELOG, VALUES].map((guide): [string, File] => [
    guide.path === '/docs' ? '/docs/first-order.md' : `${guide.path}.md`,
    { type: MARKDOWN, text: (baseUrl) => guideText(guide, baseUrl) },
  ]),
  ...schemaNames().map((name): [string, File] => [
    `/docs/schemas/${name}`,
    { type: 'application/schema+json', text: (baseUrl) => schemaFile(readReference(baseUrl), name) },
  ]),
]);

/** The API reference, made from the OpenAPI document and the guides. */
export const docsRoutes = new Hono<HttpEnv>();
docsRoutes.get('/', (c) => answer(c, '/docs'));
docsRoutes.get('/:page', (c) => answer(c, `/docs/${c.req.param('page')}`));
docsRoutes.get('/:page/:part', (c) => answer(c, `/docs/${c.req.param('page')}/${c.req.param('part')}`));

/** `/llms.txt`: what programs that read begin with. */
export function answerLlms(c: HttpContext): Response {
  return answerText(c, llmsText(readReference(c.var.ctx.config.baseUrl)), 'text/plain; charset=utf-8');
}

function answer(c: HttpContext, path: string): Response | Promise<Response> {
  if (path === SEARCH_PATH) return answerSearch(c);
  const { baseUrl } = c.var.ctx.config;
  const file = FILES.get(path);
  if (file) return answerText(c, file.text(baseUrl), file.type);
  const page = pagesOf(baseUrl).get(path);
  if (!page) throw notFound();
  return answerPage(c, path, page);
}

function answerSearch(c: HttpContext): Promise<Response> {
  const query = (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX);
  const reference = readReference(c.var.ctx.config.baseUrl);
  const content = () => <SearchPage {...reference} query={query} />;
  return answerPage(c, SEARCH_PATH, { title: query ? 'Search' : 'Everything', content }, query);
}

function answerText(c: HttpContext, text: string, type: string): Response {
  return c.body(text, 200, {
    'Content-Type': type,
    'Cache-Control': CACHE_CONTROL,
    'Access-Control-Allow-Origin': '*',
  });
}

let policy: string | undefined;

async function answerPage(c: HttpContext, path: string, { title, content }: DocsPage, query = ''): Promise<Response> {
  policy ??= `default-src 'none'; img-src 'self'; style-src ${await hashOf(styleSheet())}; script-src ${await hashOf(SCRIPT)}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
  const page = (
    <Page path={path} title={title} reference={readReference(c.var.ctx.config.baseUrl)} query={query}>
      {content()}
    </Page>
  );
  return c.html(`<!doctype html>${page}`, 200, {
    'Cache-Control': CACHE_CONTROL,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
  });
}

async function hashOf(text: string): Promise<string> {
  return `'sha256-${toBase64(await sha256(utf8(text)))}'`;
}
