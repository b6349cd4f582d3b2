import { type PageLanguage, pageLanguage, prefersPage } from '../platform/http/browser';
import type { HttpContext } from '../platform/http/http';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';
import { ERRORS } from './messages';

type Told = 404 | 405 | 429 | 500;

/** Which text a status has; other statuses stay JSON: programs alone cause them. */
function toldOf(status: number): Told | null {
  if (status === 404 || status === 405 || status === 429) return status;
  return status >= 500 ? 500 : null;
}

/**
 * A problem as a page, where a browser asks for one; every other caller gets the document as it is, and so does whoever asks an
 * API, whatever it accepts. Status and headers are those of the document, and the page says no more than it.
 */
export async function problemAsPage(c: HttpContext, problem: Response): Promise<Response> {
  const told = toldOf(problem.status);
  const { path, raw } = c.req;
  if (told === null || !prefersPage(raw) || path.startsWith('/base/api/') || path.startsWith('/shop/api/'))
    return problem;
  const isBase = path.startsWith('/base/');
  const language = pageLanguage(raw);
  const headers = new Headers(problem.headers);
  for (const [name, value] of Object.entries(await outsideHeaders())) headers.set(name, value);
  const page = <ErrorPage {...{ language, told, isBase, requestId: c.var.ctx.requestId }} />;
  return new Response(`<!doctype html>${page}`, { status: problem.status, headers });
}

interface ErrorProps {
  language: PageLanguage;
  told: Told;
  /** On the host of the service, not on that of a shop. */
  isBase: boolean;
  requestId: string;
}

function ErrorPage({ language, told, isBase, requestId }: ErrorProps) {
  const words = ERRORS[language];
  const { title, base, shop } = words[told];
  return (
    <OutsidePage language={language} title={title} class="narrow">
      <h1>{title}</h1>
      <p>{isBase ? base : shop}</p>
      <p class="quiet">
        {words.number}: <code>{requestId}</code>
      </p>
      {isBase && (
        <p class="acts">
          <a class="button" href="/">
            {words.start}
          </a>
          {told === 405 && (
            <a class="button" href="/docs">
              {words.docs}
            </a>
          )}
        </p>
      )}
    </OutsidePage>
  );
}
