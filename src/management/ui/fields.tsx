import type { Child } from 'hono/jsx';
import { FORM_ID_FIELD, newFormId, ORIGIN_FIELD, type SECRET_FIELDS, TOKEN_FIELD } from '../http/form-data';
import { type FieldErrors, hasFieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

interface FormProps {
  view: View;
  action: string;
  class?: string;
  /** Enter in one of its fields sends nothing: it decides something. */
  isGuarded?: boolean;
  /** A file goes with it. */
  withFile?: boolean;
  /** Sent a second time it makes nothing a second time (http/once.ts). */
  once?: boolean;
  children: Child;
}

/** Every form of the interface: it carries the token that `checkForm` asks for. The browser's own checks speak its language, not ours. */
export function Form({ view, action, class: name, isGuarded, withFile, once, children }: FormProps) {
  return (
    <form method="post" action={action} class={name} novalidate enctype={withFile ? 'multipart/form-data' : undefined}>
      {/* A browser that finds a form's first button disabled does not send it on Enter (HTML, implicit submission). */}
      {isGuarded && <button type="submit" disabled hidden></button>}
      <input type="hidden" name={TOKEN_FIELD} value={view.formToken} />
      {view.formOrigin && <input type="hidden" name={ORIGIN_FIELD} value={view.formOrigin} />}
      {once && <input type="hidden" name={FORM_ID_FIELD} value={newFormId()} />}
      {children}
    </form>
  );
}

type FieldProps = FieldLook &
  ({ type?: 'text' | 'email'; name: string } | { type: 'password'; name: (typeof SECRET_FIELDS)[number] });

interface FieldLook {
  label: string;
  value?: string;
  hint?: string;
  fieldErrors?: FieldErrors;
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email';
  readonly?: boolean;
  autofocus?: boolean;
  /** The key that leads here (client/keys.js). */
  'data-key'?: string;
  /** Where the choices for what is typed come from (client/picker.js). */
  'data-picker'?: string;
}

/** What ties a control to its label, its hint and its error. */
export interface ControlAttributes {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

interface LabeledProps {
  name: string;
  label: string;
  hint?: Child;
  error?: string;
  control: (attributes: ControlAttributes) => Child;
}

/** A control with its label above, hint and error between. */
export function Labeled({ name, label, hint, error, control }: LabeledProps) {
  const described = [hint && `${name}-hint`, error && `${name}-fault`].filter(Boolean).join(' ');
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="fault" id={`${name}-fault`}>
          {error}
        </p>
      )}
      {control({
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
        id: name,
        name,
      })}
    </div>
  );
}

/** One line to type in. What was typed is kept, but a password is never sent back. */
export function Field({ name, label, hint, fieldErrors = {}, type = 'text', value, ...rest }: FieldProps) {
  return (
    <Labeled
      {...{ name, label, hint }}
      error={fieldErrors[name]}
      control={(attributes) => (
        <input
          {...attributes}
          type={type}
          value={type === 'password' ? undefined : value}
          spellcheck={type === 'text' ? undefined : false}
          {...rest}
        />
      )}
    />
  );
}

interface RadioGroupProps {
  name: string;
  label: string;
  options: { value: string; label: string; hint?: string }[];
  value?: string;
  fieldErrors?: FieldErrors;
}

/** One of a few, each with a word on what it means. */
export function RadioGroup({ name, label, options, value, fieldErrors = {} }: RadioGroupProps) {
  const fault = fieldErrors[name];
  return (
    <fieldset class={fault ? 'field wrong' : 'field'} aria-describedby={fault ? `${name}-fault` : undefined}>
      <legend>{label}</legend>
      {fault && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      {options.map((option, index) => (
        <label class="choice">
          <input
            type="radio"
            name={name}
            id={index === 0 ? name : undefined}
            value={option.value}
            checked={option.value === value}
          />
          <span>
            {option.label}
            {option.hint && <small>{option.hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** All faults on top, each a link to its field; the script puts the focus here. */
export function ErrorSummary({ view, fieldErrors }: { view: View; fieldErrors: FieldErrors }) {
  if (!hasFieldErrors(fieldErrors)) return null;
  const entries = Object.entries(fieldErrors);
  return (
    <div class="summary" role="alert" tabindex={-1} data-focus>
      <h2>{sharedMessages(view).common.fieldErrors(entries.length)}</h2>
      <ul>
        {entries.map(([field, message]) => (
          <li>
            <a href={`#${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where a secret stood that was shown once before. */
export function ShownBefore({ view }: { view: View }) {
  return (
    <p class="summary note" role="status">
      {sharedMessages(view).common.shownBefore}
    </p>
  );
}

/** A secret or a link that is shown this once. */
export function ShownOnce({ view, id, label, value }: { view: View; id: string; label: string; value: string }) {
  const shared = sharedMessages(view);
  return (
    <div class="once" role="status" tabindex={-1} data-focus>
      <label for={id}>{label}</label>
      <p class="hint">{shared.common.shownOnce}</p>
      <div class="copy">
        <input id={id} value={value} readonly spellcheck={false} />
        <button type="button" hidden data-copy={id} data-copied={shared.common.copied}>
          {shared.common.copy}
        </button>
      </div>
    </div>
  );
}
