import type { Child } from 'hono/jsx';
import { AppError } from '../../platform/errors/errors';
import type { ManageContext } from '../http/env';
import { Form } from './fields';
import { Page } from './layout';
import { sharedMessages } from './messages';
import { ButtonLink } from './parts';
import { type FieldErrors, respondPage, useView } from './view';

export interface ConfirmProps {
  /** The question, which names the affected object. */
  title: string;
  /** Details about the object, if its name alone is ambiguous. */
  about?: Child;
  /** The reason why the previous attempt was refused. */
  fault?: string;
  /** The consequences, one paragraph each. */
  lead: string | readonly string[];
  action: string;
  /** Label of the button. */
  act: string;
  /** Path of the link back. */
  back: string;
  fieldErrors?: FieldErrors;
  /** Whether the form has an effect only once, even if sent twice (http/once.ts). */
  once?: boolean;
  /** Whether the action can be undone. */
  isHarmless?: boolean;
  /** Fields that the action needs. */
  children?: Child;
}

/** Asks for confirmation before an action. */
export function ConfirmPage({
  title,
  about,
  fault,
  lead,
  action,
  fieldErrors,
  once,
  children,
  ...decision
}: ConfirmProps) {
  return (
    <Page {...{ title, fieldErrors }} isDialog>
      {about && <p>{about}</p>}
      {fault && <p class="fault">{fault}</p>}
      {[lead].flat().map((text) => (
        <p>{text}</p>
      ))}
      <Form action={action} once={once} isGuarded>
        {children}
        <Decision {...decision} />
      </Form>
    </Page>
  );
}

/** Responds with a confirmation page. */
export async function respondConfirm(c: ManageContext, props: ConfirmProps): Promise<Response> {
  return respondPage(c, <ConfirmPage {...props} />);
}

/** The shortcut key inside the button that decides; null if shortcuts are off. */
export function DecisionKey() {
  if (!useView().hasShortcuts) return null;
  return (
    <span class="kbd" aria-hidden="true">
      a
    </span>
  );
}

interface DecisionProps extends Pick<ConfirmProps, 'act' | 'back' | 'isHarmless' | 'children'> {
  /** The name of the field that the button submits. Its value is `value`. */
  name?: string;
  value?: string;
}

/** The link back and the confirming button, with `children` between them. */
export function Decision({ act, back, isHarmless = false, children, ...button }: DecisionProps) {
  return (
    <div class="ends">
      <ButtonLink path={back} label={sharedMessages().common.cancel} />
      {children}
      <button class={isHarmless ? 'primary' : 'danger'} type="submit" {...button} data-decide>
        {act}
        <DecisionKey />
      </button>
    </div>
  );
}

/**
 * Runs a decision and responds. If the decision fails for a reason that the page can explain, the response is the
 * current page with this reason. Examples: somebody else decided first, or an obstacle is left.
 * @param refuse returns the current page with the reason; null for errors that the page cannot explain
 * @param then responds after success
 * @throws every error for which `refuse` returns null
 */
export async function submitDecision<T>(
  run: () => Promise<T>,
  refuse: (error: AppError) => Promise<Response> | null,
  then: (value: T) => Response | Promise<Response>,
): Promise<Response> {
  let value: T;
  try {
    value = await run();
  } catch (error) {
    const refused = error instanceof AppError ? refuse(error) : null;
    if (!refused) throw error;
    return refused;
  }
  return then(value);
}
