import { pathWith, SIGN_IN } from '../http/paths';
import { Field, Form, Submit } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { BarePage } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { Step } from './sign-in-page';

export const CODE = `${SIGN_IN}/code`;

/** The second step: the code of the second factor. */
export function CodePage({ view, next, fieldErrors }: Step & { view: View }) {
  const t = messages(view);
  return (
    <BarePage {...{ view, fieldErrors }} title={t.secondStep.title}>
      <Form view={view} action={CODE}>
        <Hidden name="next" value={next} />
        <Field
          name="code"
          label={t.secondStep.code}
          hint={t.secondStep.hint}
          fieldErrors={fieldErrors}
          autocomplete="one-time-code"
          autofocus
        />
        <Submit>{t.secondStep.submit}</Submit>
      </Form>
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
      <p class="quiet">{t.resets.forgot}</p>
    </BarePage>
  );
}
