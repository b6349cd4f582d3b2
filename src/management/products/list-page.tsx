import { type BrowsedInventory, type BrowsedProduct, STOCK_FILTERS } from '../../inventory/service';
import { CATALOG, PRODUCTS, productPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Icon } from '../ui/icons';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel, Say } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';
import { messages } from './messages';
import { ProductSearch } from './search';
import { StockForm, type TypedStock } from './stock';

interface ListProps {
  view: View;
  inventory: BrowsedInventory;
  filter: ListFilter;
  /** The typed search, when it cannot be searched. */
  refused?: string;
  /** A stock change that was refused. */
  typed?: TypedStock;
  mayAdd: boolean;
}

export function ProductsPage({ view, inventory, filter, refused, typed, mayAdd }: ListProps) {
  const t = messages(view);
  const { products, nextCursor } = inventory;
  const isElsewhere = typed !== undefined && !products.some(({ p1Id }) => p1Id === typed.p1Id);
  return (
    <Page
      view={view}
      title={sharedMessages(view).nav.products}
      acts={
        mayAdd && (
          <a class="button" href={CATALOG}>
            <Icon name="plus" />
            {t.addTitle}
          </a>
        )
      }
    >
      {isElsewhere && <Elsewhere view={view} typed={typed} filter={filter} />}
      <div class="bench">
        <nav class="tabs" aria-label={sharedMessages(view).common.stock}>
          {[undefined, ...STOCK_FILTERS].map((stock) => (
            <a
              href={withFilter(PRODUCTS, { q: filter.q, stock })}
              aria-current={stock === filter.stock ? 'page' : undefined}
            >
              {t.tabs[stock ?? 'all']}
            </a>
          ))}
        </nav>
        <ProductSearch view={view} action={PRODUCTS} label={t.search} filter={filter} refused={refused} />
      </div>
      {products.length === 0 ? (
        <Empty view={view} filter={filter} mayAdd={mayAdd} />
      ) : (
        <ProductTable {...{ view, products, filter, typed }} />
      )}
      <Pager view={view} base={PRODUCTS} filter={filter} nextCursor={nextCursor} />
    </Page>
  );
}

/** Links to the next and to the first page. */
export function Pager(props: { view: View; base: string; filter: ListFilter; nextCursor: string | null }) {
  const { view, base, filter, nextCursor } = props;
  const t = messages(view);
  if (!filter.after && !nextCursor) return null;
  return (
    <p class="pager">
      {filter.after && <a href={withFilter(base, { ...filter, after: undefined })}>{t.firstPage}</a>}
      {nextCursor && (
        <a rel="next" class="button" href={withFilter(base, { ...filter, after: nextCursor })}>
          {t.nextPage}
        </a>
      )}
    </p>
  );
}

type TableProps = Pick<ListProps, 'view' | 'filter' | 'typed'> & { products: BrowsedProduct[] };

function ProductTable({ view, products, filter, typed }: TableProps) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  return (
    <Table
      class="products"
      rows={products}
      rowId={({ catalogSlug }) => rowId(catalogSlug)}
      columns={[
        {
          label: t.product,
          kind: 'name',
          cell: ({ p1Id, pzn, name, prescriptionRequired }) => (
            <>
              <a class="go" dir="auto" href={withFilter(productPath(p1Id), filter)} title={name}>
                <bdi>{name}</bdi>
              </a>
              <Identifier {...{ view, p1Id, pzn }} isPrescription={prescriptionRequired} />
            </>
          ),
        },
        { label: t.fields.category, class: 'spare', cell: ({ category }) => <Clipped text={category} /> },
        { label: common.price, kind: 'number', cell: (product) => <Price view={view} product={product} /> },
        { label: common.threshold, kind: 'number', class: 'spare', cell: ({ threshold }) => threshold },
        {
          label: common.stock,
          kind: 'number',
          cell: ({ stockQuantity, onHand, committedQuantity, shortage, threshold }) => (
            <>
              <StockChip {...{ view, threshold, shortage }} stock={stockQuantity} /> <strong>{stockQuantity}</strong>
              {committedQuantity > 0 && <small>{t.promisedOf(onHand, committedQuantity)}</small>}
              {view.flash === 'stock_changed' && <small class="saved">{t.saved}</small>}
            </>
          ),
        },
        {
          label: sharedMessages(view).nav.shops,
          kind: 'number',
          cell: ({ shopCount }) => (shopCount === 0 ? <span class="quiet">{t.inNoShop}</span> : shopCount),
        },
        {
          label: t.changeStock,
          note: t.changeHint,
          cell: ({ p1Id, name, catalogSlug }) => {
            const id = rowId(catalogSlug);
            const action = `${withFilter(PRODUCTS, filter)}#${id}`;
            return <StockForm {...{ view, id, name, p1Id, action }} typed={typed?.p1Id === p1Id ? typed : undefined} />;
          },
        },
      ]}
    />
  );
}

interface IdentifierProps {
  view: View;
  p1Id: string;
  pzn: string | null;
  isPrescription: boolean;
}

/** The product's numbers, marked if it requires a prescription. */
export function Identifier({ view, p1Id, pzn, isPrescription }: IdentifierProps) {
  return (
    <small class="clip">
      {isPrescription && <RxMark view={view} />} {pzn && `PZN ${pzn} · `}
      <bdi>{p1Id}</bdi>
    </small>
  );
}

/** A text of which a narrow cell shows the beginning. */
export function Clipped({ text }: { text: string }) {
  return (
    <span class="clip" dir="auto" title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}

/** The price, with the catalog's if it is another. */
function Price({ view, product }: { view: View; product: BrowsedProduct }) {
  const { priceCents, catalogPriceCents } = product;
  return (
    <>
      {formatMoney(view.language, priceCents)}
      {priceCents !== catalogPriceCents && (
        <small>{messages(view).catalogPrice(formatMoney(view.language, catalogPriceCents))}</small>
      )}
    </>
  );
}

export function StockChip(props: { view: View; stock: number; threshold: number; shortage: number }) {
  const { view, stock, threshold, shortage } = props;
  const t = messages(view);
  if (shortage > 0) return <Chip tone="bad">{t.shortage(shortage)}</Chip>;
  if (stock === 0) return <Chip tone="bad">{t.tabs.out}</Chip>;
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

/** Shows a refused stock change when its row is not on the page any more. */
function Elsewhere({ view, typed, filter }: { view: View; typed: TypedStock; filter: ListFilter }) {
  const t = messages(view);
  return (
    <Say tone="bad" role="alert" isFocused>
      <h2>{t.rowGone}</h2>
      <ul>
        {Object.values(typed.fieldErrors).map((message) => (
          <li>{message}</li>
        ))}
        <li>
          <a href={withFilter(productPath(typed.p1Id), filter)}>{t.openProduct}</a>
        </li>
      </ul>
    </Say>
  );
}

function Empty({ view, filter, mayAdd }: Pick<ListProps, 'view' | 'filter' | 'mayAdd'>) {
  const t = messages(view);
  if (filter.q || filter.after) return <p class="quiet">{t.nothingFound}</p>;
  if (filter.stock) {
    return <p class="quiet">{{ low: t.noneLow, out: t.noneOut, missing: t.noneMissing }[filter.stock]}</p>;
  }
  return (
    <Panel title={t.emptyTitle} isWide>
      <p>{mayAdd ? t.empty : t.emptyForStaff}</p>
    </Panel>
  );
}
