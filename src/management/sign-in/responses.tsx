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
  return respondPage(c, <CodePage view={await viewOf(c, pathWith(CODE, step.next))} {...step} />, status);
}

/** Asks for the pharmacy, after the password and for whoever gave the right one alone. */
export async function respondChoice(c: ManageContext, next: string, wasRefused = false): Promise<Response> {
  const choices = await openChoices(c);
  if (choices.length === 0 && !wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const view = await viewOf(c, pathWith(PHARMACY, next));
  return respondPage(c, <PharmacyPage view={view} choices={choices} next={next} />, wasRefused ? 401 : 200);
}

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
  return respondPage(c, <GonePage view={view} {...said} />, 404);
}
