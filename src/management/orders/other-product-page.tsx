import { type Order, supplyKey } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Form } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Panel, Say } from '../ui/parts';
import { ExchangeForm } from './exchange-form';
import type { ExchangeProps } from './order-props';
import { otherProductMessages } from './other-product-messages';
import { supplyMessages } from './supply-messages';

/** Another product for one line: search or scan, choice, what differs, reason, one button. */
export function OtherProductPage(props: ExchangeProps) {
  const { view, order, place, typed, found, planned } = props;
  const t = otherProductMessages(view);
  const line = order.items[place];
  if (!line) return null;
  const path = orderPath(order.id);
  return (
    <Page
      view={view}
      title={t.title(order.number)}
      heading={t.heading}
      lead={
        <>
          {`${sharedMessages(view).orders.id} ${order.number} · `}
          <bdi>{customerOf(view, order)}</bdi>
        </>
      }
      fieldErrors={typed.fieldErrors}
      back={{ path, label: t.keep }}
    >
      <Panel title={line.productName ?? line.name} isWide>
        <Form view={view} action={`${path}/products`} class="scan">
          <Hidden name="line" value={supplyKey(order, place)} />
          <label class="unseen" for="q">
            {t.search}
          </label>
          <Icon name="scan" />
          <input
            id="q"
            name="q"
            value={typed.q ?? ''}
            placeholder={t.search}
            autocomplete="off"
            spellcheck={false}
            maxlength={200}
            data-scan
            data-key="s"
          />
          <button type="submit">{sharedMessages(view).common.show}</button>
        </Form>
        {typed.q && found.length === 0 && !planned && (
          <Say tone="wait" role="status">
            {t.nothing}
          </Say>
        )}
        {!planned && found.length > 0 && <Choice {...props} />}
        {planned && <ExchangeForm {...props} planned={planned} />}
        <p>
          <a href={`${path}/later?line=${place}`}>{`${supplyMessages(view).split} …`}</a>
        </p>
      </Panel>
    </Page>
  );
}

/** What the search found, each with its button. */
function Choice({ view, order, place, typed, found }: ExchangeProps) {
  const t = otherProductMessages(view);
  const { orders, requests } = sharedMessages(view);
  const line = order.items[place] as Order['items'][number];
  return (
    <Form view={view} action={`${orderPath(order.id)}/products`}>
      <Hidden name="line" value={supplyKey(order, place)} />
      <Hidden name="q" value={typed.q ?? ''} />
      <ul class="found">
        {found.map((product) => (
          <li>
            <span>
              <b>
                <bdi>{product.name}</bdi>
              </b>
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
            {product.p1Id === line.p1Id ? (
              <small>{t.same}</small>
            ) : (
              <button type="submit" name="p1_id" value={product.p1Id} aria-label={`${t.choose}: ${product.name}`}>
                {t.choose}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Form>
  );
}
