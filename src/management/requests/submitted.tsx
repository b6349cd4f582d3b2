import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { Differences, productOf } from './line-row';
import { messages } from './messages';
import { PersonStrip } from './person-panels';
import { ProductFacts } from './product-choices';
import type { ReviewProps } from './review-state';

/** The submission exactly as it was sent, each item beside its matched product. */
export function SubmittedItems({ view, review }: Omit<ReviewProps, 'state'>) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const { request } = review;
  const items = request.items.map((item) => ({ ...item, product: productOf(review, item) }));
  return (
    <Panel title={t.submitted}>
      {items.length === 0 ? (
        <p class="quiet">{t.noItems}</p>
      ) : (
        <Table
          class="asked"
          rows={items}
          columns={[
            {
              label: t.asked,
              kind: 'name',
              cell: ({ name, p1Id, productId }) => (
                <>
                  {name === null ? <span class="quiet">{orders.noName}</span> : <bdi>{name}</bdi>}
                  <small>
                    <bdi>{p1Id ?? productId}</bdi>
                  </small>
                </>
              ),
            },
            {
              label: t.matched,
              cell: ({ product, ...item }) => (
                <>
                  {product ? (
                    <ProductFacts view={view} product={product} />
                  ) : (
                    <span class="quiet">{t.blockerShort.unmatched_line}</span>
                  )}
                  {product && <Differences view={view} product={product} item={item} />}
                </>
              ),
            },
            { label: common.quantity, kind: 'number', cell: ({ quantity }) => quantity },
            {
              label: orders.unitPrice,
              kind: 'number',
              cell: ({ priceCents }) => formatMoney(view.language, priceCents),
            },
          ]}
        />
      )}
      {request.totalCents !== null && (
        <p class="number">
          <strong>
            {orders.total}: {formatMoney(view.language, request.totalCents)}
          </strong>
        </p>
      )}
    </Panel>
  );
}

/** Customer, delivery and payment. */
export function CustomerPanel({ view, review }: Omit<ReviewProps, 'state'>) {
  const { request } = review;
  const { common, orders, requests } = sharedMessages(view);
  const t = messages(view);
  const address = [request.addressStreet, [request.addressPostalCode, request.addressCity].filter(Boolean).join(' ')];
  const facts: [string, string | null][] = [
    [common.name, request.customerName],
    [requests.email, request.customerEmail],
    [t.customerId, request.customerId],
    [orders.address, address.filter(Boolean).join(', ') || null],
    [orders.fields.address_phone, request.addressPhone],
    [t.shipping, request.shippingOption ?? t.noShipping],
    [orders.payment, t.payments[request.paymentStatus]],
    [orders.fields.payment_reference, request.paymentReference],
  ];
  return (
    <Panel title={orders.customer}>
      <Facts entries={facts.map(([name, value]) => [name, value === null ? null : <bdi>{value}</bdi>])} />
      <PersonStrip view={view} review={review} />
    </Panel>
  );
}
