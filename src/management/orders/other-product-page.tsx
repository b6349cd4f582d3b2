import type { OrderableProduct } from '../../inventory/service';
import { lineKey, type Order, PRESCRIPTION_CHECKED, SUBSTITUTION_REASONS } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Fault, Field, Form, type FormState, Group, Labeled, Options } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { otherProductMessages } from './other-product-messages';

/** What the form was sent with. */
export type TypedExchange = FormState<'line' | 'q' | 'p1_id' | 'quantity' | 'reason'>;

export interface ExchangeProps {
  view: View;
  order: Order;
  /** The place of the line. */
  place: number;
  typed: TypedExchange;
  found: readonly OrderableProduct[];
  /** What must be ticked before the product that was chosen is handed out. */
  differences: readonly { key: string; code: string; values: readonly unknown[] }[];
  acknowledged: readonly string[];
  /** Who reads may check prescriptions. */
  mayCheck: boolean;
}

/** Another product for one line: search, choice, what differs, reason, one button. */
export function OtherProductPage(props: ExchangeProps) {
  const { view, order, place, typed, found } = props;
  const t = otherProductMessages(view);
  const line = order.items[place];
  if (!line) return null;
  const name = line.productName ?? line.name;
  const path = orderPath(order.id);
  return (
    <Page view={view} title={t.title(order.number)} fieldErrors={typed.fieldErrors}>
      <p>
        {t.accepted}: <strong>{line.quantity} ×</strong> <bdi>{name}</bdi> ·{' '}
        {formatMoney(view.language, line.quantity * line.priceCents)}
      </p>
      <Form view={view} action={`${path}/products`} class="inline">
        <input type="hidden" name="line" value={lineKey(line, place)} />
        <Labeled
          name="q"
          label={t.search}
          control={(attributes) => (
            <input {...attributes} value={typed.q ?? ''} autocomplete="off" maxlength={200} data-scan />
          )}
        />
        <button type="submit">{sharedMessages(view).common.show}</button>
      </Form>
      {typed.q && found.length === 0 && <p class="quiet">{t.nothing}</p>}
      {found.length > 0 && <Choice {...props} />}
      <p>
        <a href={path}>{t.keep}</a>
      </p>
    </Page>
  );
}

function Choice({ view, order, place, typed, found, differences, acknowledged, mayCheck }: ExchangeProps) {
  const t = otherProductMessages(view);
  const { orders, requests } = sharedMessages(view);
  const line = order.items[place] as (typeof order.items)[number];
  const needsCheck = (product: OrderableProduct) => line.prescriptionRequired || product.prescriptionRequired;
  const reasons = SUBSTITUTION_REASONS.map((value) => ({ value, label: t.reasons[value] }));
  const isRefused = !mayCheck && found.every(needsCheck);
  return (
    <Form view={view} action={`${orderPath(order.id)}/other-product`} class="wide" isGuarded>
      <input type="hidden" name="line" value={lineKey(line, place)} />
      <input type="hidden" name="q" value={typed.q ?? ''} />
      <Group name="p1_id" id="p1_id" label={t.now} fault={typed.fieldErrors?.p1_id}>
        {found.map((product) => (
          <label class="choice">
            <input
              type="radio"
              name="p1_id"
              value={product.p1Id}
              checked={product.p1Id === typed.p1_id || found.length === 1}
              disabled={!mayCheck && needsCheck(product)}
            />
            <span>
              <bdi>{product.name}</bdi>
              <small>
                {[
                  product.pzn && `PZN ${product.pzn}`,
                  formatMoney(view.language, product.priceCents),
                  requests.inStock(product.stockQuantity),
                  product.prescriptionRequired && orders.prescriptionRequired,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          </label>
        ))}
      </Group>
      <Field
        name="quantity"
        label={sharedMessages(view).common.quantity}
        value={typed.quantity || String(line.quantity)}
        fieldErrors={typed.fieldErrors}
        inputmode="numeric"
      />
      {differences.length > 0 && (
        <fieldset class={typed.fieldErrors?.acknowledged ? 'field wrong' : 'field'} id="acknowledged">
          <legend>{t.differences}</legend>
          <Fault name="acknowledged" text={typed.fieldErrors?.acknowledged} />
          {differences.map(({ key, code, values }) => (
            <label class="choice">
              <input type="checkbox" name="acknowledged" value={key} checked={acknowledged.includes(key)} />
              <span>{differenceText(view, code, values)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Labeled
        name="reason"
        label={sharedMessages(view).common.reason}
        error={typed.fieldErrors?.reason}
        control={(attributes) => (
          <select {...attributes}>
            <Options options={reasons} value={typed.reason} none={orders.choose} />
          </select>
        )}
      />
      {isRefused ? <p class="fault">{t.whoChecks}</p> : <button type="submit">{t.exchange}</button>}
    </Form>
  );
}

/** `20 St statt 50 St`: both values, in the words of the code where it has any. */
function differenceText(view: View, code: string, values: readonly unknown[]): string {
  const t = otherProductMessages(view);
  if (code === PRESCRIPTION_CHECKED) return t.prescriptionChecked;
  const isMoney = code === 'total' || code === 'price';
  const text = (value: unknown) =>
    isMoney
      ? formatMoney(view.language, Number(value))
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const [accepted, now] = [text(values[0]), text(values[1])];
  return `${textFor(t.codes, code)}: ${t.insteadOf(now, accepted)}`;
}
