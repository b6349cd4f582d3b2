import { readCode } from '../../codes/read';
import type { BrowsedInventory, CatalogPage } from '../../inventory/browse';
import { SHORT_COUNTED_MAX } from '../../inventory/limits';
import { STOCK_FILTERS } from '../../inventory/store-browse';
import {
  CATALOG,
  CATALOG_NEW,
  INVENTORY_EXPORT,
  INVENTORY_IMPORT,
  PRODUCTS,
  productPath,
  withQuery,
} from '../http/paths';
import { Form, type FormState, Hidden } from '../ui/fields';
import { ListFilters } from '../ui/filters';
import { formatCount, kept, priceOfUnit } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, labelFor, Nothing, Notice } from '../ui/parts';
import { Table, Tabs } from '../ui/table';
import { hasFieldErrors, useView, type View } from '../ui/view';
import { messages } from './messages';
import {
  Contents,
  type ListFilter,
  ProductTable,
  RowFault,
  RxMark,
  rowId,
  type TypedStock,
  withFilter,
} from './product-table';

interface ListProps {
  inventory: BrowsedInventory;
  filter: ListFilter;
  /** The typed search text, if it was refused. */
  refused?: string;
  /** The typed stock change, if it was refused. */
  typed?: TypedStock;
  mayAdd: boolean;
}

export function ProductsPage({ inventory, filter, refused, typed, mayAdd }: ListProps) {
  const view = useView();
  const t = messages();
  const { products, nextCursor, counts, shops } = inventory;
  const isElsewhere = typed !== undefined && !products.some(({ p1Id }) => p1Id === typed.p1Id);
  const isScanned = filter.q !== undefined && readCode(filter.q)?.kind === 'pack';
  const isBooked = isScanned && view.flash !== undefined;
  // The results of a search are not counted.
  const all = filter.q === undefined ? countOf(view, counts, filter.stock) : undefined;
  return (
    <Page
      title={sharedMessages().nav.products}
      onPaper={`${sharedMessages().nav.products}: ${t.tabs[filter.stock ?? 'all']}`}
      lead={counts.all > 0 && t.inStock(formatCount(counts.all))}
      acts={
        <>
          <ButtonLink path={INVENTORY_EXPORT} icon="download" label={sharedMessages().common.export} />
          <ButtonLink path={INVENTORY_IMPORT} icon="upload" label={t.importTitle} />
          {mayAdd && <ButtonLink path={CATALOG} tone="primary" label={t.addTitle} />}
        </>
      }
    >
      {isElsewhere && <Elsewhere typed={typed} filter={filter} />}
      <div class="bench">
        <StockTabs counts={counts} filter={filter} />
        <ListFilters
          action={PRODUCTS}
          hidden={{ stock: filter.stock }}
          search={{ label: t.search, placeholder: t.searchHint, value: filter.q, refused }}
          isReady={isBooked || (isScanned && products.length !== 1)}
        />
      </div>
      {products.length === 0 ? (
        <Empty {...{ inventory, filter, mayAdd }} />
      ) : (
        <ProductTable
          {...{ products, shops, filter, typed }}
          isScanned={isScanned && !isBooked && products.length === 1}
        />
      )}
      <Pager {...{ filter, nextCursor }} base={PRODUCTS} shown={products.length} all={all} />
    </Page>
  );
}

/**
 * The tabs that filter the list by stock. The tab of shortages appears only if there are shortages, or if this tab is
 * the current one.
 */
function StockTabs({ counts, filter }: { counts: BrowsedInventory['counts']; filter: ListFilter }) {
  const shown = STOCK_FILTERS.filter(
    (stock) => stock !== 'missing' || counts.missing > 0 || filter.stock === 'missing',
  );
  const tabs = [undefined, ...shown].map((stock) => ({
    path: withFilter(PRODUCTS, { q: filter.q, stock }),
    label: messages().tabs[stock ?? 'all'],
    isCurrent: stock === filter.stock,
    count: countOf(useView(), counts, stock),
  }));
  return <Tabs label={sharedMessages().common.stock} tabs={tabs} />;
}

/**
 * The number of a tab's products as text. It ends with `+` if counting stopped at a limit. The number of all products
 * is always exact.
 */
function countOf(view: View, counts: BrowsedInventory['counts'], tab: ListFilter['stock'] | 'all' = 'all'): string {
  const isMore = tab !== 'all' && (tab === 'missing' ? counts[tab] === SHORT_COUNTED_MAX : counts.isMore === 1);
  return `${formatCount(counts[tab], view)}${isMore ? '+' : ''}`;
}

interface PagerProps {
  base: string;
  filter: ListFilter;
  nextCursor: string | null;
  /** The number of products on the page. */
  shown: number;
  /** The number of products on all pages, if known. */
  all?: string;
}

/** The range of products on the page, with links to the next and the first page. */
function Pager({ base, filter, nextCursor, shown, all }: PagerProps) {
  const t = messages();
  if (!filter.after && !nextCursor) return null;
  const { before = 0 } = filter;
  const last = before + shown;
  const range = `${formatCount(before + 1)}–${formatCount(last)}`;
  return (
    <p class="pager">
      {/* The range is unknown on a page that does not know its place in the list. */}
      {shown > 0 && (filter.before !== undefined || !filter.after) && (
        <span>{all === undefined ? range : t.ofAll(range, all)}</span>
      )}
      {filter.after && <a href={withFilter(base, { ...filter, after: undefined, before: undefined })}>{t.firstPage}</a>}
      {nextCursor && (
        <ButtonLink
          rel="next"
          path={withFilter(base, { ...filter, after: nextCursor, before: last })}
          label={t.nextPage}
        />
      )}
    </p>
  );
}

/** The errors of a refused stock change, for a product whose row is no longer on the page. */
function Elsewhere({ typed, filter }: { typed: TypedStock; filter: ListFilter }) {
  const t = messages();
  return (
    <Notice tone="bad" role="alert" isFocused>
      <h2>{t.rowGone}</h2>
      <ul>
        {Object.values(typed.fieldErrors).map((message) => (
          <li>{message}</li>
        ))}
        <li>
          <a href={withFilter(productPath(typed.p1Id), filter)}>{t.openProduct}</a>
        </li>
      </ul>
    </Notice>
  );
}

type EmptyProps = Pick<ListProps, 'inventory' | 'filter' | 'mayAdd'>;

function Empty({ inventory, filter, mayAdd }: EmptyProps) {
  const t = messages();
  if (filter.q) return <NotFound {...{ inventory, mayAdd }} q={filter.q} />;
  if (filter.after) return <Nothing title={t.nothingFound} />;
  if (filter.stock) {
    return <Nothing title={{ low: t.noneLow, out: t.noneOut, missing: t.noneMissing }[filter.stock]} />;
  }
  return <Nothing title={t.emptyTitle} text={mayAdd ? t.empty : t.addRefused} />;
}

/** The message for a search without results. A scanned code is explained, with a link to add its product. */
function NotFound({ inventory, q, mayAdd }: Omit<EmptyProps, 'filter'> & { q: string }) {
  const t = messages();
  const code = readCode(q);
  if (code?.kind !== 'pack') {
    return (
      <Nothing title={t.nothingFound}>
        {mayAdd && <ButtonLink path={withQuery(CATALOG, { q })} label={t.searchCatalog} />}
      </Nothing>
    );
  }
  if (code.pzn === null) return <Notice tone="wait">{t.noPzn(code.gtin ?? q)}</Notice>;
  const [product] = inventory.inCatalog;
  if (!product) {
    return (
      <Notice tone="wait">
        <p>{t.unknownPzn(code.pzn)}</p>
        {mayAdd && <a href={withQuery(CATALOG_NEW, { pzn: code.pzn })}>{t.createOwn}</a>}
      </Notice>
    );
  }
  return (
    <Notice tone="note">
      <p>
        {t.notHeldYet(code.pzn)} <strong dir="auto">{product.name}</strong>
      </p>
      {mayAdd && (
        <ButtonLink path={withQuery(CATALOG, { q: code.pzn })} tone="primary" label={labelFor(t.take, product.name)} />
      )}
    </Notice>
  );
}

/** Typed values of the form that adds a product. */
export type TypedAddition = FormState<'p1_id' | 'initial_stock' | 'price'>;

interface AddProps {
  catalog: CatalogPage;
  filter: ListFilter;
  refused?: string;
  typed?: TypedAddition;
  mayAdd: boolean;
}

type CatalogProduct = CatalogPage['products'][number];

export function AddProductsPage({ catalog, filter, refused, typed, mayAdd }: AddProps) {
  const t = messages();
  const { products, nextCursor } = catalog;
  const isSearched = filter.q !== undefined || filter.after !== undefined;
  return (
    <Page title={t.addTitle} back={{ path: PRODUCTS, label: t.back }}>
      <div class="bench">
        <p class="quiet">
          {mayAdd ? `${t.addLead} ${t.notInCatalog} ` : t.addRefused}
          {mayAdd && <a href={CATALOG_NEW}>{t.createOwn}</a>}
        </p>
        <ListFilters
          action={CATALOG}
          search={{ label: t.searchCatalog, placeholder: t.searchHint, value: filter.q, refused }}
          isReady={false}
        />
      </div>
      {products.length === 0 ? (
        <Nothing title={isSearched ? t.catalogNothing : t.catalogEmpty} />
      ) : (
        <CatalogTable {...{ products, filter, typed, mayAdd }} />
      )}
      <Pager {...{ filter, nextCursor }} base={CATALOG} shown={products.length} />
    </Page>
  );
}

type TableProps = Pick<AddProps, 'filter' | 'typed' | 'mayAdd'>;

function CatalogTable({ products, ...props }: TableProps & { products: readonly CatalogProduct[] }) {
  const t = messages();
  return (
    <Table
      class="rows brief products catalog"
      rows={products}
      rowId={({ slug }) => rowId(slug)}
      columns={[
        {
          label: t.product,
          kind: 'name',
          class: 'name',
          cell: (product) => (
            <>
              <span class="named">
                <strong class="clip" dir="auto" title={product.name}>
                  <bdi>{kept(product.name)}</bdi>
                </strong>
                {product.isPrescription && <RxMark />}
              </span>
              <Contents product={product} />
            </>
          ),
        },
        { label: 'PZN', class: 'pzn', cell: ({ pzn, p1Id }) => <bdi>{pzn ?? p1Id}</bdi> },
        { label: t.fields.category, class: 'category', cell: ({ category }) => <bdi>{category}</bdi> },
        {
          label: sharedMessages().common.price,
          kind: 'number',
          class: 'price',
          cell: ({ priceCents, unit }) => priceOfUnit(priceCents, unit),
        },
        { label: t.take, class: 'change', cell: (product) => <Stock {...props} product={product} /> },
      ]}
    />
  );
}

/** The organization's stock of a catalog product. If the product is not in the inventory yet, the form that adds it. */
function Stock({ product, filter, typed, mayAdd }: TableProps & { product: CatalogProduct }) {
  const t = messages();
  const { p1Id, name, stockQuantity } = product;
  if (stockQuantity !== null) {
    return (
      <Chip tone="good">
        <a href={productPath(p1Id)} aria-label={`${t.held(stockQuantity)}: ${name}`}>
          {t.held(stockQuantity)}
        </a>
      </Chip>
    );
  }
  return mayAdd ? <AddForm {...{ product, filter, typed: typed?.p1_id === p1Id ? typed : undefined }} /> : t.none;
}

function AddForm({ product, filter, typed }: Omit<TableProps, 'mayAdd'> & { product: CatalogProduct }) {
  const t = messages();
  const { p1Id, name } = product;
  const id = rowId(product.slug);
  const { fieldErrors = {} } = typed ?? {};
  const described = hasFieldErrors(fieldErrors) ? `fault-${id}` : undefined;
  const isScanned = filter.q !== undefined && readCode(filter.q)?.kind === 'pack' && !useView().flash;
  const field = (field: 'initial_stock' | 'price', label: string, hint: string) => (
    <input
      id={`${field}-${id}`}
      name={field}
      value={typed?.[field]}
      placeholder={hint}
      aria-label={label}
      autocomplete="off"
      maxlength={14}
      data-amount
      autofocus={(isScanned && field === 'initial_stock') || undefined}
      data-focus={(isScanned && field === 'initial_stock') || undefined}
      aria-invalid={fieldErrors[field] ? 'true' : undefined}
      aria-describedby={described}
    />
  );
  return (
    <Form action={`${withFilter(CATALOG, filter)}#${id}`} class="book">
      <RowFault id={described} texts={Object.values(fieldErrors)} />
      <Hidden name="p1_id" value={p1Id} />
      {field('initial_stock', t.initialStockOf(name), sharedMessages().common.stock)}
      {field('price', t.ownPriceOf(name), sharedMessages().common.price)}
      <button type="submit">{labelFor(t.take, name)}</button>
    </Form>
  );
}
