import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { SIGN_IN } from '../http/paths';
import { BarePage } from '../ui/layout';
import { answerPage, viewOf } from '../ui/view';
import { messages } from './messages';

/**
 * Runs what answers a link that is good once. A dead link is what people will meet: it gets a page that says what to do.
 * @param code the error of a dead link, whatever it died of
 */
export async function unlessGone(
  c: ManageContext,
  code: string,
  said: { goneTitle: string; gone: string },
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== code) throw error;
  }
  const view = await viewOf(c);
  const page = (
    <BarePage view={view} title={said.goneTitle}>
      <p>{said.gone}</p>
      <p>
        <a href={SIGN_IN}>{messages(view).signIn.title}</a>
      </p>
    </BarePage>
  );
  return answerPage(c, page, 404);
}
