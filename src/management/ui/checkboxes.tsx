import type { Form } from '../http/form-data';

export function Checkbox({ name, label, hint, isOn }: { name: string; label: string; hint?: string; isOn: boolean }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="on" checked={isOn} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

/** The values whose checkboxes are checked. */
export function ticked<T extends string>(form: Form, values: readonly T[]): T[] {
  return values.filter((value) => form.text(value) === 'on');
}
