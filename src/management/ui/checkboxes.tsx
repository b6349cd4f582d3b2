import type { Child } from '../../platform/markup';
import type { Form } from '../http/form-data';
import type { FieldErrors } from './form-errors';

interface CheckboxGroupProps {
  /** Key of an error that concerns the whole group. */
  name: string;
  label: string;
  class?: string;
  fault?: FieldErrors[string];
  children: Child;
}

/** A group of checkboxes; its children are `Checkbox`. */
export function CheckboxGroup({ name, label, class: more = '', fault, children }: CheckboxGroupProps) {
  return (
    <fieldset
      id={name}
      class={`field ${fault ? 'wrong' : ''} ${more}`.trim().replace(/ +/g, ' ')}
      aria-describedby={fault ? `${name}-fault` : undefined}
    >
      <legend>{label}</legend>
      {fault && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      {children}
    </fieldset>
  );
}

export function Checkbox({ name, label, hint, isOn }: { name: string; label: string; hint: string; isOn: boolean }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="on" checked={isOn} />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
}

/** The values whose checkboxes are checked. */
export function ticked<T extends string>(form: Form, values: readonly T[]): T[] {
  return values.filter((value) => form.text(value) === 'on');
}
