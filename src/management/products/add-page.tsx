import { readCode } from '../../codes/service';
import type { CatalogPage } from '../../inventory/service';
import { CATALOG, PRODUCTS, productPath } from '../http/paths';
import { Form, type FormState } from '../ui/fields';
import { hasFieldErrors } from '../ui/form-errors';
import { formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';
import { Pager } from './list-page';
import { messages } from './messages';
import { RxMark } from './product-table';
import { ProductSearch } from './search';
import { RowFault } from './stock';

/** The form that adds a product, as it was typed. */
export type TypedAddition = FormState<'p1_id' | 'initial_stock' | 'price'>;

interface AddProps {
  view: View;
  catalog: CatalogPage;
  filter: ListFilter;
  refused?: string;
  typed?: TypedAddition;
  mayAdd: boolean;
}

type CatalogProduct = CatalogPage['products'][number];

export function AddProductsPage({ view, catalog, filter, refused, typed, mayAdd }: AddProps) {
  const t = messages(view);
  const { products, nextCursor } = catalog;
  const isSearched = filter.q !== undefined || filter.after !== undefined;
  return (
    <Page view={view} title={t.addTitle} back={{ path: PRODUCTS, label: t.back }}>
      <div class="bench">
        <p class="quiet">{mayAdd ? t.addLead : t.addRefused}</p>
        <ProductSearch view={view} action={CATALOG} label={t.searchCatalog} filter={filter} refused={refused} />
      </div>
      {products.length === 0 ? (
        <p class="quiet">{isSearched ? t.catalogNothing : t.catalogEmpty}</p>
      ) : (
        <CatalogTable {...{ view, products, filter, typed, mayAdd }} />
      )}
      <Pager {...{ view, filter, nextCursor }} base={CATALOG} shown={products.length} />
    </Page>
  );
}

type TableProps = Pick<AddProps, 'view' | 'filter' | 'typed' | 'mayAdd'>;

function CatalogTable({ products, ...props }: TableProps & { products: readonly CatalogProduct[] }) {
  const { view } = props;
  const { common } = sharedMessages(view);
  const t = messages(view);
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
          cell: ({ name, isPrescription }) => (
            <span class="named">
              <strong class="clip" dir="auto" title={name}>
                <bdi>{name}</bdi>
              </strong>
              {isPrescription && <RxMark view={view} />}
            </span>
          ),
        },
        { label: 'PZN', class: 'pzn', cell: ({ pzn, p1Id }) => <bdi>{pzn ?? p1Id}</bdi> },
        { label: t.fields.category, class: 'category', cell: ({ category }) => <bdi>{category}</bdi> },
        {
          label: common.price,
          kind: 'number',
          class: 'price',
          cell: ({ priceCents }) => formatMoney(view.language, priceCents),
        },
        { label: t.take, class: 'change', cell: (product) => <Stock {...props} product={product} /> },
      ]}
    />
  );
}

/** What the organization holds, or the form that adds it. */
function Stock({ view, product, filter, typed, mayAdd }: TableProps & { product: CatalogProduct }) {
  const t = messages(view);
  const { p1Id, name, stockQuantity } = product;
  if (stockQuantity !== null) {
    return (
      <Chip tone="good">
        <a href={productPath(p1Id)}>
          {t.held(stockQuantity)}
          <span class="unseen">: {name}</span>
        </a>
      </Chip>
    );
  }
  return mayAdd ? <AddForm {...{ view, product, filter, typed: typed?.p1_id === p1Id ? typed : undefined }} /> : t.none;
}

function AddForm({ view, product, filter, typed }: Omit<TableProps, 'mayAdd'> & { product: CatalogProduct }) {
  const t = messages(view);
  const { p1Id, name } = product;
  const id = rowId(product.slug);
  const { fieldErrors = {} } = typed ?? {};
  const described = hasFieldErrors(fieldErrors) ? `fault-${id}` : undefined;
  const isScanned = filter.q !== undefined && readCode(filter.q)?.kind === 'pack' && !view.flash;
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
    <Form view={view} action={`${withFilter(CATALOG, filter)}#${id}`} class="book">
      <RowFault id={described} texts={Object.values(fieldErrors)} />
      <Hidden name="p1_id" value={p1Id} />
      {field('initial_stock', t.initialStockOf(name), sharedMessages(view).common.stock)}
      {field('price', t.ownPriceOf(name), sharedMessages(view).common.price)}
      <button type="submit">{labelFor(t.take, name)}</button>
    </Form>
  );
}
