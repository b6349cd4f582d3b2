import type { Child } from 'hono/jsx';
import type { OrderableProduct } from '../../inventory/browse';
import type { Review } from '../../order-requests/inbox/inbox';
import { unitOf } from '../../orders/create';
import { requestPath } from '../http/paths';
import { Fault, Hidden } from '../ui/fields';
import { amountText, dayText, formatMoney, formatTime, kept, priceOfUnit, priceText, quantityText } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { contentsOf } from '../ui/order-summary';
import { MarkedName } from '../ui/panels';
import { Icon, Mark, Notice } from '../ui/parts';
import { TableHead } from '../ui/table';
import { useView } from '../ui/view';
import { askedName, decidedViews, type LineView, lineViews } from './findings';
import { itemMessages } from './item-messages';
import { isOtherMedicine, LineFindings, type LineProps, SetButton, spansOf } from './line-findings';
import { messages } from './messages';
import { prescriptionsOf } from './prescription-pane';
import type { ReviewProps } from './review-state';

/** The table rows of one line: the supplied product, the requested item if it differs, the findings, and the fields. */
function LineRows({ review, state, of }: LineProps) {
  const { row } = of;
  return (
    <tbody id={`line-${row}`} data-checked="">
      <tr class={toneOf(of, state)}>
        <Shown {...{ review, of }} />
        <td class="change">
          <details open={isOpened(of, state)}>
            <summary id={`change-${row}`} aria-label={itemMessages().changeLine(row + 1)}></summary>
          </details>
        </td>
      </tr>
      <FlagRow {...{ review, state, of }} />
      <tr class="edit">
        <td colspan={5}>
          <EditFields {...{ state, of }} />
        </td>
      </tr>
    </tbody>
  );
}

/**
 * The tone of a line: `bad` if it has an obstacle or supplies another medicine, `wait` for other differences that must
 * be acknowledged. Differences that are already acknowledged do not count.
 */
function toneOf({ hindrances, differences }: LineView, { acknowledged = [] }: LineProps['state']): string | undefined {
  const open = differences.filter(
    ({ key, difference }) => difference.severity === 'acknowledge' && !acknowledged.includes(key),
  );
  if (hindrances.length > 0 || open.some(({ difference }) => isOtherMedicine(difference.code))) return 'bad';
  return open.length > 0 ? 'wait' : undefined;
}

/**
 * Whether the line's fields are unfolded. Fields are unfolded if one of them has an error, or if the line was just
 * added.
 */
function isOpened({ row }: LineView, { fieldErrors = {}, added }: LineProps['state']): boolean {
  return (
    added === row ||
    ['product', 'quantity', 'price', 'later', 'expected'].some((name) => `${name}-${row}` in fieldErrors)
  );
}

/**
 * The name and number of the prescription to which the platform assigned the item; undefined if it assigned the item to
 * none.
 */
function standsOn({ prescriptions }: ReviewProps['review'], { asked }: LineView): string | undefined {
  const place = asked?.prescription;
  const index = prescriptionsOf({ prescriptions }).findIndex((row) => row.place !== null && row.place === place);
  return index < 0 ? undefined : messages().prescription(index + 1);
}

/** The cells of a line's first table row: amount, supplied product, stock and price. */
function Shown({ review, of }: Omit<LineProps, 'state'>) {
  const { line, typed, product, asked } = of;
  const t = itemMessages();
  const isRemoved = typed.quantity === '0';
  const quantity = line?.quantity ?? Number(typed.quantity);
  const name = product?.name ?? line?.productName ?? (line?.name || asked?.name || typed.productId);
  const stock = product && quantityText(product.stockQuantity, product.unit);
  const onlySupplied = of.differences
    .map(({ difference }) => difference)
    .filter(({ spans }) => spans.asked.length === 0);
  return (
    <>
      <td class="pieces">
        {Number.isFinite(quantity) ? amountText({ ...line, quantity }) : `${typed.quantity} ×`}
        {(line?.prescriptionRequired ?? product?.prescriptionRequired) && (
          <abbr class="rx" title={sharedMessages().orders.prescriptionRequired}>
            Rx
          </abbr>
        )}
      </td>
      <td class="what">
        <b>
          {isRemoved ? (
            <del dir="auto">{name}</del>
          ) : (
            <MarkedName name={name} spans={spansOf(useView(), onlySupplied, 'supplied')} />
          )}
        </b>
        <small>
          {[
            product ? (product.pzn === null ? product.p1Id : `PZN ${product.pzn}`) : t.noProduct,
            ...contentsOf(product),
            standsOn(review, of),
            isRemoved && t.removed,
            of.asked === undefined && typed.productId !== '' && t.added,
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
          <Asked {...{ review, of, name }} />
        </small>
        {typed.later !== '' && line?.quantity !== undefined && !isRemoved && (
          <small class="later">
            <Mark name="half" />{' '}
            {t.nowAndLater(line.quantity - Number(typed.later), dayText(typed.expectedOn), Number(typed.later))}{' '}
            <SetButton row={of.row} set={{ later: '', expected: '' }} label={t.allNow} class="plain" />
          </small>
        )}
        {isRemoved && (
          <SetButton row={of.row} set={{ quantity: String(of.asked?.quantity ?? 1) }} label={t.restore} class="plain" />
        )}
      </td>
      <td class="stock number">{isShort(of) ? <b>{stock}</b> : stock}</td>
      <td class="price number">
        {line && !isRemoved && (
          <>
            {formatMoney(line.priceCents * line.quantity)}
            {line.quantity > 1 && <small>{t.each(priceOfUnit(line.priceCents, line.unit ?? 'piece'))}</small>}
          </>
        )}
      </td>
    </>
  );
}

function isShort({ hindrances }: LineView): boolean {
  return hindrances.some(({ code }) => code === 'insufficient_stock');
}

/** The requested item, if it differs from the supplied product in the row above. */
function Asked({ review, of, name }: Omit<LineProps, 'state'> & { name: string }) {
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
  const isSame = words.trim().toLowerCase() === name.trim().toLowerCase();
  if (isSame && !isOtherQuantity && !isOtherPrice) return null;
  return (
    <>
      {`\u00a0· ${itemMessages().asked}`}: {asked && `${asked.quantity} × `}
      <MarkedName name={words} spans={spansOf(useView(), differences, 'asked')} />
      {isOtherPrice && `, ${formatMoney(asked.priceCents)}`}
    </>
  );
}

/** The row with the line's findings, if it has any. */
function FlagRow({ review, state, of }: LineProps) {
  const isEmpty =
    of.hindrances.length === 0 && of.differences.every(({ difference }) => difference.severity === 'marked');
  if (isEmpty) return null;
  return (
    <tr class="flag">
      <td colspan={5}>
        <LineFindings {...{ review, state, of }} />
      </td>
    </tr>
  );
}

/** The fields of a line. They are in the page even if they are folded, because every button submits all fields. */
function EditFields({ state, of }: Omit<LineProps, 'review'>) {
  const { row, typed, product } = of;
  const t = messages();
  const { fieldErrors } = state;
  const field = (name: string, label: string, value: string) => ({ name: `${name}-${row}`, label, value, fieldErrors });
  // People know a product by its PZN.
  const pzn = product?.p1Id === typed.productId ? product.pzn : null;
  return (
    <div>
      {pzn && <Hidden name={`pzn-${row}`} value={`${pzn} ${typed.productId}`} />}
      <div class="find">
        <LineField {...field('product', itemMessages().pznOrName, pzn ?? typed.productId)} />
      </div>
      <LineField {...field('quantity', sharedMessages().common.quantity, typed.quantity)} inputmode="numeric" />
      <LineField {...field('price', t.unitPrice, typed.price)} inputmode="decimal" />
      {(isShort(of) || typed.later !== '') && (
        <>
          <LineField {...field('later', itemMessages().later, typed.later)} inputmode="numeric" />
          <LineField {...field('expected', itemMessages().expectedOn, typed.expectedOn)} type="date" />
        </>
      )}
      {product?.prescriptionRequired && (
        <label>
          <input type="checkbox" name={`co_payment-${row}`} value="on" checked={typed.isCoPayment} /> {t.coPayment}
        </label>
      )}
      <span class="acts">
        <SetButton row={row} set={{ quantity: '0' }} label={itemMessages().remove} />
        <SetButton row={row} set={{ done: '' }} label={itemMessages().done} />
      </span>
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

/** A field of a line, inside its label. Its markup is short because a request with forty lines has many fields. */
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

/** The lines of a request. For a pending request, they are part of its form. */
export function Items({ review, state }: ReviewProps) {
  const { request } = review;
  if (request.status !== 'pending') {
    const decided = decidedViews(review);
    return (
      <>
        <div class="strip">
          <OnThisPage review={review} count={decided.length} />
        </div>
        <ItemsTable>
          {decided.map((of) => (
            <tbody>
              <tr>
                <Shown {...{ review, of }} />
                <td></td>
              </tr>
            </tbody>
          ))}
        </ItemsTable>
      </>
    );
  }
  const views = lineViews(review, state, useView().language);
  // The last line is empty. Its product field stands above the table.
  const shown = views.slice(0, -1);
  return (
    <div data-picker={`${requestPath(request.id)}/products`}>
      <div class="strip">
        <OnThisPage review={review} count={shown.length} />
        <AddField row={shown.length} />
      </div>
      <Hidden name="lines" value={String(views.length)} />
      {shown.length === 0 && <p class="quiet no-items">{messages().blockerTexts.no_lines}</p>}
      <ItemsTable>
        {shown.map((of) => (
          <LineRows {...{ review, state, of }} />
        ))}
      </ItemsTable>
    </div>
  );
}

function OnThisPage({ review, count }: Omit<ReviewProps, 'state'> & { count: number }) {
  const t = itemMessages();
  const { person, notes, questions, request } = review;
  return (
    <nav aria-label={t.here}>
      <a href="#items">{`${sharedMessages().common.items} ${count}`}</a>
      <a href="#past">{`${t.past} ${person.orders.length + person.requests.length}`}</a>
      <a href="#course">{`${t.course} ${notes.length + questions.length + (request.status === 'pending' ? 1 : 2)}`}</a>
    </nav>
  );
}

/** The product field of a new line. Scans go here. */
function AddField({ row }: { row: number }) {
  const t = itemMessages();
  const name = `product-${row}`;
  return (
    <div class="find">
      <label class="unseen" for={name}>
        {t.add}
      </label>
      <Icon name="scan" />
      <input
        id={name}
        name={name}
        placeholder={t.addHint}
        autocomplete="off"
        data-scan="pzn"
        data-adds
        data-unchecked
        aria-keyshortcuts={useView().hasShortcuts ? 's' : undefined}
      />
    </div>
  );
}

function ItemsTable({ children }: { children: Child }) {
  const t = itemMessages();
  const { common } = sharedMessages();
  return (
    <table class="items" id="items" tabindex={-1}>
      <caption class="unseen">{t.caption}</caption>
      <TableHead
        columns={[
          { label: common.quantity, class: 'pieces' },
          t.product,
          { label: common.stock, class: 'stock number' },
          { label: common.price, class: 'price number' },
          { label: <span class="unseen">{t.change}</span>, class: 'change' },
        ]}
      />
      {children}
    </table>
  );
}

/** The list of found products, which the script fetches (client/picker.js). */
export function ChoiceList({ found }: { found: OrderableProduct[] }) {
  const t = messages();
  return (
    <ul class="choices" aria-label={t.productId} data-said={t.foundProducts(found.length)}>
      {found.map((product) => (
        <li
          data-product={product.p1Id}
          data-price={priceText(product.priceCents, useView().language)}
          data-own={product.prescriptionRequired}
        >
          <ProductFacts product={product} />
        </li>
      ))}
    </ul>
  );
}

/** A product with its price and stock in the request's shop. */
function ProductFacts({ product }: { product: OrderableProduct }) {
  const shared = sharedMessages();
  return (
    <span>
      <bdi>{kept(product.name)}</bdi>
      <small>
        {formatMoney(product.priceCents)} · {shared.requests.inStock(product.stockQuantity)}
        {product.prescriptionRequired && ` · ${shared.orders.prescriptionRequired}`} ·{' '}
        <bdi>{product.pzn ? `PZN ${product.pzn}` : product.p1Id}</bdi>
      </small>
    </span>
  );
}

/** The quantities that are reserved for the request, and when the reservation ends. */
export function Reserved({ review: { reserved, products } }: { review: Review }) {
  const [first] = reserved;
  if (!first) return null;
  const items = reserved.map(({ p1Id, quantity }) => {
    const product = products.get(p1Id);
    return `${amountText({ quantity, ...(product && unitOf(product)) })} ${product?.name ?? p1Id}`;
  });
  return <Notice tone="good">{messages().reservedUntil(formatTime(first.until), items.join(', '))}</Notice>;
}
