import { Hono } from 'hono';
import { answerArchive, type HttpContext, type HttpEnv, pageLanguage } from '../platform/http/http';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';
import { confirmEnd, openEndFile, readEnd } from '../restore/organization/end';
import { LEAVING } from './messages';

const tokenOf = (c: HttpContext) => c.req.param('token') ?? '';

/** The page of an organization that ends, for owners with the link. Opening it changes nothing. */
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
