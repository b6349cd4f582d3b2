import type { OrderableProduct } from '../../inventory/service';
import { requestPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { priceText } from '../ui/price';
import type { View } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import type { Picking } from './review-state';

export function pickerPath(requestId: string): string {
  return `${requestPath(requestId)}/products`;
}

/** What was found, for the script. */
export function ChoiceList({ view, found }: { view: Pick<View, 'language'>; found: OrderableProduct[] }) {
  const t = messages(view);
  return (
    <ul class="choices" aria-label={t.productId} data-said={t.foundProducts(found.length)}>
      {found.map((product) => (
        <li data-product={product.p1Id} data-price={priceText(product.priceCents, view.language)}>
          <ProductFacts view={view} product={product} />
        </li>
      ))}
    </ul>
  );
}

/** The choices as buttons of the form: without scripts this is the only way to keep what was typed. */
export function Choices({ view, picking }: { view: View; picking: Picking }) {
  const { row, found = [], picked } = picking;
  if (picked) {
    return (
      <p class="hint picks" role="status" tabindex={-1} data-focus>
        <ProductFacts view={view} product={picked} />
      </p>
    );
  }
  return (
    <div class="picks" role="status" tabindex={-1} data-focus>
      <p class="hint">{messages(view).foundProducts(found.length)}</p>
      <ul>
        {found.map((product) => (
          <li>
            <ProductFacts view={view} product={product} />
            <button type="submit" name="pick" value={`${row}:${product.p1Id}`}>
              {itemMessages(view).take}
              <span class="unseen">: {product.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A product as the request's shop sells it. */
export function ProductFacts({ view, product }: { view: Pick<View, 'language'>; product: OrderableProduct }) {
  const shared = sharedMessages(view);
  return (
    <span>
      <bdi>{product.name}</bdi>
      <small>
        {formatMoney(view.language, product.priceCents)} · {shared.requests.inStock(product.stockQuantity)}
        {product.prescriptionRequired && ` · ${shared.orders.prescriptionRequired}`} ·{' '}
        <bdi>{product.pzn ? `PZN ${product.pzn}` : product.p1Id}</bdi>
      </small>
    </span>
  );
}
