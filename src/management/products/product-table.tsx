import type { BrowsedInventory, BrowsedProduct } from '../../inventory/service';
import { SHOPS_NAMED_MAX } from '../../inventory/service';
import { PRODUCTS, productPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';
import { messages } from './messages';
import { StockForm, type TypedStock } from './stock';

interface TableProps {
  view: View;
  products: readonly BrowsedProduct[];
  shops: BrowsedInventory['shops'];
  filter: ListFilter;
  typed?: TypedStock;
  /** The one product was scanned. */
  isScanned: boolean;
}

/** A line for each product; its stock is changed in it. */
export function ProductTable({ view, products, shops, filter, typed, isScanned }: TableProps) {
  const { common, nav } = sharedMessages(view);
  const t = messages(view);
  const marks = shortNames(shops);
  return (
    <Table
      class="rows brief products"
      rows={products}
      rowId={({ catalogSlug }) => rowId(catalogSlug)}
      columns={[
        { label: t.product, kind: 'name', class: 'name', cell: (product) => <Name {...{ view, product, filter }} /> },
        { label: 'PZN', class: 'pzn', cell: ({ pzn, p1Id }) => <bdi>{pzn ?? p1Id}</bdi> },
        { label: t.fields.category, class: 'category', cell: ({ category }) => <bdi>{category}</bdi> },
        { label: common.price, kind: 'number', class: 'price', cell: (product) => <Price {...{ view, product }} /> },
        { label: common.stock, kind: 'number', class: 'stock', cell: (product) => <Stock {...{ view, product }} /> },
        {
          label: t.changeStock,
          class: 'change',
          cell: ({ p1Id, name, catalogSlug }) => {
            const id = rowId(catalogSlug);
            // With a fragment browsers set the focus nowhere else.
            const action = `${withFilter(PRODUCTS, filter)}${isScanned ? '' : `#${id}`}`;
            const mine = typed?.p1Id === p1Id ? typed : undefined;
            return <StockForm {...{ view, id, name, p1Id, action }} typed={mine} isFocused={isScanned || undefined} />;
          },
        },
        {
          label: nav.shops,
          class: 'shops',
          cell: (product) => <Shops {...{ view, product, shops, marks }} />,
        },
      ]}
    />
  );
}

function Name({ view, product, filter }: { view: View; product: BrowsedProduct; filter: ListFilter }) {
  const { p1Id, name, prescriptionRequired } = product;
  return (
    <span class="named">
      <a class="go" dir="auto" href={withFilter(productPath(p1Id), filter)} title={name}>
        <bdi>{name}</bdi>
      </a>
      {prescriptionRequired && <RxMark view={view} />}
    </span>
  );
}

/** The price, marked where it is not the catalog's. */
function Price({ view, product }: { view: View; product: BrowsedProduct }) {
  const { priceCents, catalogPriceCents } = product;
  if (priceCents === catalogPriceCents) return <>{formatMoney(view.language, priceCents)}</>;
  const says = messages(view).ownPriceInsteadOf(formatMoney(view.language, catalogPriceCents));
  return (
    <strong title={says}>
      {formatMoney(view.language, priceCents)}
      <span class="unseen"> {says}</span>
    </strong>
  );
}

/** What can be promised, against the threshold where it is below; what is promised as the tooltip. */
function Stock({ view, product }: { view: View; product: BrowsedProduct }) {
  const t = messages(view);
  const { stockQuantity, onHand, committedQuantity, shortage, threshold } = product;
  const promised = committedQuantity > 0 ? t.promisedOf(onHand, committedQuantity) : undefined;
  return (
    <span title={promised}>
      {view.flash === 'stock_changed' && <span class="saved">{t.saved}</span>}
      {shortage > 0 || stockQuantity === 0 ? (
        <StockChip {...{ view, shortage, threshold }} stock={stockQuantity} />
      ) : stockQuantity < threshold ? (
        <Chip tone="wait">
          <strong>{stockQuantity}</strong> {t.ofThreshold(threshold)}
        </Chip>
      ) : (
        stockQuantity
      )}
      {promised && <span class="unseen"> {promised}</span>}
    </span>
  );
}

type ShopsProps = Pick<TableProps, 'view' | 'shops'> & { product: BrowsedProduct; marks: readonly string[] };

/** A mark for each shop where they are few, else how many offer it. */
function Shops({ view, shops, product, marks }: ShopsProps) {
  const t = messages(view);
  if (shops.length > SHOPS_NAMED_MAX) return <>{t.ofAll(product.shopCount, shops.length)}</>;
  return (
    <span class="marks">
      {shops.map(({ id, name }, index) => {
        const isOffered = product.shopIds.includes(id);
        return (
          <span class={isOffered ? 'at' : 'at off'} title={isOffered ? name : `${name}: ${t.notOffered}`}>
            <bdi>{marks[index]}</bdi>
            {!isOffered && <span class="unseen">: {t.notOffered}</span>}
          </span>
        );
      })}
    </span>
  );
}

/** Names of shops without the words that all of them begin or end with. */
export function shortNames(shops: readonly { name: string }[]): string[] {
  const names = shops.map(({ name }) => name.split(/[ -]/));
  const shortest = Math.min(...names.map((words) => words.length)) - 1;
  const sharedOf = (wordOf: (words: readonly string[], index: number) => string | undefined, most: number) => {
    let shared = 0;
    while (shops.length > 1 && shared < most && new Set(names.map((words) => wordOf(words, shared))).size === 1)
      shared += 1;
    return shared;
  };
  const first = sharedOf((words, index) => words[index], shortest);
  const last = sharedOf((words, index) => words.at(-1 - index), shortest - first);
  return names.map((words) => words.slice(first, words.length - last).join(' '));
}

export function StockChip(props: { view: View; stock: number; threshold: number; shortage: number }) {
  const { view, stock, threshold, shortage } = props;
  const t = messages(view);
  if (shortage > 0) return <Chip tone="bad">{t.shortage(shortage)}</Chip>;
  if (stock === 0) return <Chip tone="bad">{t.outOfStock}</Chip>;
  return stock < threshold ? <Chip tone="wait">{t.low}</Chip> : null;
}

export function RxMark({ view }: { view: View }) {
  const { prescriptionRequired } = sharedMessages(view).orders;
  return (
    <span class="rx" title={prescriptionRequired}>
      Rx
      <span class="unseen"> ({prescriptionRequired})</span>
    </span>
  );
}
