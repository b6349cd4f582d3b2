import type { OrderableProduct } from '../../inventory/service';
import { isNameMismatch, isPriceOff, type RequestItem, type Review } from '../../order-requests/service';
import { Fault, Field } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { differenceText } from './difference-text';
import type { TypedLine } from './lines';
import { messages } from './messages';
import { Choices, ProductFacts, pickerPath } from './product-choices';
import type { ReviewProps } from './review-state';

interface LineProps extends ReviewProps {
  line: TypedLine;
  row: number;
}

/** One line to approve: the product that would be handed out, the submitted item, and the fields to change it. */
export function LineRow({ view, review, state, line, row }: LineProps) {
  const { fieldErrors, picking } = state;
  const t = messages(view);
  const requestId = review.request.id;
  const product = review.products.get(line.productId);
  const isPicked = picking?.row === row && picking.picked !== undefined;
  const field = (name: string, label: string, value: string) => ({ name: `${name}-${row}`, label, value, fieldErrors });
  return (
    <fieldset class="line">
      <legend>{line.name ? <bdi>{line.name}</bdi> : t.addLine}</legend>
      <div class="matched" id={`matched-${row}`} data-checked={t.unchecked}>
        {product && !isPicked && <Matched view={view} product={product} item={review.request.items[row]} />}
      </div>
      <input type="hidden" name={`name-${row}`} value={line.name} />
      <input type="hidden" name={`given-${row}`} value={line.givenId} />
      <Field {...field('product', t.productId, line.productId)} data-picker={pickerPath(requestId)} data-scan="pzn" />
      <p class="search-line">
        <button class="plain" type="submit" name="search" value={String(row)} formaction={pickerPath(requestId)}>
          {t.searchProduct}
        </button>
      </p>
      {picking?.row === row && <Choices view={view} requestId={requestId} picking={picking} />}
      <Field {...field('quantity', sharedMessages(view).common.quantity, line.quantity)} inputmode="numeric" />
      <Field {...field('price', t.unitPrice, line.price)} inputmode="decimal" />
      {product?.prescriptionRequired && (
        <label class="choice">
          <input type="checkbox" name={`co_payment-${row}`} value="on" checked={line.isCoPayment} />
          <span>{t.coPayment}</span>
        </label>
      )}
      <Acknowledgements view={view} review={review} state={state} row={row} />
    </fieldset>
  );
}

/** How the line differs from what was asked for, each with its tick where staff have to acknowledge it. */
function Acknowledgements({ view, review, state, row }: ReviewProps & { row: number }) {
  const t = messages(view);
  const place = state.rows ? state.rows.indexOf(row) : row;
  const found = review.differences.filter(({ line }) => line === place);
  const first = found.find(({ difference }) => difference.severity === 'acknowledge');
  const name = `acknowledged-${row}`;
  const fault = state.fieldErrors?.[name];
  return (
    <>
      <Fault name={name} text={fault} />
      {found.map(({ key, difference }) =>
        difference.severity === 'acknowledge' ? (
          <label class="choice">
            <input
              type="checkbox"
              id={key === first?.key ? name : undefined}
              name="acknowledged"
              value={key}
              checked={state.acknowledged?.includes(key)}
            />
            <span>
              {differenceText(view, difference)}
              <small>{t.acknowledge}</small>
            </span>
          </label>
        ) : (
          <small class="quiet">{differenceText(view, difference)}</small>
        ),
      )}
    </>
  );
}

interface MatchedProps {
  view: View;
  product: OrderableProduct;
  /** Undefined for a line that the pharmacy added. */
  item: RequestItem | undefined;
}

/** The matched product and how the submitted item differs. */
function Matched({ view, product, item }: MatchedProps) {
  const t = messages(view);
  return (
    <>
      <span class="quiet">{t.matched}: </span>
      <ProductFacts view={view} product={product} />
      {item && <Differences view={view} product={product} item={item} />}
      {item && (
        <small>
          {t.asked}: {item.quantity} × {formatMoney(view.language, item.priceCents)}
        </small>
      )}
    </>
  );
}

/** Labels that name how a submitted item differs from the product. */
export function Differences({ view, product, item }: MatchedProps & { item: RequestItem }) {
  const shared = sharedMessages(view);
  const isOff = !product.prescriptionRequired && isPriceOff(item.priceCents, product.priceCents);
  const isOther = item.name !== null && isNameMismatch(item.name, product.name);
  if (!isOff && !isOther) return null;
  return (
    <span class="chips">
      {isOther && <Chip tone="bad">{shared.requests.nameDiffers}</Chip>}
      {isOff && <Chip tone="wait">{shared.requests.warningTexts.price_mismatch}</Chip>}
    </span>
  );
}

/** The product that a submitted item was matched to. */
export function productOf({ products }: Pick<Review, 'products'>, item: RequestItem): OrderableProduct | undefined {
  return products.get(item.p1Id ?? '') ?? products.get(item.productId ?? '');
}
