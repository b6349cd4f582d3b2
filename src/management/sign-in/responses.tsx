import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { pathWith, SIGN_IN } from '../http/paths';
import { respondPage, viewOf } from '../ui/view';
import { openChoices } from './choice';
import { CODE, CodePage } from './code-page';
import { GonePage } from './gone-page';
import { PHARMACY, PharmacyPage } from './pharmacy-page';
import { ResumeField, ResumeNotice } from './resume-fields';
import { SignInPage, type Step } from './sign-in-page';

export async function respondSignIn(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  const view = await viewOf(c, pathWith(SIGN_IN, step.next));
  const page = <SignInPage view={view} {...step} notice={<ResumeNotice c={c} />} carried={<ResumeField c={c} />} />;
  return respondPage(c, page, status);
}

export async function respondCode(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  const view = await viewOf(c, pathWith(CODE, step.next));
  return respondPage(c, <CodePage view={view} {...step} carried={<ResumeField c={c} />} />, status);
}

/**
 * Asks for the pharmacy. Shown only after the right password, so that nobody else learns the memberships.
 * @param asked after a form: whether it was refused; the token of a choice that has just begun
 */
export async function respondChoice(
  c: ManageContext,
  next: string,
  asked?: { wasRefused?: boolean; token?: string },
): Promise<Response> {
  const choices = await openChoices(c, asked?.token);
  if (choices.length === 0 && !asked?.wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const view = await viewOf(c, pathWith(PHARMACY, next));
  const page = <PharmacyPage view={view} choices={choices} next={next} carried={<ResumeField c={c} />} />;
  return respondPage(c, page, asked ? 401 : 200);
}

/**
 * Runs the handler of a link that works once. A link that no longer works is common, so its page says what to do.
 * @param code the error of such a link; the same whether it was used, expired, replaced or never existed
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
  return respondPage(c, <GonePage view={view} {...said} />, 404);
}
