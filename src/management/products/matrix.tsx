import { PRODUCT_FIELDS, type ProductField, productFields } from '../../catalog/fields';
import type { ProductDetail, ShopOffer, Source } from '../../inventory/service';
import { productPath } from '../http/paths';
import { Form } from '../ui/fields';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor } from '../ui/parts';
import type { View } from '../ui/view';
import { shownValue } from './fields';
import { type ListFilter, withFilter } from './list-filter';
import { messages } from './messages';

interface MatrixProps {
  view: View;
  product: ProductDetail;
  filter: ListFilter;
  mayEdit: boolean;
}

/** Every field with its value in each layer, and the effective value in each shop. */
export function Matrix({ view, product, filter, mayEdit }: MatrixProps) {
  const t = messages(view);
  const { common, nav } = sharedMessages(view);
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  return (
    <section class="panel">
      <h2 id="matrix-title">{t.matrixTitle}</h2>
      <p class="quiet">{t.matrixLead}</p>
      {/* Focusable, so that the keyboard can scroll it. */}
      <section class="scroll" tabindex={0} aria-labelledby="matrix-title">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.catalog}</th>
              <th scope="col">
                {nav.organization}
                {mayEdit && (
                  <small>
                    <a href={at('/edit')}>{labelFor(common.edit, t.editOrganization)}</a>
                  </small>
                )}
              </th>
              {product.shops.map((shop) => (
                <th scope="col">
                  <ShopHead {...{ view, shop, at, mayEdit }} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PRODUCT_FIELDS.map((field, row) => (
              <tr>
                <th scope="row">{t.fields[productFields[field].wire]}</th>
                <td>
                  <Value view={view} field={field} value={product.catalog[field]} isQuiet />
                </td>
                <OrganizationCell {...{ view, product, field, at, mayEdit }} />
                {product.shops.map((shop) =>
                  shop.isAttached ? (
                    <ShopCell {...{ view, shop, field, at, mayEdit }} />
                  ) : (
                    row === 0 && <NotOffered {...{ view, shop, product, at, mayEdit }} />
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

interface ShopProps {
  view: View;
  shop: ShopOffer;
  at: (sub: string) => string;
  mayEdit: boolean;
}

function ShopHead({ view, shop, at, mayEdit }: ShopProps) {
  const t = messages(view);
  return (
    <>
      <span class="clip" dir="auto" title={shop.name}>
        <bdi>{shop.name}</bdi>
      </span>
      {!shop.isActive && <Chip tone="off">{t.inactive}</Chip>}
      {mayEdit && shop.isAttached && (
        <small>
          <a href={at(`/shops/${shop.id}`)}>{labelFor(sharedMessages(view).common.edit, t.editShop(shop.name))}</a>{' '}
          <a href={at(`/shops/${shop.id}/detach`)}>{labelFor(t.detach, t.detachFrom(shop.name))}</a>
        </small>
      )}
    </>
  );
}

function OrganizationCell(props: Omit<MatrixProps, 'filter'> & { field: ProductField; at: ShopProps['at'] }) {
  const { view, product, field, at, mayEdit } = props;
  const t = messages(view);
  const source = product.own.sources[field];
  const isOwn = source === 'organization';
  return (
    <td>
      <Value view={view} field={field} value={product.own.values[field]} isQuiet={!isOwn} />
      <small>{isOwn ? t.ownValue : t.sources[source]}</small>
      {isOwn && mayEdit && (
        <Reset view={view} action={at('/reset')} field={field} where={sharedMessages(view).nav.organization} />
      )}
    </td>
  );
}

function ShopCell({ view, shop, field, at, mayEdit }: ShopProps & { field: ProductField }) {
  const t = messages(view);
  const source: Source = shop.resolved.sources[field];
  const isHere = source === 'shop';
  return (
    <td>
      <Value view={view} field={field} value={shop.resolved.values[field]} isQuiet={!isHere} />
      <small>{t.sources[source]}</small>
      {isHere && mayEdit && (
        <Reset view={view} action={at(`/shops/${shop.id}/reset`)} field={field} where={shop.name} />
      )}
    </td>
  );
}

function Value(props: {
  view: View;
  field: ProductField;
  value: ProductDetail['catalog'][ProductField];
  isQuiet: boolean;
}) {
  const text = shownValue(props.view, props.field, props.value);
  return (
    <span class={props.isQuiet ? 'clamp quiet' : 'clamp'} dir="auto" title={text.length > 40 ? text : undefined}>
      <bdi>{text}</bdi>
    </span>
  );
}

function Reset(props: { view: View; action: string; field: ProductField; where: string }) {
  const { view, action, field, where } = props;
  const t = messages(view);
  const { wire } = productFields[field];
  return (
    <Form view={view} action={action}>
      <input type="hidden" name="field" value={wire} />
      <button class="plain" type="submit">
        {labelFor(t.reset, `${t.fields[wire]} (${where})`)}
      </button>
    </Form>
  );
}

/** One cell over all rows: a shop that does not offer the product has no effective values. */
function NotOffered({ view, shop, product, at, mayEdit }: ShopProps & { product: ProductDetail }) {
  const t = messages(view);
  return (
    <td rowspan={PRODUCT_FIELDS.length}>
      <p class="hint">
        <Chip tone="off">{t.notAttached}</Chip>
      </p>
      {mayEdit && product.stockQuantity === 0 && <p class="hint">{t.attachNeedsStock}</p>}
      {mayEdit && product.stockQuantity > 0 && (
        <Form view={view} action={at(`/shops/${shop.id}/attach`)}>
          <button type="submit">{labelFor(t.attach, t.attachIn(shop.name))}</button>
        </Form>
      )}
    </td>
  );
}
