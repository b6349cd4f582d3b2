import { PRODUCT_FIELDS, productFields } from '../../catalog/fields';
import type { ProductDetail, ShopOffer } from '../../inventory/service';
import { productPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form } from '../ui/fields';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { type ListFilter, withFilter } from './list-filter';
import { messages } from './messages';

interface ConfirmProps {
  view: View;
  product: ProductDetail;
  filter: ListFilter;
}

/** Asks for confirmation before a product leaves the inventory, and says what is deleted with it. */
export function RemovePage({ view, product, filter }: ConfirmProps) {
  const t = messages(view);
  const offering = product.shops.filter(({ isAttached }) => isAttached);
  return (
    <Page view={view} title={t.removeTitle(product.name)}>
      {product.stockQuantity > 0 && <p>{t.removeStock(product.stockQuantity)}</p>}
      <p>{offering.length > 0 ? t.removeShops : t.removeNoShop}</p>
      <Names names={offering.map(({ name }) => name)} />
      <p>{t.removeLead}</p>
      <Confirm {...{ view, product, filter }} sub="/remove" label={t.remove} />
    </Page>
  );
}

/** Asks for confirmation before a shop stops offering a product, because the shop's own values are lost. */
export function DetachPage({ view, product, filter, shop }: ConfirmProps & { shop: ShopOffer }) {
  const t = messages(view);
  const overridden = PRODUCT_FIELDS.filter((field) => field in shop.overrides);
  return (
    <Page view={view} title={t.detachTitle(product.name, shop.name)}>
      <p>{t.detachLead}</p>
      {overridden.length > 0 && <p>{t.detachOverrides}</p>}
      <Names names={overridden.map((field) => t.fields[productFields[field].wire])} />
      <Confirm {...{ view, product, filter }} sub={`/shops/${shop.id}/detach`} label={t.detach} />
    </Page>
  );
}

function Names({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <ul class="names">
      {names.map((name) => (
        <li>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Confirm({ view, product, filter, sub, label }: ConfirmProps & { sub: string; label: string }) {
  return (
    <Form view={view} action={withFilter(`${productPath(product.p1Id)}${sub}`, filter)}>
      <Decision view={view} act={label} back={withFilter(productPath(product.p1Id), filter)} />
    </Form>
  );
}
