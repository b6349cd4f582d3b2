import { readCode } from '../../codes/service';
import { changeStock, STOCK_REASONS, type StockChange, type StockReason } from '../../inventory/service';
import type { ManageContext } from '../http/env';
import type { Flash } from '../http/flash-messages';
import { type ControlAttributes, Form, Labeled, Options, Submit } from '../ui/fields';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
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
  const reason =
    typed.reason === '' && change ? usualReason(change) : STOCK_REASONS.find((each) => each === typed.reason);
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

/**
 * `+10` or `10` adds, `-2` removes, `=25` says what was counted in the house.
 * @returns null for other texts, for no change, and for the number of a pack: a scanner typed that
 */
export function parseChange(text: string): { delta: number } | { onHand: number } | null {
  if (readCode(text)) return null;
  const [, sign, digits] = /^([+\-−–=]?) ?(\d{1,9})$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (sign === '=') return { onHand: count };
  if (count === 0) return null;
  return { delta: sign === '' || sign === '+' ? count : -count };
}

/** Why a stock is changed where nobody says so: more was delivered, less is a correction, all of it was counted. */
export function usualReason(change: StockChange): StockReason {
  if ('delta' in change) return change.delta < 0 ? 'correction' : 'delivery';
  return 'count';
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
  /** The product was scanned: what is typed next is its change. */
  isFocused?: true;
}

/** The change in a row of the list: Enter books it, for the usual reason. */
export function StockForm({ view, action, id, p1Id, name, typed, isFocused }: StockFormProps) {
  const t = messages(view);
  const fieldErrors = Object.values(typed?.fieldErrors ?? {});
  const described = fieldErrors.length > 0 ? `fault-${id}` : undefined;
  return (
    <Form view={view} action={action} class="book" once>
      <RowFault id={described} texts={fieldErrors} />
      <Hidden name="p1_id" value={p1Id} />
      <input
        name="change"
        value={typed?.change}
        placeholder="+10, =25"
        aria-label={t.changeOf(name)}
        autocomplete="off"
        maxlength={12}
        data-amount
        autofocus={isFocused}
        data-focus={isFocused}
        aria-invalid={described && 'true'}
        aria-describedby={described}
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
    <Form view={view} action={action} once>
      <Labeled
        name="change"
        label={t.change}
        hint={t.changeHint}
        error={change}
        control={(attributes) => (
          <input
            {...attributes}
            value={typed?.change}
            placeholder="+10, -2, =25"
            autocomplete="off"
            maxlength={12}
            data-amount
          />
        )}
      />
      <Labeled
        name="reason"
        label={sharedMessages(view).common.reason}
        error={reason}
        control={(attributes) => <ReasonSelect {...{ view, attributes }} chosen={typed?.reason} />}
      />
      <Submit>{t.book}</Submit>
    </Form>
  );
}

interface ReasonProps {
  view: View;
  attributes: ControlAttributes;
  chosen?: string;
}

/** The reasons of a change; the first is the usual one. */
export function ReasonSelect({ view, attributes, chosen }: ReasonProps) {
  const { reasons, usual } = messages(view);
  return (
    <select {...attributes}>
      <Options options={STOCK_REASONS.map((value) => ({ value, label: reasons[value] }))} value={chosen} none={usual} />
    </select>
  );
}
