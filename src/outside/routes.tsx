import { Hono } from 'hono';
import { raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { atHost } from '../directory/route';
import type { Config } from '../platform/config';
import { notFound } from '../platform/errors/errors';
import {
  answerArchive,
  type HttpContext,
  type HttpEnv,
  type PageLanguage,
  pageLanguage,
  prefersPage,
  urlOf,
} from '../platform/http/http';
import { hostOf } from '../platform/http/outgoing';
import { CACHED_SECONDS } from '../platform/limits';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';
import { telOf } from '../platform/markup/phone';
import { confirmEnd, openEndFile, readEnd } from '../restore/organization/end';
import { townOf } from '../tenants/rules';
import { type ShopAtDoor, selectShopAtDoor } from '../tenants/store';
import { ERRORS, LEAVING, SHOP, START } from './messages';

/**
 * Responds to a browser's request for `/` with a page, on every host. It is called after no route has matched, so that
 * programs get the usual 404.
 * @returns null for every other request
 * @throws AppError 404 if the host belongs to no shop, or if the shop's organization is suspended
 */
export async function answerDoor(c: HttpContext): Promise<Response | null> {
  const { method, path, raw } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || (path !== '/base/' && path !== '/shop/') || !prefersPage(raw)) return null;
  const language = pageLanguage(raw);
  if (path === '/base/')
    return respond(c, <StartPage language={language} {...c.var.ctx.config} />, CACHED_SECONDS.start);
  const host = hostOf(urlOf(raw));
  const ctx = await atHost(c.var.ctx, host);
  const [shop] = await ctx.db.rows(selectShopAtDoor({ host }));
  if (!shop) throw notFound();
  const { baseUrl } = ctx.config;
  return respond(c, <ShopPage {...{ language, shop, baseUrl }} />, CACHED_SECONDS.shop);
}

async function respond(c: HttpContext, page: JSX.Element, seconds: number): Promise<Response> {
  return c.html(`<!doctype html>${page}`, 200, {
    ...(await outsideHeaders()),
    'Cache-Control': `public, max-age=${seconds}`,
    Vary: 'Accept, Accept-Language',
  });
}

/** A drawing of the page where staff review a request: prescription, items, decision. */
const PICTURE = raw(
  '<svg viewBox="0 0 440 300" aria-hidden="true">' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="1" y="1" width="438" height="298" rx="14"/>' +
    '<path fill="#0f382b" d="M15 1h25v298H15A14 14 0 0 1 1 285V15A14 14 0 0 1 15 1z"/>' +
    '<rect fill="var(--tint)" x="11" y="20" width="19" height="19" rx="5"/>' +
    '<rect fill="var(--tint)" x="15" y="56" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--tint)" x="15" y="76" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--tint)" x="15" y="96" width="11" height="3" rx="1.5"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="58" y="22" width="150" height="206" rx="4"/>' +
    '<rect fill="var(--tint)" x="58.5" y="22.5" width="149" height="26"/>' +
    '<rect fill="var(--accent)" x="70" y="32" width="58" height="7" rx="3"/>' +
    '<rect fill="var(--quiet)" x="70" y="66" width="86" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="80" width="64" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="70" y="114" width="112" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="126" width="76" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="70" y="148" width="98" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="70" y="160" width="58" height="5" rx="2.5"/>' +
    '<path d="M140 208c6-18 12-18 12-8s-4 14 2 4 10-12 14-8 6 8 22 2" fill="none" stroke="#2b5ba8" stroke-width="2"/>' +
    '<rect fill="var(--quiet)" x="228" y="26" width="120" height="9" rx="4"/>' +
    '<rect fill="var(--line)" x="228" y="44" width="164" height="5" rx="2.5"/>' +
    '<rect fill="var(--line)" x="228" y="70" width="194" height="1"/>' +
    '<rect fill="var(--quiet)" x="228" y="84" width="132" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="96" width="80" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="394" y="84" width="28" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="116" width="194" height="1"/>' +
    '<rect fill="var(--quiet)" x="228" y="130" width="112" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="228" y="142" width="92" height="5" rx="2.5"/>' +
    '<rect fill="var(--quiet)" x="394" y="130" width="28" height="6" rx="3"/>' +
    '<rect fill="var(--wait-ground)" stroke="var(--wait-edge)" x="228" y="158" width="194" height="22" rx="5"/>' +
    '<rect fill="var(--quiet)" x="240" y="166" width="90" height="6" rx="3"/>' +
    '<rect fill="var(--line)" x="40" y="244" width="399" height="1"/>' +
    '<rect fill="var(--accent)" x="58" y="260" width="22" height="22" rx="5"/>' +
    '<path d="m63 271 5 5 8-9" fill="none" stroke="#fff" stroke-width="2"/>' +
    '<rect fill="var(--quiet)" x="90" y="268" width="70" height="6" rx="3"/>' +
    '<rect fill="var(--accent)" x="228" y="257" width="92" height="28" rx="7"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="328" y="257" width="44" height="28" rx="7"/>' +
    '<rect fill="var(--panel)" stroke="var(--line)" x="380" y="257" width="44" height="28" rx="7"/></svg>',
);

interface StartProps extends Pick<Config, 'imprintUrl' | 'privacyUrl'> {
  language: PageLanguage;
}

/** The page at `/` of the service's own host. */
function StartPage({ language, imprintUrl, privacyUrl }: StartProps) {
  const words = START[language];
  const foot = (
    <>
      <a href="/healthz">{words.status}</a>
      {imprintUrl && <a href={imprintUrl}>{words.imprint}</a>}
      {privacyUrl && <a href={privacyUrl}>{words.privacy}</a>}
    </>
  );
  return (
    <OutsidePage language={language} title={words.title} isHidden={false} foot={foot}>
      <div class="hero">
        <div>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
          <p class="acts">
            <a class="button primary" href="/manage">
              {words.signIn}
            </a>
            <a class="button" href="/docs">
              {words.docs}
            </a>
          </p>
        </div>
        {PICTURE}
      </div>
      <div class="trio">
        {words.parts.map(([title, text]) => (
          <section>
            <h2>{title}</h2>
            <p class="quiet">{text}</p>
          </section>
        ))}
      </div>
    </OutsidePage>
  );
}

interface ShopProps {
  language: PageLanguage;
  shop: ShopAtDoor;
  /** Base URL of the staff's interface. */
  baseUrl: string;
}

/** The page at `/` of a shop's host: the shop's name, contact and purpose. It tells nothing about other shops. */
function ShopPage({ language, shop, baseUrl }: ShopProps) {
  const words = SHOP[language];
  const { shopName: name, phone, openingHours } = shop;
  const lines = [shop.street, townOf(shop)].filter((line) => line);
  return (
    <OutsidePage
      language={language}
      title={name}
      class="narrow"
      test={shop.isTest === 1 ? words.test : undefined}
      isHidden={shop.isTest === 1}
      foot={<a href={`${baseUrl}/manage`}>{words.team}</a>}
    >
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {(lines.length > 0 || phone || openingHours) && (
        <div class="card">
          {lines.length > 0 && (
            <p>
              {lines.map((line, index) => (
                <>
                  {index > 0 && <br />}
                  <bdi>{line}</bdi>
                </>
              ))}
            </p>
          )}
          {phone && (
            <p>
              <a href={telOf(phone)}>{phone}</a>
            </p>
          )}
          {openingHours && (
            <p>
              <span class="quiet">{words.hours}: </span>
              <bdi>{openingHours}</bdi>
            </p>
          )}
        </div>
      )}
      <div class="card">
        <p>{words.what}</p>
        <p>{words.ask}</p>
      </div>
    </OutsidePage>
  );
}

type Told = 404 | 405 | 429 | 500;

/**
 * Returns the status whose text an error page shows. Null for a status that only programs cause. Its response stays
 * JSON.
 */
function toldOf(status: number): Told | null {
  if (status === 404 || status === 405 || status === 429) return status;
  return status >= 500 ? 500 : null;
}

/**
 * Returns a page for a problem document if a browser asks for one. Other callers, and all requests to an API, get the
 * document unchanged. The page has the document's status and headers, and tells no more than the document.
 */
export async function problemAsPage(c: HttpContext, problem: Response): Promise<Response> {
  const told = toldOf(problem.status);
  const { path, raw } = c.req;
  if (told === null || !prefersPage(raw) || path.startsWith('/base/api/') || path.startsWith('/shop/api/'))
    return problem;
  const language = pageLanguage(raw);
  const headers = new Headers(problem.headers);
  for (const [name, value] of Object.entries(await outsideHeaders())) headers.set(name, value);
  const page = <ErrorPage {...{ language, told, path, requestId: c.var.ctx.requestId }} />;
  return new Response(`<!doctype html>${page}`, { status: problem.status, headers });
}

interface ErrorProps {
  language: PageLanguage;
  told: Told;
  /** The request's internal path. It begins with `/base/` on the service's host, and with `/shop/` on a shop's host. */
  path: string;
  requestId: string;
}

function ErrorPage({ language, told, path, requestId }: ErrorProps) {
  const isBase = path.startsWith('/base/');
  const words = ERRORS[language];
  const { title, base, shop } = words[told];
  return (
    <OutsidePage language={language} title={title} class="narrow">
      <h1>{title}</h1>
      <p>{isBase ? base : shop}</p>
      <p class="quiet">
        {words.number}: <code>{requestId}</code>
      </p>
      {path !== '/shop/' && (
        <p class="acts">
          <a class="button" href="/">
            {words.start}
          </a>
          {isBase && told === 405 && (
            <a class="button" href="/docs">
              {words.docs}
            </a>
          )}
        </p>
      )}
    </OutsidePage>
  );
}

const tokenOf = (c: HttpContext) => c.req.param('token') ?? '';

/**
 * Responds with the page that tells owners when their organization ends. They open it by its link. Opening the page
 * changes nothing.
 */
async function answerLeavingPage(c: HttpContext): Promise<Response> {
  const { day, isReady, isConfirmed } = await readEnd(c.var.ctx, tokenOf(c));
  const language = pageLanguage(c.req.raw);
  const words = LEAVING[language];
  const shown = language === 'de' ? day.split('-').reverse().join('.') : day;
  const page = (
    <OutsidePage language={language} title={words.title} class="narrow">
      <h1>{words.title}</h1>
      <div class="card">
        <p>{words.until(shown)}</p>
        {isReady ? (
          <p class="acts">
            <a class="button" href={`${c.req.path.replace('/base', '')}/file`}>
              {words.file}
            </a>
          </p>
        ) : (
          <p>{words.noFile}</p>
        )}
        <p class="quiet">{words.key}</p>
      </div>
      <div class="card">
        {isConfirmed ? (
          <p>✓ {words.confirm}</p>
        ) : (
          <form method="post">
            <p class="quiet">{words.effect}</p>
            <button type="submit" class="primary">
              {words.confirm}
            </button>
          </form>
        )}
      </div>
    </OutsidePage>
  );
  const { 'Content-Security-Policy': policy = '', ...headers } = await outsideHeaders();
  return c.html(`<!doctype html>${page}`, 200, {
    ...headers,
    'Content-Security-Policy': policy.replace("form-action 'none'", "form-action 'self'"),
    'Cache-Control': 'private, no-store',
  });
}

export const leavingRoutes = new Hono<HttpEnv>()
  .get('/:token', answerLeavingPage)
  .post('/:token', async (c) => {
    await confirmEnd(c.var.ctx, tokenOf(c));
    return answerLeavingPage(c);
  })
  .get('/:token/file', async (c) => answerArchive(c, await openEndFile(c.var.ctx, tokenOf(c)), 'offizin'));
