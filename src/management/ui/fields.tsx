import type { Child } from '../../platform/markup/markup';
import { FORM_ID_FIELD, newFormId, type SECRET_FIELDS, TOKEN_FIELD } from '../http/form-data';
import { type FieldErrors, hasFieldErrors } from './form-errors';
import { Hidden } from './hidden';
import { sharedMessages } from './messages';
import { Say } from './parts';
import type { View } from './view';

interface FormProps {
  view: View;
  action: string;
  /** For buttons outside of the form. */
  id?: string;
  class?: string;
  /** Enter in a field does not send the form, because it makes a decision. */
  isGuarded?: boolean;
  /** Where the server checks the form after each change (client/check.js). */
  checkedBy?: string;
  /** `off`: browsers fill in none of its fields. */
  autocomplete?: 'off';
  /** The form contains a file. */
  withFile?: boolean;
  /** Has an effect only once, even if sent twice (http/once.ts). */
  once?: boolean;
  /** The script sends it by itself: the next part of a long work. */
  goesOn?: boolean;
  children: Child;
}

/**
 * Every form of the interface: it contains the token that `checkForm` requires. Native validation is off, because its
 * messages are in the browser's language and not in the reader's.
 */
export function Form({
  view,
  action,
  isGuarded,
  checkedBy,
  withFile,
  once,
  goesOn,
  children,
  ...attributes
}: FormProps) {
  return (
    <form
      method="post"
      action={action}
      {...attributes}
      novalidate
      data-check={checkedBy}
      data-continue={goesOn || undefined}
      enctype={withFile ? 'multipart/form-data' : undefined}
    >
      <Hidden name={TOKEN_FIELD} value={view.formToken} />
      {once && <Hidden name={FORM_ID_FIELD} value={newFormId()} />}
      {/* If a form's first button is disabled, Enter does not send it (HTML standard, implicit submission). */}
      {isGuarded && <button type="submit" disabled hidden></button>}
      {children}
    </form>
  );
}

/** What was typed into a form, by field, and what is wrong with it. */
export type FormState<Name extends string = never> = { [N in Name]?: string } & { fieldErrors?: FieldErrors };

type FieldProps<Name extends string> = FieldLook<Name> &
  ({ type?: 'text' | 'email'; name: Name } | { type: 'password'; name: Name & (typeof SECRET_FIELDS)[number] });

interface FieldLook<Name extends string> {
  label: string;
  hint?: string;
  /** Holds the field's value and error, unless they are given themselves. */
  form?: FormState<Name>;
  value?: string;
  fieldErrors?: FieldErrors;
  /** `off` unless it is given. */
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email';
  readonly?: boolean;
  autofocus?: boolean;
  /** Attributes for the scripts: client/README.md. */
  'data-note'?: boolean;
  'data-amount'?: boolean;
  'data-scan'?: string;
  /** The shortcut key that moves the focus here (client/keys.js). */
  'data-key'?: string;
  /** Path that suggestions are fetched from (client/picker.js). */
  'data-picker'?: string;
}

/** Attributes that connect a control to its label, hint and error. */
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

/** A control below its label, hint and error. */
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
      <Fault name={name} text={error} />
      {control({
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
        id: name,
        name,
      })}
    </div>
  );
}

/** The error of a control or a group, which is described by its id. */
export function Fault({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="fault" id={`${name}-fault`}>
      {text}
    </p>
  );
}

/** A text field. The typed value is kept after an error, but a password is never sent back to the browser. */
export function Field<Name extends string>({ name, label, hint, form, type = 'text', ...rest }: FieldProps<Name>) {
  const { value = form?.[name], fieldErrors = form?.fieldErrors, autocomplete = 'off', ...others } = rest;
  return (
    <Labeled
      {...{ name, label, hint }}
      error={fieldErrors?.[name]}
      control={(attributes) => (
        <input
          {...attributes}
          type={type}
          value={type === 'password' ? undefined : value}
          spellcheck={type === 'text' ? undefined : false}
          {...others}
          autocomplete={autocomplete}
        />
      )}
    />
  );
}

/** The button that sends a form. */
export function Submit({ children }: { children: Child }) {
  return (
    <button class="primary" type="submit">
      {children}
    </button>
  );
}

interface GroupProps {
  /** Key of an error that concerns the whole group. */
  name: string;
  label: string;
  id?: string;
  class?: string;
  fault?: string;
  children: Child;
}

/** Controls that belong together. With an id, an error links to the group as a whole. */
export function Group({ name, label, id, class: more, fault, children }: GroupProps) {
  return (
    <fieldset
      id={id}
      class={['field', fault && 'wrong', more].filter(Boolean).join(' ')}
      aria-describedby={fault && `${name}-fault`}
    >
      <legend>{label}</legend>
      <Fault name={name} text={fault} />
      {children}
    </fieldset>
  );
}

interface RadioGroupProps<Name extends string> {
  name: Name;
  label: string;
  options: { value: string; label: string; hint?: string }[];
  form: FormState<Name>;
}

/** A group of radio buttons, each with a hint. */
export function RadioGroup<Name extends string>({ name, label, options, form }: RadioGroupProps<Name>) {
  const chosen: string | undefined = form[name];
  return (
    <Group name={name} label={label} fault={form.fieldErrors?.[name]}>
      {options.map(({ value, label, hint }, index) => (
        <label class="choice">
          <input
            type="radio"
            name={name}
            id={index === 0 ? name : undefined}
            value={value}
            checked={value === chosen}
          />
          <span>
            {label}
            {hint && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </Group>
  );
}

export interface Option {
  value: string;
  label: string;
}

/** The entries of a select. @param none label of a first entry with an empty value */
export function Options({ options, value, none }: { options: readonly Option[]; value?: string; none?: string }) {
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </>
  );
}

/** Summary of all errors at the top, each a link to its field; the script sets the focus here. */
export function ErrorSummary({ view, fieldErrors }: { view: View; fieldErrors: FieldErrors }) {
  if (!hasFieldErrors(fieldErrors)) return null;
  const entries = Object.entries(fieldErrors);
  return (
    <Say tone="bad" role="alert" isFocused>
      <h2>{sharedMessages(view).common.fieldErrors(entries.length)}</h2>
      <ul>
        {entries.map(([field, message]) => (
          <li>
            <a href={`#${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </Say>
  );
}

/** Shown instead of a secret that was already shown once. */
export function ShownBefore({ view }: { view: View }) {
  return (
    <Say tone="wait" role="status">
      {sharedMessages(view).common.shownBefore}
    </Say>
  );
}

/** A secret or a link that is shown only once. */
export function ShownOnce({ view, id, label, value }: { view: View; id: string; label: string; value: string }) {
  const { common: t } = sharedMessages(view);
  return (
    <div class="once" role="status" tabindex={-1} data-focus>
      <label for={id}>{label}</label>
      <p class="hint">{t.shownOnce}</p>
      <Copyable view={view} id={id} value={value} />
    </div>
  );
}

/** A value to read, with a button that copies it. */
export function Copyable({ view, id, value }: { view: View; id: string; value: string }) {
  const { common } = sharedMessages(view);
  return (
    <div class="copy">
      <input id={id} value={value} readonly spellcheck={false} />
      <button type="button" hidden data-copy={id} data-copied={common.copied}>
        {common.copy}
      </button>
    </div>
  );
}
