import type { CatalogPage } from '../../inventory/service';
import { CATALOG, PRODUCTS, productPath } from '../http/paths';
import { Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatMoney } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';
import { Pager, RxMark } from './list-page';
import { messages } from './messages';
import { ProductSearch } from './search';

/** Typed values of the form that adds a product. */
export interface TypedAddition {
  p1Id: string;
  initialStock: string;
  price: string;
  fieldErrors: FieldErrors;
}

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
    <Page view={view} title={t.addTitle}>
      <p>
        <a href={PRODUCTS}>{t.back}</a>
      </p>
      <p class="quiet">{mayAdd ? t.addLead : t.addRefused}</p>
      <ProductSearch view={view} action={CATALOG} label={t.searchCatalog} filter={filter} refused={refused} />
      {products.length === 0 ? (
        <p class="quiet">{isSearched ? t.catalogNothing : t.catalogEmpty}</p>
      ) : (
        <table class="cards products">
          <TableHead
            columns={[t.product, { label: t.category, class: 'spare' }, { label: t.price, class: 'number' }, t.stock]}
          />
          <tbody>
            {products.map((product) => (
              <CatalogRow
                {...{ view, product, filter, mayAdd, typed: typed?.p1Id === product.p1Id ? typed : undefined }}
              />
            ))}
          </tbody>
        </table>
      )}
      <Pager view={view} base={CATALOG} filter={filter} nextCursor={nextCursor} />
    </Page>
  );
}

type RowProps = Pick<AddProps, 'view' | 'filter' | 'typed' | 'mayAdd'> & { product: CatalogProduct };

function CatalogRow({ view, product, filter, typed, mayAdd }: RowProps) {
  const t = messages(view);
  const { p1Id, name, category, stockQuantity } = product;
  return (
    <tr id={rowId(product.slug)}>
      <td>
        <span class="said" dir="auto" title={name}>
          <bdi>{name}</bdi>
        </span>
        <small class="clip">
          {product.isPrescription && <RxMark view={view} />} <bdi>{p1Id}</bdi>
        </small>
      </td>
      <td class="spare" data-label={t.category}>
        <span class="clip" dir="auto" title={category}>
          <bdi>{category}</bdi>
        </span>
      </td>
      <td class="number" data-label={t.price}>
        {formatMoney(view.language, product.priceCents)}
      </td>
      <td data-label={t.stock}>
        {stockQuantity !== null ? (
          <>
            <Chip tone="good">{t.held(stockQuantity)}</Chip>{' '}
            <a href={productPath(p1Id)}>
              {t.openProduct}
              <span class="unseen">: {name}</span>
            </a>
          </>
        ) : mayAdd ? (
          <AddForm {...{ view, product, filter, typed, mayAdd }} />
        ) : (
          t.none
        )}
      </td>
    </tr>
  );
}

function AddForm({ view, product, filter, typed }: RowProps) {
  const t = messages(view);
  const { p1Id, name } = product;
  const id = rowId(product.slug);
  const fieldErrors = Object.values(typed?.fieldErrors ?? {});
  const described = fieldErrors.length > 0 ? `fault-${id}` : undefined;
  const field = (field: 'initial_stock' | 'price', label: string, value: string | undefined, hint: string) => (
    <>
      <label for={`${field}-${id}`} class="unseen">
        {label}
      </label>
      <input
        id={`${field}-${id}`}
        class="long"
        name={field}
        value={value}
        placeholder={hint}
        autocomplete="off"
        maxlength={14}
        aria-invalid={typed?.fieldErrors[field] ? 'true' : undefined}
        aria-describedby={described}
      />
    </>
  );
  return (
    <Form view={view} action={`${withFilter(CATALOG, filter)}#${id}`} class="inline stock-form">
      {described && (
        <p class="fault" id={described} role="alert" tabindex={-1} data-focus>
          {fieldErrors.join(' ')}
        </p>
      )}
      <input type="hidden" name="p1_id" value={p1Id} />
      {field('initial_stock', t.initialStockOf(name), typed?.initialStock, t.initialStock)}
      {field('price', t.ownPriceOf(name), typed?.price, t.ownPrice)}
      <button type="submit">
        {t.take}
        <span class="unseen">: {name}</span>
      </button>
    </Form>
  );
}
