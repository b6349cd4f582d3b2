import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { z } from 'zod';
import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import type { ReasonCode } from '../../orders/rules';
import { AppError } from '../../platform/errors/errors';
import type { ManageContext } from '../http/env';
import { FORM_ID_FIELD, newFormId, type Form as PostedForm, type SECRET_FIELDS, TOKEN_FIELD } from '../http/form-data';
import { sharedMessages } from './messages';
import { Icon, type IconName, labelFor, Notice } from './parts';
import { type FieldErrors, hasFieldErrors, textFor, useView } from './view';

interface FormProps {
  action: string;
  /** The form's id, for buttons outside the form. */
  id?: string;
  class?: string;
  /** Whether Enter in a field must not submit the form. Set for forms that decide something. */
  isGuarded?: boolean;
  /** Path at which the server checks the form after each change (client/check.js). */
  checkedBy?: string;
  /** `off` keeps browsers from filling in the form's fields. */
  autocomplete?: 'off';
  /** Whether the form contains a file. */
  withFile?: boolean;
  /** Whether the form takes effect only once if it is sent twice (http/once.ts). */
  once?: boolean;
  /** Whether the script submits the form by itself, without the person, to continue a long job. */
  goesOn?: boolean;
  /** Whether the script sends the form and then replaces only the changed parts of the page (client/README.md). */
  'data-stays'?: boolean;
  children: Child;
}

/**
 * A form with the token that `checkForm` requires. All forms that change something use this component. It switches off
 * native validation, because browsers show their messages in their own language, not the reader's.
 */
export function Form({ action, isGuarded, checkedBy, withFile, once, goesOn, children, ...attributes }: FormProps) {
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
      <Hidden name={TOKEN_FIELD} value={useView().formToken} />
      {once && <Hidden name={FORM_ID_FIELD} value={newFormId()} />}
      {/* If a form's first button is disabled, Enter does not submit it (HTML standard, implicit submission). */}
      {isGuarded && <button type="submit" disabled hidden></button>}
      {children}
    </form>
  );
}

/** Typed values of a form by field, and its errors. */
export type FormState<Name extends string = never> = { [N in Name]?: string } & { fieldErrors?: FieldErrors };

type FieldProps<Name extends string> = FieldLook<Name> &
  ({ type?: 'text' | 'email'; name: Name } | { type: 'password'; name: Name & (typeof SECRET_FIELDS)[number] });

interface FieldLook<Name extends string> {
  label: string;
  hint?: string;
  /**
   * The form's typed values and errors. The field takes its value and error from them, unless `value` or `fieldErrors`
   * is given.
   */
  form?: FormState<Name>;
  value?: string;
  fieldErrors?: FieldErrors;
  /** `off` by default. */
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email';
  readonly?: boolean;
  autofocus?: boolean;
  placeholder?: string;
  maxlength?: number;
  size?: number;
  /** The HTML id of the list with the field's suggestions. */
  list?: string;
  /** Attributes for the scripts: client/README.md. */
  'data-note'?: boolean;
  'data-amount'?: boolean;
  'data-scan'?: string;
  /** The shortcut key that moves the focus to the field (client/keys.js). */
  'data-key'?: string;
  /** The path from which the script fetches suggestions (client/picker.js). */
  'data-picker'?: string;
}

/** Attributes that connect a control to its label, hint and error. */
interface ControlAttributes {
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

/**
 * A control with its label, hint and error above it.
 * @param control returns the control with the given attributes
 */
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

/**
 * The attributes of a control that is not in `Labeled`: its name, which is also its HTML id, and the reference to its
 * error.
 */
export function controlOf(name: string, fault: string | undefined) {
  return {
    ...{ id: name, name },
    ...(fault && ({ 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` } as const)),
  };
}

/** The error of a control or group, with the id for `aria-describedby`. */
export function Fault({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="fault" id={`${name}-fault`}>
      {text}
    </p>
  );
}

/** A text field. It keeps its value after an error, but a password is never sent back to the browser. */
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

/** The button that submits a form. */
export function Submit({ children }: { children: Child }) {
  return <Button tone="primary" label={children} />;
}

interface ButtonProps {
  label: Child;
  icon?: IconName;
  tone?: 'primary' | 'danger' | 'plain' | 'tiny';
  name?: string;
  value?: string;
  title?: string;
  formaction?: string;
  /** Id of a form elsewhere on the page. */
  form?: string;
  'aria-label'?: string;
  /** Attributes for the scripts: client/README.md. */
  'data-decide'?: boolean;
  'data-unchecked'?: boolean;
}

/** A button that submits its form. */
export function Button({ label, tone, icon, ...attributes }: ButtonProps) {
  return (
    <button class={tone} type="submit" {...attributes}>
      {icon && <Icon name={icon} />}
      {label}
    </button>
  );
}

/** A form that consists of one button. */
export function FormButton({ label, ...form }: { action: string; label: string }) {
  return (
    <Form {...form}>
      <button type="submit">{label}</button>
    </Form>
  );
}

interface GroupProps {
  /** The field name under which `fault` is reported. */
  name: string;
  label: string;
  id?: string;
  class?: string;
  fault?: string;
  children: Child;
}

/** A group of controls with one label. With an `id`, the links of errors can lead to the whole group. */
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
      {options.map((option, index) => (
        <Choice
          type="radio"
          {...{ name, ...option }}
          id={index === 0 ? name : undefined}
          checked={option.value === chosen}
        />
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

interface SelectProps {
  name: string;
  label: string;
  options: readonly Option[];
  value?: string;
  /** Label of a first entry with an empty value. */
  none?: string;
  fieldErrors?: FieldErrors;
  /** Attributes for the scripts: client/README.md. */
  'data-unchecked'?: boolean;
  'data-key'?: string;
  'aria-keyshortcuts'?: string;
}

/** The options of a select of numbers, in ascending order. `NaN` and repeated numbers are left out. */
export function numberOptions(numbers: readonly number[], labelOf: (number: number) => string) {
  const sorted = [...new Set(numbers)].filter(Number.isInteger).toSorted((one, other) => one - other);
  return sorted.map((number) => ({ value: String(number), label: labelOf(number) }));
}

/** A select with its label and error. */
export function Select({ name, label, options, value, none, fieldErrors, ...others }: SelectProps) {
  return (
    <Labeled
      {...{ name, label }}
      error={fieldErrors?.[name]}
      control={(attributes) => (
        <select {...attributes} {...others}>
          <Options {...{ options, value, none }} />
        </select>
      )}
    />
  );
}

/** Summary of all errors, each linked to its field. The script sets the focus here. */
export function ErrorSummary({ fieldErrors }: { fieldErrors: FieldErrors }) {
  if (!hasFieldErrors(fieldErrors)) return null;
  const entries = Object.entries(fieldErrors);
  return (
    <Notice tone="bad" role="alert" isFocused>
      <h2>{sharedMessages().common.fieldErrors(entries.length)}</h2>
      <ul>
        {entries.map(([field, message]) => (
          <li>
            <a href={`#${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The notice in place of a secret that was already shown once. */
export function ShownBefore() {
  return (
    <Notice tone="wait" role="status">
      {sharedMessages().common.shownBefore}
    </Notice>
  );
}

/** A secret or a link that is shown only once. */
export function ShownOnce({ id, label, value }: { id: string; label: string; value: string }) {
  return (
    <div class="once" role="status" tabindex={-1} data-focus>
      <label for={id}>{label}</label>
      <p class="hint">{sharedMessages().common.shownOnce}</p>
      <Copyable id={id} value={value} />
    </div>
  );
}

/** The button that copies the text of the element whose HTML id is `of`. Without scripts, it is hidden. */
export function CopyButton({ of, label }: { of: string; label: Child }) {
  return (
    <button type="button" hidden data-copy={of} data-copied={sharedMessages().common.copied}>
      {label}
    </button>
  );
}

/** A read-only value with a button that copies it. */
function Copyable({ id, value }: { id: string; value: string }) {
  return (
    <div class="copy">
      <textarea id={id} rows={1} readonly spellcheck={false}>
        {value}
      </textarea>
      <CopyButton of={id} label={sharedMessages().common.copy} />
    </div>
  );
}

/**
 * A hidden value of the form. Without `autocomplete="off"`, Firefox restores the old value after a reload, so the new
 * page's form would refer to the old page's data.
 */
export function Hidden({ id, name, value }: { id?: string; name: string; value: string | number }): JSX.Element {
  return html`<input type="hidden"${id && html` id="${id}"`} name="${name}" value="${value}" autocomplete="off">`;
}

export function Checkbox({ name, isOn, ...choice }: { name: string; label: string; hint?: string; isOn: boolean }) {
  return <Choice type="checkbox" name={name} value="on" checked={isOn} {...choice} />;
}

interface ChoiceProps {
  type: 'checkbox' | 'radio';
  name: string;
  value: string;
  checked: boolean;
  label: Child;
  hint?: string;
  id?: string;
  disabled?: boolean;
  'aria-describedby'?: string;
  /** Attributes for the scripts: client/README.md. */
  'data-each'?: number;
  'data-tick'?: boolean;
  'data-unchecked'?: boolean;
}

/** A checkbox or radio button before its label. */
export function Choice({ label, hint, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input {...input} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

/** The values whose checkboxes are checked in the form. The name of each checkbox is its value. */
export function ticked<T extends string>(form: PostedForm, values: readonly T[]): T[] {
  return values.filter((value) => form.text(value) === 'on');
}

interface ReasonProps {
  /** The codes of the reasons to choose from, the most usual one first. */
  codes: readonly ReasonCode[];
  value?: string;
  fieldErrors?: FieldErrors;
}

/**
 * The select for the reason of a rejection, cancellation or refund. The platform receives the code of the reason. The
 * key `r` moves the focus to the select.
 */
export function ReasonField({ codes, value, fieldErrors }: ReasonProps) {
  const { common, orders: t } = sharedMessages();
  const options = codes.map((code) => ({ value: code, label: t.reasons[code] }));
  return (
    <Select
      {...{ name: 'reason_code', label: common.reason, options, value, fieldErrors }}
      none={t.choose}
      data-key="r"
      aria-keyshortcuts={useView().hasShortcuts ? 'r' : undefined}
    />
  );
}

interface PasswordProps {
  name: (typeof SECRET_FIELDS)[number];
  label: string;
  fieldErrors?: FieldErrors;
}

/** Field for the person's current password. */
export function CurrentPassword(props: PasswordProps & { autofocus?: boolean }) {
  return <Field type="password" autocomplete="current-password" {...props} />;
}

/** Field for a new password, with its requirements. */
export function NewPassword({ ...props }: PasswordProps) {
  const hint = sharedMessages().passwordHint(PASSWORD_LENGTH_MIN);
  return <Field type="password" hint={hint} autocomplete="new-password" {...props} />;
}

/**
 * Validates typed values by a schema.
 * @param texts error text by field name
 * @returns the parsed values, or the errors by field
 */
export function readFields<T extends z.ZodType>(
  schema: T,
  typed: unknown,
  texts: Record<string, string>,
): { value: z.output<T>; fieldErrors?: never } | { value?: never; fieldErrors: FieldErrors } {
  const result = schema.safeParse(typed);
  if (result.success) return { value: result.data };
  const names = new Set(result.error.issues.map(({ path }) => String(path[0])));
  return { fieldErrors: Object.fromEntries([...names].map((name) => [name, texts[name] ?? ''])) };
}

/**
 * A labeled, read-only value with a button that copies it.
 * @param of the name of the object that the value belongs to, for screen readers
 */
export function ToCopy({ id, label, of, value }: { id: string; label: string; of: string; value: string }) {
  return (
    <div class="field">
      <label for={id}>{labelFor(label, of)}</label>
      <Copyable id={id} value={value} />
    </div>
  );
}

export const UPLOAD_FIELD = 'prescription_file';

interface UploadProps {
  fieldErrors?: FieldErrors;
  /**
   * The path that the upload button submits to. Needed if the file field is part of a form that submits to another
   * path.
   */
  action?: string;
}

/**
 * The form that uploads a prescription's PDF.
 * @param path the path of the request or order
 */
export function UploadForm({ path, fieldErrors }: Omit<UploadProps, 'action'> & { path: string }) {
  return (
    <Form action={`${path}/prescription`} withFile>
      <UploadFields fieldErrors={fieldErrors} />
    </Form>
  );
}

/** The file field and the button of an upload. */
export function UploadFields({ fieldErrors = {}, action }: UploadProps) {
  const { prescriptions: t } = sharedMessages();
  return (
    <>
      <Labeled
        name={UPLOAD_FIELD}
        label={t.uploadLabel}
        hint={t.uploadHint}
        error={fieldErrors[UPLOAD_FIELD]}
        control={(attributes) => <input {...attributes} type="file" accept="application/pdf,.pdf" />}
      />
      <button type="submit" formaction={action} formenctype={action === undefined ? undefined : 'multipart/form-data'}>
        {t.upload}
      </button>
    </>
  );
}

/**
 * Reads the PDF that was chosen in a form, and responds.
 * @param file the use case that stores the PDF
 * @param refuse responds with the form if the PDF is missing or refused
 * @param then responds to a chosen PDF. Its parameter `run` runs `file`
 */
export async function upload(
  c: ManageContext,
  file: (bytes: Uint8Array) => Promise<unknown>,
  refuse: (fieldErrors: FieldErrors) => Promise<Response>,
  then: (run: () => Promise<unknown>) => Promise<Response>,
): Promise<Response> {
  const { form } = c.var;
  const { uploadErrors } = sharedMessages(c.var).prescriptions;
  if (form.isTooLarge) return refuse({ [UPLOAD_FIELD]: uploadErrors.prescription_too_large });
  const bytes = await form.file(UPLOAD_FIELD);
  if (!bytes) return refuse({ [UPLOAD_FIELD]: uploadErrors.none });
  try {
    return await then(() => file(bytes));
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code in uploadErrors)) throw error;
    return refuse({ [UPLOAD_FIELD]: textFor(uploadErrors, error.code) });
  }
}
