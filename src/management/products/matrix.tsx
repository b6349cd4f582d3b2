import { PRODUCT_FIELDS, type ProductField, productFields } from '../../catalog/fields';
import type { ProductDetail, ShopOffer } from '../../inventory/browse';
import type { Source } from '../../inventory/resolution';
import { productPath } from '../http/paths';
import { Button, Form, Hidden } from '../ui/fields';
import { priceText } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Icon, labelFor } from '../ui/parts';
import { useView } from '../ui/view';
import { seenName, shownValue } from './edit-page';
import { messages } from './messages';
import { type ListFilter, withFilter } from './product-table';

interface MatrixProps {
  product: ProductDetail;
  filter: ListFilter;
  mayEdit: boolean;
}

/**
 * The fields that have values of their own, with the value of each layer and the effective value in each shop. Fields
 * that are inherited everywhere are folded below.
 */
export function Matrix({ product, filter, mayEdit }: MatrixProps) {
  const t = messages();
  const differing = PRODUCT_FIELDS.filter((field) => ownCount(product, field) > 0);
  const inherited = PRODUCT_FIELDS.filter((field) => !differing.includes(field));
  const count = differing.reduce((sum, field) => sum + ownCount(product, field), 0);
  // The price is always shown because it is edited here.
  const shown = ['priceCents' as const, ...differing.filter((field) => field !== 'priceCents')];
  const { common, nav } = sharedMessages();
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  return (
    <section class="panel">
      <div class="titled">
        <h2 id="matrix-title">{t.matrixTitle}</h2>
        <span class="quiet">{t.ownValues(count)}</span>
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      <section class="scroll" tabindex={0} aria-labelledby="matrix-title">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{product.isOwn ? t.asAdded : t.catalog}</th>
              <th scope="col">
                {nav.organization}
                {mayEdit && (
                  <small>
                    <a href={at('/edit')}>{labelFor(common.edit, nav.organization)}</a>
                  </small>
                )}
              </th>
              {product.shops.map((shop) => (
                <th scope="col">
                  <ShopHead {...{ shop, at, mayEdit }} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((field, row) => (
              <tr>
                <th scope="row">{t.fields[productFields[field].wire]}</th>
                <td>
                  <Value field={field} value={product.catalog[field]} isQuiet />
                </td>
                <LayerCell
                  field={field}
                  layer={product.own}
                  own="organization"
                  without={product.base.values}
                  action={mayEdit && at('/edit')}
                  reset={mayEdit && at('/reset')}
                  where={nav.organization}
                />
                {product.shops.map((shop) =>
                  shop.isAttached ? (
                    <LayerCell
                      field={field}
                      layer={shop.resolved}
                      own="shop"
                      without={product.own.values}
                      action={mayEdit && at(`/shops/${shop.id}`)}
                      reset={mayEdit && at(`/shops/${shop.id}/reset`)}
                      where={shop.name}
                    />
                  ) : (
                    row === 0 && (
                      <td rowspan={shown.length}>
                        <NotOffered {...{ product, shop, at, mayEdit }} />
                      </td>
                    )
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Inherited {...{ product, fields: inherited.filter((field) => field !== 'priceCents') }} />
      <Metadata shops={product.shops} />
    </section>
  );
}

/** The number of layers that have a value of their own for a field. */
function ownCount({ own, shops }: ProductDetail, field: ProductField): number {
  const inShops = shops.filter(({ isAttached, resolved }) => isAttached && resolved.sources[field] === 'shop').length;
  return (own.sources[field] === 'organization' ? 1 : 0) + inShops;
}

/** The fields that all shops inherit. Each has only one value. */
function Inherited({ product, fields }: Pick<MatrixProps, 'product'> & { fields: readonly ProductField[] }) {
  const t = messages();
  const sourceOf = (field: ProductField) => {
    const source = product.own.sources[field];
    return product.isOwn && source === 'catalog' ? t.asAdded : t.sources[source];
  };
  return (
    <details class="fold">
      <summary>{t.inheritedMore(fields.length)}</summary>
      <Facts
        entries={fields.map((field) => [
          t.fields[productFields[field].wire],
          <>
            <Value field={field} value={product.own.values[field]} isQuiet={false} />
            <small>{sourceOf(field)}</small>
          </>,
        ])}
      />
    </details>
  );
}

/** The custom metadata that shops store with the product through the API. */
function Metadata({ shops }: { shops: readonly ShopOffer[] }) {
  const kept = shops.filter(({ overrides }) => Object.keys(overrides.metadata ?? {}).length > 0);
  if (kept.length === 0) return null;
  return (
    <details class="fold">
      <summary>{messages().metadataOf(kept.length)}</summary>
      <Facts
        entries={kept.map(({ name, overrides }) => [
          <bdi>{name}</bdi>,
          <code class="clamp" dir="auto">
            {JSON.stringify(overrides.metadata)}
          </code>,
        ])}
      />
    </details>
  );
}

interface ShopProps {
  shop: ShopOffer;
  at: (sub: string) => string;
  mayEdit: boolean;
}

function ShopHead({ shop, at, mayEdit }: ShopProps) {
  const t = messages();
  return (
    <>
      <span class="clip" dir="auto" title={shop.name}>
        <bdi>{shop.name}</bdi>
      </span>
      {!shop.isActive && <Chip tone="off">{t.inactive}</Chip>}
      {mayEdit && shop.isAttached && (
        <small class="facts">
          <a href={at(`/shops/${shop.id}`)}>{labelFor(sharedMessages().common.edit, t.editShop(shop.name))}</a>
          <a href={at(`/shops/${shop.id}/detach`)}>{labelFor(t.detach, t.detachFrom(shop.name))}</a>
        </small>
      )}
    </>
  );
}

function NotOffered({ product, shop, at, mayEdit }: ShopProps & Pick<MatrixProps, 'product'>) {
  const t = messages();
  return (
    <>
      <Chip tone="off">{t.notOffered}</Chip>
      {mayEdit && product.stockQuantity === 0 && <small>{t.attachNeedsStock}</small>}
      {mayEdit && product.stockQuantity > 0 && (
        <Form action={at(`/shops/${shop.id}/attach`)}>
          <Button tone="tiny" label={labelFor(t.attach, t.attachIn(shop.name))} />
        </Form>
      )}
    </>
  );
}

interface CellProps {
  field: ProductField;
  layer: ProductDetail['own'];
  /** The source of values that are this layer's own. */
  own: Source;
  /** The values that would apply without this layer. */
  without: ProductDetail['catalog'];
  /** Path that saves a value of the layer; false if the reader may not. */
  action: string | false;
  /** Path that resets the own value; false if the reader may not. */
  reset: string | false;
  where: string;
}

/** A value of a layer: its own, with the value that it replaces and a reset button, or the inherited one. */
function LayerCell({ field, layer: { values, sources }, own, without, action, reset, where }: CellProps) {
  const t = messages();
  const value = values[field];
  const { wire } = productFields[field];
  const isOwn = sources[field] === own;
  const isEdited = field === 'priceCents' && action !== false;
  if (!isOwn) {
    const inherits = { price: null, inherited: values.priceCents, source: t.sources[sources[field]] };
    const shown = isEdited ? <PriceForm {...{ action, where, ...inherits }} /> : null;
    return <td>{shown ?? <From {...{ field, value }} source={sources[field]} />}</td>;
  }
  return (
    <td class="own">
      {isEdited ? (
        <PriceForm {...{ action, where }} price={values.priceCents} inherited={without.priceCents} />
      ) : (
        <Value {...{ field, value }} isQuiet={false} />
      )}
      <small>
        <span class="unseen">{t.ownValue}, </span>
        {t.insteadOf(shownValue(field, without[field]))}
      </small>
      {reset && (
        <Form action={reset}>
          <Hidden name="field" value={wire} />
          <Button tone="plain" label={labelFor(t.reset, `${t.fields[wire]} (${where})`)} />
        </Form>
      )}
    </td>
  );
}

interface PriceFormProps {
  action: string;
  /** The layer's own price in cents; null if it inherits. */
  price: number | null;
  inherited: number | null | undefined;
  /** The source of the inherited price. */
  source?: string;
  where: string;
}

/** The price of a layer, edited in place. An empty field inherits the price. */
function PriceForm({ action, price, inherited, source, where }: PriceFormProps) {
  const { wire } = productFields.priceCents;
  return (
    <Form action={action} class="price-form">
      <Hidden name={seenName('priceCents')} value={JSON.stringify(price)} />
      <input
        name={wire}
        value={price === null ? '' : priceText(price, useView().language)}
        placeholder={shownValue('priceCents', inherited)}
        aria-label={[`${messages().fields[wire]} (${where})`, source].filter(Boolean).join(', ')}
        title={source}
        inputmode="decimal"
        autocomplete="off"
      />
      <Button tone="plain" label={labelFor(sharedMessages().common.save, where)} />
    </Form>
  );
}

interface ValueProps {
  field: ProductField;
  value: ProductDetail['catalog'][ProductField];
}

/** An inherited value: an arrow, the value, and its source as text for screen readers. */
function From({ source, ...of }: ValueProps & { source: Source }) {
  const says = messages().sources[source];
  return (
    <span class="from" title={says}>
      <Icon name="inherit" />
      <Value {...of} isQuiet />
      <span class="unseen">, {says}</span>
    </span>
  );
}

function Value(props: ValueProps & { isQuiet: boolean }) {
  const text = shownValue(props.field, props.value);
  return (
    <span class={props.isQuiet ? 'clamp quiet' : 'clamp'} dir="auto" title={text.length > 40 ? text : undefined}>
      <bdi>{text}</bdi>
    </span>
  );
}
