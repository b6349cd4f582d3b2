import { type BrowsedInventory, type BrowsedProduct, STOCK_FILTERS } from '../../inventory/service';
import { CATALOG, PRODUCTS, productPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Chip, Page } from '../ui/layout';
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
    <Page view={view} title={t.title}>
      {isElsewhere && <Elsewhere view={view} typed={typed} filter={filter} />}
      <nav class="tabs" aria-label={t.tabsLabel}>
        {[undefined, ...STOCK_FILTERS].map((stock) => (
          <a
            href={withFilter(PRODUCTS, { q: filter.q, stock })}
            aria-current={stock === filter.stock ? 'page' : undefined}
          >
            {t.tabs[stock ?? 'all']}
          </a>
        ))}
      </nav>
      <ProductSearch view={view} action={PRODUCTS} label={t.search} filter={filter} refused={refused}>
        {mayAdd && (
          <a class="button" href={CATALOG}>
            {t.add}
          </a>
        )}
      </ProductSearch>
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

function ProductTable({
  view,
  products,
  filter,
  typed,
}: Pick<ListProps, 'view' | 'filter' | 'typed'> & {
  products: BrowsedProduct[];
}) {
  const t = messages(view);
  return (
    <table class="cards products">
      <thead>
        <tr>
          <th scope="col">{t.product}</th>
          <th scope="col" class="spare">
            {t.category}
          </th>
          <th scope="col" class="number">
            {t.price}
          </th>
          <th scope="col" class="number spare">
            {t.threshold}
          </th>
          <th scope="col" class="number">
            {t.stock}
          </th>
          <th scope="col" class="number">
            {t.shops}
          </th>
          <th scope="col">
            {t.changeStock} <small>{t.changeHint}</small>
          </th>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <ProductRow {...{ view, product, filter, typed: typed?.p1Id === product.p1Id ? typed : undefined }} />
        ))}
      </tbody>
    </table>
  );
}

function ProductRow(props: { view: View; product: BrowsedProduct; filter: ListFilter; typed?: TypedStock }) {
  const { view, product, filter, typed } = props;
  const t = messages(view);
  const id = rowId(product.catalogSlug);
  const name = product.name;
  const isOwnPrice = product.priceCents !== product.catalogPriceCents;
  return (
    <tr id={id}>
      <td>
        <a class="said" dir="auto" href={withFilter(productPath(product.p1Id), filter)} title={name}>
          <bdi>{name}</bdi>
        </a>
        <small class="clip">
          {product.prescriptionRequired && <RxMark view={view} />} <bdi>{product.p1Id}</bdi>
        </small>
      </td>
      <td class="spare" data-label={t.category}>
        <span class="clip" dir="auto" title={product.category}>
          <bdi>{product.category}</bdi>
        </span>
      </td>
      <td class="number" data-label={t.price}>
        {formatMoney(view.language, product.priceCents)}
        {isOwnPrice && <small>{t.catalogPrice(formatMoney(view.language, product.catalogPriceCents))}</small>}
      </td>
      <td class="number spare" data-label={t.threshold}>
        {product.threshold}
      </td>
      <td class="number" data-label={t.stock}>
        <StockChip view={view} stock={product.stockQuantity} threshold={product.threshold} />{' '}
        <strong>{product.stockQuantity}</strong>
        {view.flash === 'stock_changed' && <small class="saved">{t.saved}</small>}
      </td>
      <td class="number" data-label={t.shops}>
        {product.shopCount === 0 ? <span class="quiet">{t.inNoShop}</span> : product.shopCount}
      </td>
      <td data-label={t.changeStock}>
        <StockForm
          {...{ view, id, name, typed, p1Id: product.p1Id }}
          action={`${withFilter(PRODUCTS, filter)}#${id}`}
        />
      </td>
    </tr>
  );
}

export function StockChip({ view, stock, threshold }: { view: View; stock: number; threshold: number }) {
  const t = messages(view);
  if (stock === 0) return <Chip tone="bad">{t.out}</Chip>;
  return stock < threshold ? <Chip tone="wait">{t.low}</Chip> : null;
}

export function RxMark({ view }: { view: View }) {
  const t = messages(view);
  return (
    <span class="rx" title={t.rxLong}>
      {t.rx}
      <span class="unseen"> ({t.rxLong})</span>
    </span>
  );
}

/** Shows a refused stock change when its row is not on the page any more. */
function Elsewhere({ view, typed, filter }: { view: View; typed: TypedStock; filter: ListFilter }) {
  const t = messages(view);
  return (
    <div class="summary" role="alert" tabindex={-1} data-focus>
      <h2>{t.rowGone}</h2>
      <ul>
        {Object.values(typed.fieldErrors).map((message) => (
          <li>{message}</li>
        ))}
        <li>
          <a href={withFilter(productPath(typed.p1Id), filter)}>{t.openProduct}</a>
        </li>
      </ul>
    </div>
  );
}

function Empty({ view, filter, mayAdd }: Pick<ListProps, 'view' | 'filter' | 'mayAdd'>) {
  const t = messages(view);
  if (filter.q || filter.after) return <p class="quiet">{t.nothingFound}</p>;
  if (filter.stock) return <p class="quiet">{filter.stock === 'low' ? t.noneLow : t.noneOut}</p>;
  return (
    <section class="panel wide">
      <h2>{t.emptyTitle}</h2>
      <p>{mayAdd ? t.empty : t.emptyForStaff}</p>
    </section>
  );
}
