import { Fault } from '../ui/fields';
import { dayText, formatMoney } from '../ui/format';
import { Mark } from '../ui/icons';
import { MarkedName } from '../ui/marked-name';
import { sharedMessages } from '../ui/messages';
import { spansOf } from './difference-text';
import { itemMessages } from './item-messages';
import { isOtherMedicine, LineFindings, SetButton } from './line-findings';
import { askedName, type LineView } from './line-views';
import { messages } from './messages';
import { Choices } from './product-choices';
import type { ReviewProps } from './review-state';

interface LineProps extends ReviewProps {
  of: LineView;
}

/** One line: the product that leaves the shop, what was asked for where it differs, what is to be settled, and its fields. */
export function LineRows({ view, review, state, of }: LineProps) {
  const { row } = of;
  return (
    <tbody id={`line-${row}`} data-checked="">
      <tr class={toneOf(of, state)}>
        <Shown {...{ view, review, of }} />
        <td class="change">
          <details open={isOpened(of, state)}>
            <summary id={`change-${row}`} aria-label={itemMessages(view).changeLine(row + 1)}></summary>
          </details>
        </td>
      </tr>
      <FlagRow {...{ view, review, state, of }} />
      <tr class="edit">
        <td colspan={5}>
          <EditFields {...{ view, state, of }} />
        </td>
      </tr>
    </tbody>
  );
}

/** A line of a request that is decided. */
export function DecidedRows({ view, review, of }: Omit<LineProps, 'state'>) {
  return (
    <tbody>
      <tr>
        <Shown {...{ view, review, of }} />
        <td></td>
      </tr>
    </tbody>
  );
}

/** The edge of a line: red where something blocks or may be another medicine, amber where something is to be acknowledged. */
function toneOf({ hindrances, differences }: LineView, { acknowledged = [] }: LineProps['state']): string | undefined {
  const open = differences.filter(
    ({ key, difference }) => difference.severity === 'acknowledge' && !acknowledged.includes(key),
  );
  if (hindrances.length > 0 || open.some(isOtherMedicine)) return 'bad';
  return open.length > 0 ? 'wait' : undefined;
}

/** Open where a field of it is wrong, or a product is looked for. */
function isOpened({ row }: LineView, { fieldErrors = {}, picking }: LineProps['state']): boolean {
  return (
    picking?.row === row ||
    ['product', 'quantity', 'price', 'later', 'expected'].some((name) => `${name}-${row}` in fieldErrors)
  );
}

/** The cells that say what leaves the shop. */
function Shown({ view, review, of }: Omit<LineProps, 'state'>) {
  const { line, typed, product, asked } = of;
  const t = itemMessages(view);
  const isRemoved = typed.quantity === '0';
  const quantity = line?.quantity ?? Number(typed.quantity);
  const name = product?.name ?? line?.productName ?? (line?.name || asked?.name || typed.productId);
  const onlySupplied = of.differences
    .map(({ difference }) => difference)
    .filter(({ spans }) => spans.asked.length === 0);
  return (
    <>
      <td class="pieces">
        {Number.isFinite(quantity) ? quantity : typed.quantity} ×
        {(line?.prescriptionRequired ?? product?.prescriptionRequired) && (
          <abbr class="rx" title={sharedMessages(view).orders.prescriptionRequired}>
            Rx
          </abbr>
        )}
      </td>
      <td class="what">
        <b>
          {isRemoved ? (
            <del dir="auto">{name}</del>
          ) : (
            <MarkedName name={name} spans={spansOf(view, onlySupplied, 'supplied')} />
          )}
        </b>
        <small>
          {[
            product ? (product.pzn === null ? product.p1Id : `PZN ${product.pzn}`) : t.noProduct,
            isRemoved && t.removed,
            of.asked === undefined && typed.productId !== '' && t.added,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        {typed.later !== '' && line?.quantity !== undefined && !isRemoved && (
          <small class="later">
            <Mark name="half" />{' '}
            {t.nowAndLater(
              line.quantity - Number(typed.later),
              dayText(view.language, typed.expectedOn),
              Number(typed.later),
            )}{' '}
            <SetButton row={of.row} set={{ later: '', expected: '' }} label={t.allNow} class="plain" />
          </small>
        )}
        {isRemoved && (
          <SetButton row={of.row} set={{ quantity: String(of.asked?.quantity ?? 1) }} label={t.restore} class="plain" />
        )}
        <Asked {...{ view, review, of, name }} />
      </td>
      <td class="stock number">
        {product && (
          <>
            {isShort(of) ? <b>{product.stockQuantity}</b> : product.stockQuantity}
            {isShort(of) && <small>{t.tooFew}</small>}
          </>
        )}
      </td>
      <td class="price number">
        {line && !isRemoved && (
          <>
            {formatMoney(view.language, line.priceCents * line.quantity)}
            {line.quantity > 1 && <small>{t.each(formatMoney(view.language, line.priceCents))}</small>}
          </>
        )}
      </td>
    </>
  );
}

function isShort({ hindrances }: LineView): boolean {
  return hindrances.some(({ code }) => code === 'insufficient_stock');
}

/** What was asked for, where it is not what is shown above. */
function Asked({ view, review, of, name }: Omit<LineProps, 'state'> & { name: string }) {
  const { asked, line } = of;
  const words = askedName(of, review);
  if (words === '') return null;
  const differences = of.differences.map(({ difference }) => difference);
  const isOtherQuantity = asked !== undefined && line !== undefined && asked.quantity !== line.quantity;
  const isOtherPrice =
    asked !== undefined &&
    line !== undefined &&
    asked.priceCents !== line.priceCents &&
    !differences.some(({ code }) => code === 'price' || code === 'sent_price');
  if (isSame(words, name) && !isOtherQuantity && !isOtherPrice) return null;
  const t = itemMessages(view);
  return (
    <small>
      {t.asked}: {asked && `${asked.quantity} × `}
      <MarkedName name={words} spans={spansOf(view, differences, 'asked')} />
      {isOtherPrice && `, ${formatMoney(view.language, asked.priceCents)}`}
    </small>
  );
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** What is to be settled at the line, if anything is. */
function FlagRow({ view, review, state, of }: LineProps) {
  const isEmpty =
    of.hindrances.length === 0 && of.differences.every(({ difference }) => difference.severity === 'marked');
  if (isEmpty) return null;
  return (
    <tr class="flag">
      <td colspan={5}>
        <LineFindings {...{ view, review, state, of }} />
      </td>
    </tr>
  );
}

/** The fields of a line: always in the page, so that each button sends them. */
function EditFields({ view, state, of }: Omit<LineProps, 'review'>) {
  const { row, typed, product } = of;
  const t = messages(view);
  const { picking, fieldErrors } = state;
  const field = (name: string, label: string, value: string) => ({ name: `${name}-${row}`, label, value, fieldErrors });
  return (
    <div>
      <LineField {...field('product', t.productId, typed.productId)} />
      <LineField {...field('quantity', sharedMessages(view).common.quantity, typed.quantity)} inputmode="numeric" />
      <LineField {...field('price', t.unitPrice, typed.price)} inputmode="decimal" />
      {picking?.row === row && <Choices view={view} picking={picking} />}
      {(isShort(of) || typed.later !== '') && (
        <>
          <LineField {...field('later', itemMessages(view).later, typed.later)} inputmode="numeric" />
          <LineField {...field('expected', itemMessages(view).expectedOn, typed.expectedOn)} type="date" />
        </>
      )}
      {product?.prescriptionRequired && (
        <label>
          <input type="checkbox" name={`co_payment-${row}`} value="on" checked={typed.isCoPayment} /> {t.coPayment}
        </label>
      )}
      <SetButton row={row} set={{ quantity: '0' }} label={itemMessages(view).remove} />
    </div>
  );
}

interface LineFieldProps {
  name: string;
  label: string;
  value: string;
  fieldErrors: Record<string, string | undefined> | undefined;
  inputmode?: 'numeric' | 'decimal';
  type?: 'date';
}

/** A field in its label, as short as it can be: forty lines have many. */
function LineField({ name, label, value, fieldErrors, ...more }: LineFieldProps) {
  const fault = fieldErrors?.[name];
  const wrong = fault && ({ id: name, 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` } as const);
  return (
    <>
      <Fault name={name} text={fault} />
      <label>
        {label}
        <input name={name} value={value} {...more} {...wrong} />
      </label>
    </>
  );
}
