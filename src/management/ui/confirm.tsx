import type { Child } from 'hono/jsx';
import { ErrorSummary, Form } from './fields';
import type { FieldErrors } from './form-errors';
import { Page } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

interface ConfirmProps {
  view: View;
  /** The question, with the name of what it is about. */
  title: string;
  /** More on what it is about, where the name does not tell it apart. */
  about?: Child;
  /** What follows from it. */
  lead: string;
  action: string;
  /** What the button says. */
  act: string;
  /** Where nothing happened, and what leads there; else "Cancel". */
  back: string;
  keep?: string;
  fieldErrors?: FieldErrors;
  /** Sent a second time it does nothing a second time (once.ts). */
  once?: boolean;
  /** Fields that the act needs. */
  children?: Child;
}

/** The one question before an act that cannot be taken back. */
export function ConfirmPage({
  view,
  title,
  about,
  lead,
  action,
  fieldErrors = {},
  once,
  children,
  ...decision
}: ConfirmProps) {
  return (
    <Page view={view} title={title}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      {about && <p>{about}</p>}
      <p>{lead}</p>
      <Form view={view} action={action} class="wide" once={once}>
        {children}
        <Decision view={view} {...decision} />
      </Form>
    </Page>
  );
}

interface DecisionProps extends Pick<ConfirmProps, 'view' | 'act' | 'back' | 'keep'> {
  isHarmless?: boolean;
}

/** The act, and the way back. */
export function Decision({ view, act, back, keep, isHarmless = false }: DecisionProps) {
  return (
    <div class="buttons">
      <button class={isHarmless ? 'primary' : 'danger'} type="submit">
        {act}
      </button>
      <a class="button" href={back}>
        {keep ?? sharedMessages(view).common.cancel}
      </a>
    </div>
  );
}
