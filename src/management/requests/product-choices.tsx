import type { OrderableProduct } from '../../inventory/service';
import { requestPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { priceText } from '../ui/price';
import type { View } from '../ui/view';
import { messages } from './messages';

export function pickerPath(requestId: string): string {
  return `${requestPath(requestId)}/products`;
}

/** What was found, for the script. */
export function ChoiceList({ view, found }: { view: Pick<View, 'language'>; found: OrderableProduct[] }) {
  const t = messages(view);
  return (
    <ul class="choices" aria-label={t.productId} data-said={t.foundProducts(found.length)}>
      {found.map((product) => (
        <li
          data-product={product.p1Id}
          data-price={priceText(product.priceCents, view.language)}
          data-own={product.prescriptionRequired}
        >
          <ProductFacts view={view} product={product} />
        </li>
      ))}
    </ul>
  );
}

/** A product as the request's shop sells it. */
function ProductFacts({ view, product }: { view: Pick<View, 'language'>; product: OrderableProduct }) {
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
