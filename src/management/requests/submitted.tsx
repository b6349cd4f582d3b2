import type { OrderableProduct } from '../../inventory/service';
import type { RequestItem } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { Differences, productOf } from './line-row';
import { messages } from './messages';
import { ProductFacts } from './product-choices';
import type { ReviewProps } from './review-state';

/** The submission exactly as it was sent. */
export function SubmittedItems({ view, review }: Omit<ReviewProps, 'state'>) {
  const t = messages(view);
  const { request } = review;
  return (
    <section class="panel">
      <h2>{t.submitted}</h2>
      {request.items.length === 0 && <p class="quiet">{t.noItems}</p>}
      {request.items.length > 0 && (
        <table class="cards asked">
          <TableHead
            columns={[t.asked, t.matched, { label: t.quantity, class: 'number' }, { label: t.price, class: 'number' }]}
          />
          <tbody>
            {request.items.map((item) => (
              <SubmittedItem view={view} item={item} product={productOf(review, item)} />
            ))}
          </tbody>
        </table>
      )}
      {request.totalCents !== null && (
        <p class="number">
          <strong>
            {t.total}: {formatMoney(view.language, request.totalCents)}
          </strong>
        </p>
      )}
    </section>
  );
}

/** The submitted item beside its matched product. */
function SubmittedItem({ view, item, product }: { view: View; item: RequestItem; product?: OrderableProduct }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <tr>
      <td>
        {item.name === null ? <span class="quiet">{shared.orders.noName}</span> : <bdi>{item.name}</bdi>}
        <small>
          <bdi>{item.p1Id ?? item.productId}</bdi>
        </small>
      </td>
      <td data-label={t.matched}>
        {product ? <ProductFacts view={view} product={product} /> : <span class="quiet">{t.noMatch}</span>}
        {product && <Differences view={view} product={product} item={item} />}
      </td>
      <td class="number" data-label={t.quantity}>
        {item.quantity}
      </td>
      <td class="number" data-label={t.price}>
        {formatMoney(view.language, item.priceCents)}
      </td>
    </tr>
  );
}

/** Customer, delivery and payment. */
export function CustomerPanel({ view, review: { request } }: Omit<ReviewProps, 'state'>) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const address = [request.addressStreet, [request.addressPostalCode, request.addressCity].filter(Boolean).join(' ')];
  const facts: [string, string | null][] = [
    [t.name, request.customerName],
    [shared.requests.email, request.customerEmail],
    [t.customerId, request.customerId],
    [t.address, address.filter(Boolean).join(', ') || null],
    [t.phone, request.addressPhone],
    [t.shipping, request.shippingOption ?? t.noShipping],
    [t.payment, t.payments[request.paymentStatus]],
    [t.paymentReference, request.paymentReference],
  ];
  return (
    <section class="panel">
      <h2>{shared.requests.customer}</h2>
      <dl>
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </>
          ))}
      </dl>
    </section>
  );
}
