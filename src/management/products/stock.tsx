import { changeStock, STOCK_REASONS } from '../../inventory/service';
import type { ManageContext } from '../http/env';
import type { Flash } from '../http/flash-messages';
import { type ControlAttributes, Form, Labeled, Options, Submit } from '../ui/fields';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { labelFor } from '../ui/parts';
import type { View } from '../ui/view';
import { ofStocked } from './context';
import { messages } from './messages';

/** Typed values of a stock change. */
export interface TypedStock {
  p1Id: string;
  change: string;
  reason: string;
  fieldErrors: FieldErrors;
}

/** Changes a product's stock as a form asks. @returns the flash that says so; or what was refused, as it was typed */
export async function changeStockAsTyped(
  c: ManageContext,
  p1Id: string,
): Promise<{ flash: Flash; refused?: never } | { flash?: never; refused: TypedStock }> {
  const typed = { p1Id, ...c.var.form.texts('change', 'reason') };
  const change = parseChange(typed.change);
  const reason = STOCK_REASONS.find((each) => each === typed.reason);
  if (!change || !reason) {
    const fieldErrors = {
      ...(!change && { change: messages(c.var).changeFault }),
      ...(!reason && { reason: sharedMessages(c.var).fieldErrors.reason_required }),
    };
    return { refused: { ...typed, fieldErrors } };
  }
  const { value, fieldErrors } = await tryForm(c.var, { insufficient_stock: 'change' }, () =>
    ofStocked(() => changeStock(c.var.ctx, { p1Id, change, reason })),
  );
  if (fieldErrors) return { refused: { ...typed, fieldErrors } };
  return { flash: value.changed.length > 0 ? 'stock_changed' : 'stock_same' };
}

/** `+10` or `10` adds, `-2` removes, `=25` says what was counted in the house. @returns null for other texts and for no change */
export function parseChange(text: string): { delta: number } | { onHand: number } | null {
  const [, sign, digits] = /^([+\-−–=]?) ?(\d{1,9})$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (sign === '=') return { onHand: count };
  if (count === 0) return null;
  return { delta: sign === '' || sign === '+' ? count : -count };
}

/** A whole number from 0. @returns null for anything else */
export function parseCount(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

interface StockFormProps {
  view: View;
  action: string;
  /** Unique per row; prefix for the HTML ids of its fields. */
  id: string;
  p1Id: string;
  /** The name of the product in labels. */
  name: string;
  typed?: TypedStock;
}

/** Change and reason on one line, for a row of the list. */
export function StockForm({ view, action, id, p1Id, name, typed }: StockFormProps) {
  const t = messages(view);
  const fieldErrors = Object.values(typed?.fieldErrors ?? {});
  const described = fieldErrors.length > 0 ? `fault-${id}` : undefined;
  const isWrong = (field: string) => (typed?.fieldErrors[field] ? 'true' : undefined);
  return (
    <Form view={view} action={action} class="inline stock-form">
      <RowFault id={described} texts={fieldErrors} />
      <input type="hidden" name="p1_id" value={p1Id} />
      <label for={`change-${id}`} class="unseen">
        {t.changeOf(name)}
      </label>
      <input
        id={`change-${id}`}
        class="short"
        name="change"
        value={typed?.change}
        placeholder="±"
        title={t.changeHint}
        autocomplete="off"
        maxlength={12}
        aria-invalid={isWrong('change')}
        aria-describedby={described}
      />
      <label for={`reason-${id}`} class="unseen">
        {t.reasonOf(name)}
      </label>
      <ReasonSelect
        view={view}
        attributes={{
          id: `reason-${id}`,
          name: 'reason',
          'aria-describedby': described,
          'aria-invalid': isWrong('reason'),
        }}
        none={sharedMessages(view).common.reason}
        chosen={typed?.reason}
      />
      <button type="submit">{labelFor(t.book, name)}</button>
    </Form>
  );
}

/** What is wrong in the form of a row, on one line. @param id undefined if nothing is */
export function RowFault({ id, texts }: { id: string | undefined; texts: readonly string[] }) {
  if (!id) return null;
  return (
    <p class="fault" id={id} role="alert" tabindex={-1} data-focus>
      {texts.join(' ')}
    </p>
  );
}

/** The same with visible labels, for the product's own page. */
export function StockPanelForm({ view, action, typed }: { view: View; action: string; typed?: TypedStock }) {
  const t = messages(view);
  const { change, reason } = typed?.fieldErrors ?? {};
  return (
    <Form view={view} action={action}>
      <Labeled
        name="change"
        label={t.change}
        hint={t.changeHint}
        error={change}
        control={(attributes) => <input {...attributes} value={typed?.change} autocomplete="off" maxlength={12} />}
      />
      <Labeled
        name="reason"
        label={sharedMessages(view).common.reason}
        error={reason}
        control={(attributes) => <ReasonSelect {...{ view, attributes }} none={t.choose} chosen={typed?.reason} />}
      />
      <Submit>{t.book}</Submit>
    </Form>
  );
}

interface ReasonProps {
  view: View;
  attributes: ControlAttributes;
  /** Shown while nothing is selected. */
  none: string;
  chosen?: string;
}

function ReasonSelect({ view, attributes, none, chosen }: ReasonProps) {
  const { reasons } = messages(view);
  return (
    <select {...attributes}>
      <Options options={STOCK_REASONS.map((value) => ({ value, label: reasons[value] }))} value={chosen} none={none} />
    </select>
  );
}
