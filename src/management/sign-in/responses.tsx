import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { pathWith, SIGN_IN } from '../http/paths';
import { BarePage } from '../ui/layout';
import { respondPage, viewOf } from '../ui/view';
import { openChoices } from './choice';
import { CODE, CodePage } from './code-page';
import { messages } from './messages';
import { PHARMACY, PharmacyPage } from './pharmacy-page';
import { SignInPage, type Step } from './sign-in-page';

export async function respondSignIn(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  const view = await viewOf(c, pathWith(SIGN_IN, step.next));
  return respondPage(c, <SignInPage view={view} {...step} />, status);
}

export async function respondCode(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  const view = await viewOf(c, pathWith(CODE, step.next));
  return respondPage(c, <CodePage view={view} {...step} />, status);
}

/**
 * Asks for the pharmacy. Shown only after the right password, so that nobody else learns the memberships.
 * @param wasRefused after a choice that was refused
 */
export async function respondChoice(c: ManageContext, next: string, wasRefused = false): Promise<Response> {
  const choices = await openChoices(c);
  if (choices.length === 0 && !wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const view = await viewOf(c, pathWith(PHARMACY, next));
  const page = <PharmacyPage view={view} choices={choices} next={next} />;
  return respondPage(c, page, wasRefused ? 401 : 200);
}

/** The error of a link that works once; the same whether it was used, expired, replaced or never existed. */
const GONE = { invitation: 'invitation_not_found', resets: 'reset_not_found' } as const;

/** The handler of a link that works once. A link that no longer works is common, so its page says what to do. */
export function unlessGone(link: keyof typeof GONE, answer: (c: ManageContext) => Promise<Response>) {
  return async (c: ManageContext): Promise<Response> => {
    try {
      return await answer(c);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== GONE[link]) throw error;
    }
    const view = await viewOf(c);
    const t = messages(view);
    const page = (
      <BarePage view={view} title={t[link].goneTitle}>
        <p>{t[link].gone}</p>
        <p>
          <a href={SIGN_IN}>{t.signIn.title}</a>
        </p>
      </BarePage>
    );
    return respondPage(c, page, 404);
  };
}

/** The token of a link. */
export function tokenOf(c: ManageContext): string {
  return c.req.param('token') ?? '';
}
