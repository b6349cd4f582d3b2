import { createMiddleware } from 'hono/factory';
import type { ManageContext, ManageEnv } from '../http/env';
import { type Carried, RESUME, readCarried } from '../http/resume';
import { Symbols } from '../ui/icons';
import { Say } from '../ui/parts';
import { messages } from './messages';
import { RESUMED_FORM, refill } from './refill';

const ID = /^[\w-]{36}$/;

/**
 * The current page with the typed values of a form whose session ended. The person has to send the form again. A reload
 * shows the same until the stored values expire.
 */
export const restoreFields = createMiddleware<ManageEnv>(async (c, next) => {
  const id = c.req.query(RESUME) ?? '';
  const carried = c.req.method === 'GET' && ID.test(id) ? await readCarried(c, id) : undefined;
  await next();
  const isPage = c.res.status === 200 && c.res.headers.get('Content-Type')?.startsWith('text/html');
  if (carried && isPage) await putBack(c, carried);
});

async function putBack(c: ManageContext, carried: Carried): Promise<void> {
  const { html, left } = await refill(await c.res.text(), carried);
  const isFound = html.includes(`id="${RESUMED_FORM}"`);
  const notice = <Notice c={c} isFound={isFound} left={left} hadFile={carried.hadFile} />;
  const shown = `${notice}${<Symbols of={notice} />}`;
  const page = new HTMLRewriter()
    .on('main .notices', { element: (notices) => void notices.append(shown, { html: true }) })
    .transform(new Response(html));
  c.res = new Response(page.body, c.res);
}

interface NoticeProps {
  c: ManageContext;
  isFound: boolean;
  /** Typed values for which the page has no field any more. */
  left: string[];
  hadFile: boolean;
}

function Notice({ c, isFound, left, hadFile }: NoticeProps) {
  const { resume: t } = messages(c.var);
  return (
    <Say tone="wait" role="status" isFocused>
      <p>{isFound ? t.back : t.noForm}</p>
      {isFound && (
        <p>
          <a href={`#${RESUMED_FORM}`}>{t.toForm}</a>
        </p>
      )}
      {left.length > 0 && (
        <>
          <p>{t.left}</p>
          <ul>
            {left.map((value) => (
              <li>
                <bdi>{value}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {hadFile && <p>{t.file}</p>}
    </Say>
  );
}
