import { PRODUCT_FIELDS, productFields } from '../../catalog/fields';
import type { ProductDetail, ShopOffer } from '../../inventory/service';
import { productPath } from '../http/paths';
import { Form } from '../ui/fields';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, labelFor, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { shownValue } from './fields';
import { type ListFilter, withFilter } from './list-filter';
import { messages } from './messages';

interface ShopsProps {
  view: View;
  product: ProductDetail;
  filter: ListFilter;
  mayEdit: boolean;
}

/** Which shops offer the product, and what of it differs in each. */
export function ShopsPanel({ view, product, filter, mayEdit }: ShopsProps) {
  return (
    <Panel title={sharedMessages(view).nav.shops}>
      <Facts
        entries={product.shops.map((shop) => [
          <bdi>{shop.name}</bdi>,
          shop.isAttached ? (
            <Offered {...{ view, product, filter, mayEdit, shop }} />
          ) : (
            <NotOffered {...{ view, product, filter, mayEdit, shop }} />
          ),
        ])}
      />
    </Panel>
  );
}

type ShopProps = ShopsProps & { shop: ShopOffer };

function Offered({ view, product, filter, mayEdit, shop }: ShopProps) {
  const t = messages(view);
  const { values, sources } = shop.resolved;
  const own = PRODUCT_FIELDS.filter((field) => sources[field] === 'shop');
  return (
    <>
      {shop.isActive ? <Chip tone="good">{t.offered}</Chip> : <Chip tone="off">{t.inactive}</Chip>}
      {own.length > 0 && (
        <small>
          {t.ownValue}:{' '}
          {own
            .map((field) => {
              const name = t.fields[productFields[field].wire];
              // Texts stand beside, in the table.
              return typeof values[field] === 'string' ? name : `${name} ${shownValue(view, field, values[field])}`;
            })
            .join(', ')}
        </small>
      )}
      {mayEdit && (
        <small>
          <a href={withFilter(`${productPath(product.p1Id)}/shops/${shop.id}/detach`, filter)}>
            {labelFor(t.detach, t.detachFrom(shop.name))}
          </a>
        </small>
      )}
    </>
  );
}

function NotOffered({ view, product, filter, mayEdit, shop }: ShopProps) {
  const t = messages(view);
  return (
    <>
      <Chip tone="off">{t.notOffered}</Chip>
      {mayEdit && product.stockQuantity === 0 && <small>{t.attachNeedsStock}</small>}
      {mayEdit && product.stockQuantity > 0 && (
        <Form view={view} action={withFilter(`${productPath(product.p1Id)}/shops/${shop.id}/attach`, filter)}>
          <button class="tiny" type="submit">
            {labelFor(t.attach, t.attachIn(shop.name))}
          </button>
        </Form>
      )}
    </>
  );
}
