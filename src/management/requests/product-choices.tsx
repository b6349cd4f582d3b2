import type { OrderableProduct } from '../../inventory/service';
import { requestPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { priceText } from '../ui/price';
import type { View } from '../ui/view';
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

/** The choices as buttons of the line's form: without scripts this is the only way to keep what was typed. */
export function Choices({ view, requestId, picking }: { view: View; requestId: string; picking: Picking }) {
  const { row, found, picked } = picking;
  if (picked) {
    return (
      <p class="choices" role="status" tabindex={-1} data-focus>
        <ProductFacts view={view} product={picked} />
      </p>
    );
  }
  return (
    <div class="choices" role="status" tabindex={-1} data-focus>
      <p class="hint">{messages(view).foundProducts(found?.length ?? 0)}</p>
      {found?.map((product) => (
        <button type="submit" name="pick" value={`${row}:${product.p1Id}`} formaction={pickerPath(requestId)}>
          <ProductFacts view={view} product={product} />
        </button>
      ))}
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
        {product.prescriptionRequired && ` · ${shared.orders.prescriptionRequired}`} · <bdi>{product.p1Id}</bdi>
      </small>
    </span>
  );
}
