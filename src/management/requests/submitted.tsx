import type { OrderableProduct } from '../../inventory/service';
import type { RequestItem } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';
import { Differences, productOf } from './line-row';
import { ProductFacts } from './product-choices';
import type { ReviewProps } from './review-state';

/** What was sent, as it was sent. */
export function SubmittedItems({ view, review }: Omit<ReviewProps, 'state'>) {
  const words = view.words.requests;
  const { request } = review;
  return (
    <section class="panel">
      <h2>{words.submitted}</h2>
      {request.items.length === 0 && <p class="quiet">{words.noItems}</p>}
      {request.items.length > 0 && (
        <table class="cards asked">
          <Heads
            columns={[
              words.asked,
              words.matched,
              { label: words.quantity, class: 'number' },
              { label: words.price, class: 'number' },
            ]}
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
            {words.total}: {formatMoney(view.language, request.totalCents)}
          </strong>
        </p>
      )}
    </section>
  );
}

/** What was asked for beside the product that it was matched to. */
function SubmittedItem({ view, item, product }: { view: View; item: RequestItem; product?: OrderableProduct }) {
  const words = view.words.requests;
  return (
    <tr>
      <td>
        {item.name === null ? <span class="quiet">{view.words.orders.noName}</span> : <bdi>{item.name}</bdi>}
        <small>
          <bdi>{item.p1Id ?? item.productId}</bdi>
        </small>
      </td>
      <td data-label={words.matched}>
        {product ? <ProductFacts view={view} product={product} /> : <span class="quiet">{words.noMatch}</span>}
        {product && <Differences view={view} product={product} item={item} />}
      </td>
      <td class="number" data-label={words.quantity}>
        {item.quantity}
      </td>
      <td class="number" data-label={words.price}>
        {formatMoney(view.language, item.priceCents)}
      </td>
    </tr>
  );
}

/** Who asks, where it goes and how it is paid. */
export function CustomerPanel({ view, review: { request } }: Omit<ReviewProps, 'state'>) {
  const words = view.words.requests;
  const address = [request.addressStreet, [request.addressPostalCode, request.addressCity].filter(Boolean).join(' ')];
  const facts: [string, string | null][] = [
    [words.name, request.customerName],
    [words.email, request.customerEmail],
    [words.customerId, request.customerId],
    [words.address, address.filter(Boolean).join(', ') || null],
    [words.phone, request.addressPhone],
    [words.shipping, request.shippingOption ?? words.noShipping],
    [words.payment, words.payments[request.paymentStatus]],
    [words.paymentReference, request.paymentReference],
  ];
  return (
    <section class="panel">
      <h2>{words.customer}</h2>
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
