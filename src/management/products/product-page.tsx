import { PRODUCT_FIELDS, type ProductField, productFields } from '../../catalog/fields';
import type { Movement, ProductDetail, ShopOffer } from '../../inventory/browse';
import type { Source } from '../../inventory/resolution';
import { orderPath, PRODUCTS, productPath, requestPath } from '../http/paths';
import { Button, Field, Form, Hidden } from '../ui/fields';
import { formatChange, formatTime, priceText, quantityText, shortIdOf } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { actorText, contentsOf } from '../ui/order-summary';
import { ButtonLink, Facts, Icon, labelFor, Notice, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, useView } from '../ui/view';
import { seenName, shownValue } from './edit-page';
import { messages } from './messages';
import {
  type ListFilter,
  RxMark,
  rowId,
  StockChip,
  StockPanelForm,
  type TypedStock,
  withFilter,
} from './product-table';

/** The typed values and errors of the refused forms on the product's page. */
export interface ProductState {
  stock?: TypedStock;
  threshold?: { value: string; fieldErrors: FieldErrors };
  /** The reason why a shop cannot offer the product. */
  refused?: string;
}

interface ProductProps {
  product: ProductDetail;
  names: Map<string, string>;
  filter: ListFilter;
  mayEdit: boolean;
  state: ProductState;
}

export function ProductPage({ product, names, filter, mayEdit, state }: ProductProps) {
  const t = messages();
  const { category } = product.own.values;
  return (
    <Page
      title={product.name}
      back={{ path: `${withFilter(PRODUCTS, filter)}#${rowId(product.catalog.slug ?? '')}`, label: t.back }}
      lead={
        <>
          {product.pzn && `PZN\u00a0${product.pzn} · `}
          <bdi>{product.p1Id}</bdi>
          {category && (
            <>
              {' · '}
              <bdi>{category}</bdi>
            </>
          )}
          {contentsOf(product.own.values).map((content) => ` · ${content}`)}{' '}
          {product.own.values.prescriptionRequired && <RxMark />}
        </>
      }
      acts={
        mayEdit && (
          <ButtonLink
            path={withFilter(`${productPath(product.p1Id)}/edit`, filter)}
            icon="pencil"
            label={t.editOrganization}
          />
        )
      }
    >
      {state.refused && (
        <Notice tone="bad" role="alert" isFocused>
          {state.refused}
        </Notice>
      )}
      {mayEdit && product.twin && (
        <Notice tone="note">
          <p>{t.twinLead(product.twin.name)}</p>
          <ButtonLink path={withFilter(`${productPath(product.p1Id)}/join`, filter)} label={t.join} />
        </Notice>
      )}
      <div class="two-columns decide-first">
        <div>
          <Matrix {...{ product, filter, mayEdit }} />
          <Movements movements={product.movements} names={names} p1Id={product.p1Id} />
        </div>
        <aside>
          <StockPanel {...{ product, filter, state }} />
          {mayEdit && (
            <p class="facts">
              <a href={withFilter(`${productPath(product.p1Id)}/unit`, filter)}>{t.changeUnit}</a>
              <a href={withFilter(`${productPath(product.p1Id)}/remove`, filter)}>{t.remove}</a>
            </p>
          )}
        </aside>
      </div>
    </Page>
  );
}

function StockPanel({ product, filter, state }: Omit<ProductProps, 'names' | 'mayEdit'>) {
  const shared = sharedMessages();
  const t = messages();
  const { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage } = product;
  const { lowStockThreshold, defaultThreshold } = product;
  const { threshold } = state;
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const limit = lowStockThreshold ?? defaultThreshold;
  return (
    <Panel
      title={shared.common.stock}
      beside={<StockChip shortage={shortage} stock={stockQuantity} threshold={limit} />}
    >
      <p>
        <strong class="count-of">{quantityText(stockQuantity, product.own.values.unit)}</strong>{' '}
        <span class="quiet">
          {shared.common.threshold}: {limit}
        </span>
      </p>
      {committedQuantity + reservedQuantity > 0 && (
        <p class="quiet">{t.promisedOf(onHand, committedQuantity, reservedQuantity)}</p>
      )}
      <Reservations product={product} />
      {shortage > 0 && <p>{t.shortageLead}</p>}
      <StockPanelForm action={at('/stock')} typed={state.stock} />
      <Form action={at('/threshold')}>
        <Field
          name="threshold"
          label={shared.common.threshold}
          hint={t.thresholdHint(defaultThreshold)}
          value={threshold?.value ?? (lowStockThreshold === null ? '' : String(lowStockThreshold))}
          fieldErrors={threshold?.fieldErrors}
          inputmode="numeric"
        />
        <button type="submit">{shared.common.save}</button>
      </Form>
    </Panel>
  );
}

/** The reserved quantities, each with its request and the end of the reservation. */
function Reservations({ product: { reservations } }: Pick<ProductProps, 'product'>) {
  const t = messages();
  if (reservations.length === 0) return null;
  return (
    <ul>
      {reservations.map(({ requestId, quantity, until }) => (
        <li>
          <a href={requestPath(requestId)}>{shortIdOf(requestId)}</a> {t.reservedFor(quantity, formatTime(until))}
        </li>
      ))}
    </ul>
  );
}

/**
 * The latest stock movements with reason and actor. The CSV file has older ones as well.
 * @param names the names of members and keys, and the numbers of orders, by id
 */
function Movements({ movements, names, p1Id }: { movements: Movement[]; names: Map<string, string>; p1Id: string }) {
  const view = useView();
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Panel
      title={t.movementsTitle}
      beside={
        movements.length > 0 && (
          <a href={`${productPath(p1Id)}/movements.csv`}>{labelFor(common.export, t.movementsTitle)}</a>
        )
      }
    >
      {movements.length === 0 ? (
        <p class="quiet">{t.movementsEmpty}</p>
      ) : (
        <Table
          rows={movements}
          columns={[
            { label: common.time, class: 'day', cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              label: common.reason,
              cell: (movement) => (
                <>
                  {sharedMessages().stockReasons[movement.reason]}
                  {movement.orderId && (
                    <>
                      {' '}
                      <a href={orderPath(movement.orderId)}>
                        {names.get(movement.orderId) ?? shortIdOf(movement.orderId)}
                      </a>
                    </>
                  )}
                  <small>
                    <bdi>{[movement.reference, actorText(view, movement, names)].filter(Boolean).join(' · ')}</bdi>
                  </small>
                </>
              ),
            },
            { label: t.change, kind: 'number', cell: (movement) => formatChange(changeOf(movement)) },
            { label: t.after, kind: 'number', cell: ({ after }) => after },
            { label: t.onHand, kind: 'number', cell: ({ onHandAfter }) => onHandAfter ?? t.none },
          ]}
        />
      )}
    </Panel>
  );
}

/** The change of the available stock; if that is 0, the change of the stock on hand. */
export function changeOf({ delta, onHandDelta }: Movement): number {
  return delta === 0 ? onHandDelta : delta;
}

interface MatrixProps {
  product: ProductDetail;
  filter: ListFilter;
  mayEdit: boolean;
}

/** A layer of a product's values: that of the catalog, which nobody here edits, of the organization, or of a shop. */
interface Layer {
  name: string;
  shop?: ShopOffer;
  values: ProductDetail['catalog'];
  /**
   * The layer's own values; undefined for the catalog. `fields`: the fields that have an own value. `without`: the
   * values that apply without the own ones. `edit` and `reset`: the paths that save and remove own values.
   */
  own?: {
    fields: readonly ProductField[];
    without: ProductDetail['catalog'];
    edit: string;
    reset: string;
  };
}

/**
 * A table with a row for the catalog, the organization and each shop. A row shows the price and all other own values.
 * The fields that every row inherits are folded below the table.
 */
function Matrix({ product, filter, mayEdit }: MatrixProps) {
  const t = messages();
  const { common, nav, orders } = sharedMessages();
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const layers = layersOf(product, nav.organization, at);
  const fields = layers.flatMap(({ own }) => own?.fields ?? []);
  return (
    <Panel title={t.matrixTitle} beside={<span class="quiet">{t.ownValues(fields.length)}</span>}>
      <Table
        rows={layers}
        columns={[
          { label: orders.shop, kind: 'name', cell: (layer) => <LayerName {...{ layer, mayEdit }} /> },
          { label: common.price, cell: (layer) => <Price {...{ layer, product, mayEdit }} /> },
          {
            label: common.actions,
            kind: 'actions',
            cell: (layer) => mayEdit && <Acts {...{ layer, product, at }} />,
          },
        ]}
      />
      <Inherited
        product={product}
        fields={PRODUCT_FIELDS.filter((field) => field !== 'priceCents' && !fields.includes(field))}
      />
      <Metadata shops={product.shops} />
    </Panel>
  );
}

function layersOf(product: ProductDetail, organization: string, at: (sub: string) => string): Layer[] {
  const t = messages();
  const { isOwn, catalog, base, own, shops } = product;
  const fieldsOf = ({ sources }: ProductDetail['own'], source: Source) =>
    PRODUCT_FIELDS.filter((field) => sources[field] === source);
  const ofOrganization = { fields: fieldsOf(own, 'organization'), without: base.values };
  return [
    { name: isOwn ? t.asAdded : t.catalog, values: catalog },
    { name: organization, values: own.values, own: { ...ofOrganization, edit: at('/edit'), reset: at('/reset') } },
    ...shops.map((shop) => {
      const edit = at(`/shops/${shop.id}`);
      const fields = shop.isAttached ? fieldsOf(shop.resolved, 'shop') : [];
      const ofShop = { fields, without: own.values, edit, reset: at(`/shops/${shop.id}/reset`) };
      return { name: shop.name, shop, values: shop.resolved.values, own: ofShop };
    }),
  ];
}

/** The fields for which neither the organization nor a shop has an own value. Each has the same value everywhere. */
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

/** The name of a layer and its own values, except the price. */
function LayerName({ layer: { name, shop, values, own }, mayEdit }: Pick<CellProps, 'layer' | 'mayEdit'>) {
  const t = messages();
  return (
    <>
      <bdi>{name}</bdi> {shop?.isActive === false && <Chip tone="off">{t.inactive}</Chip>}
      {own?.fields
        .filter((field) => field !== 'priceCents')
        .map((field) => (
          <div>
            <span class="quiet">{t.fields[productFields[field].wire]}</span>
            <Value field={field} value={values[field]} isQuiet={false} />
            <Instead {...{ name, own, mayEdit, field }} />
          </div>
        ))}
    </>
  );
}

interface CellProps {
  layer: Layer;
  product: ProductDetail;
  at: (sub: string) => string;
  mayEdit: boolean;
}

/**
 * The links of a layer. For a shop that does not offer the product: the button that offers it, or null while the
 * product's stock is 0. Null for the catalog, which nobody here edits.
 */
function Acts({ layer: { name, shop, own }, product, at }: Omit<CellProps, 'mayEdit'>) {
  const t = messages();
  const { common, nav } = sharedMessages();
  if (!own) return null;
  if (shop?.isAttached !== false) {
    return (
      <>
        <a href={own.edit}>{labelFor(common.edit, shop ? t.editShop(name) : nav.organization)}</a>
        {shop && <a href={at(`/shops/${shop.id}/detach`)}>{labelFor(t.detach, t.detachFrom(name))}</a>}
      </>
    );
  }
  return product.stockQuantity > 0 ? (
    <Form action={at(`/shops/${shop.id}/attach`)}>
      <Button tone="tiny" label={labelFor(t.attach, t.attachIn(name))} />
    </Form>
  ) : null;
}

/** The price of a layer. People who may change product data see a form, except for the catalog's price. */
function Price({ layer: { name, shop, values, own }, product, mayEdit }: Omit<CellProps, 'at'>) {
  const t = messages();
  const isOwn = own?.fields.includes('priceCents');
  if (shop?.isAttached === false) {
    return (
      <>
        <Chip tone="off">{t.notOffered}</Chip>
        {mayEdit && product.stockQuantity === 0 && <small>{t.attachNeedsStock}</small>}
      </>
    );
  }
  if (!own) return <Value field="priceCents" value={values.priceCents} isQuiet />;
  const source = (shop?.resolved ?? product.own).sources.priceCents;
  if (!mayEdit && !isOwn) return <From field="priceCents" value={values.priceCents} source={source} />;
  return (
    <>
      {mayEdit ? (
        <PriceForm
          action={own.edit}
          where={name}
          price={isOwn ? (values.priceCents ?? null) : null}
          inherited={isOwn ? own.without.priceCents : values.priceCents}
          source={isOwn ? undefined : t.sources[source]}
        />
      ) : (
        <Value field="priceCents" value={values.priceCents} isQuiet={false} />
      )}
      {isOwn && <Instead {...{ name, own, mayEdit }} field="priceCents" />}
    </>
  );
}

interface InsteadProps {
  name: string;
  own: NonNullable<Layer['own']>;
  field: ProductField;
  mayEdit: boolean;
}

/** The value that a layer's own value replaces, and the button that removes the own value. */
function Instead({ name, own, field, mayEdit }: InsteadProps) {
  const t = messages();
  const { wire } = productFields[field];
  return (
    <>
      <small>
        <span class="unseen">{t.ownValue}, </span>
        {t.insteadOf(shownValue(field, own.without[field]))}
      </small>
      {mayEdit && (
        <Form action={own.reset}>
          <Hidden name="field" value={wire} />
          <Button tone="plain" label={labelFor(t.reset, `${t.fields[wire]} (${name})`)} />
        </Form>
      )}
    </>
  );
}

interface PriceFormProps {
  action: string;
  /** The layer's own price in cents; null if it inherits. */
  price: number | null;
  inherited: number | null | undefined;
  /** The text that says where the inherited price comes from; undefined for an own price. */
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
