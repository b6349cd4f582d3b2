import { pznOf, readCode } from '../../codes/read';
import type { BrowsedInventory, BrowsedProduct } from '../../inventory/browse';
import { SHOPS_NAMED_MAX } from '../../inventory/limits';
import { changeStock } from '../../inventory/stock';
import { STOCK_FILTERS } from '../../inventory/store-browse';
import type { StockChange } from '../../inventory/store-stock';
import { STOCK_REASONS, type StockReason } from '../../inventory/tables';
import { roleHolds } from '../../platform/access';
import { AppError, notFound } from '../../platform/errors/errors';
import type { ManageContext } from '../http/env';
import type { Flash } from '../http/flash-messages';
import { PRODUCTS, productPath, withQuery } from '../http/paths';
import { signedIn } from '../http/session';
import { Field, Form, Hidden, Select, Submit } from '../ui/fields';
import { plainLine, readSearch } from '../ui/filters';
import { formatMoney, kept, priceOfUnit, quantityText } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { contentsOf } from '../ui/order-summary';
import { labelFor } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, tryForm, useView } from '../ui/view';
import { messages } from './messages';

interface TableProps {
  products: readonly BrowsedProduct[];
  shops: BrowsedInventory['shops'];
  filter: ListFilter;
  typed?: TypedStock;
  /** Whether the list is the result of a scan that found exactly one product. */
  isScanned: boolean;
}

/** The table of products, with a form for the stock in each row. */
export function ProductTable({ products, shops, filter, typed, isScanned }: TableProps) {
  const { common, nav } = sharedMessages();
  const t = messages();
  const marks = shortNames(shops);
  return (
    <Table
      class="rows brief products"
      rows={products}
      rowId={({ catalogSlug }) => rowId(catalogSlug)}
      columns={[
        { label: t.product, kind: 'name', class: 'name', cell: (product) => <Name {...{ product, filter }} /> },
        { label: 'PZN', class: 'pzn', cell: ({ pzn, p1Id }) => <bdi>{pzn ?? p1Id}</bdi> },
        { label: t.fields.category, class: 'category', cell: ({ category }) => <bdi>{category}</bdi> },
        { label: common.price, kind: 'number', class: 'price', cell: (product) => <Price product={product} /> },
        { label: common.stock, kind: 'number', class: 'stock', cell: (product) => <Stock product={product} /> },
        {
          label: t.changeStock,
          class: 'change',
          cell: ({ p1Id, name, catalogSlug }) => {
            const id = rowId(catalogSlug);
            // The path of a scanned product has no fragment: with one, browsers would not focus the field for the next
            // scan.
            const action = `${withFilter(PRODUCTS, filter)}${isScanned ? '' : `#${id}`}`;
            const mine = typed?.p1Id === p1Id ? typed : undefined;
            return <StockForm {...{ id, name, p1Id, action }} typed={mine} isFocused={isScanned || undefined} />;
          },
        },
        {
          label: nav.shops,
          class: 'shops',
          cell: (product) => <Shops {...{ product, shops, marks }} />,
        },
      ]}
    />
  );
}

/** The THC and CBD contents, if known, below the name. */
export function Contents({ product }: { product: Pick<BrowsedProduct, 'thcPercent' | 'cbdPercent'> }) {
  const contents = contentsOf(product);
  return contents.length > 0 ? <small>{contents.join(' · ')}</small> : null;
}

function Name({ product, filter }: { product: BrowsedProduct; filter: ListFilter }) {
  const { p1Id, name, prescriptionRequired } = product;
  return (
    <>
      <span class="named">
        <a class="go" dir="auto" href={withFilter(productPath(p1Id), filter)} title={name}>
          <bdi>{kept(name)}</bdi>
        </a>
        {prescriptionRequired && <RxMark />}
      </span>
      <Contents product={product} />
    </>
  );
}

/** The price, marked if it differs from the catalog's. */
function Price({ product }: { product: BrowsedProduct }) {
  const { priceCents, catalogPriceCents, unit } = product;
  const price = priceOfUnit(priceCents, unit);
  if (priceCents === catalogPriceCents) return <>{price}</>;
  const says = messages().ownPriceInsteadOf(formatMoney(catalogPriceCents));
  return (
    <strong title={says}>
      {price}
      <span class="unseen"> {says}</span>
    </strong>
  );
}

/**
 * The available stock of a product. Below the threshold, it shows the threshold as well. A shortage or a stock of 0 is
 * shown as a word. The tooltip says how much of the stock is promised to customers.
 */
function Stock({ product }: { product: BrowsedProduct }) {
  const t = messages();
  const { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage, threshold, unit } = product;
  const count = quantityText(stockQuantity, unit);
  const isHeld = committedQuantity + reservedQuantity > 0;
  const promised = isHeld ? t.promisedOf(onHand, committedQuantity, reservedQuantity) : undefined;
  return (
    <span title={promised}>
      {useView().flash === 'stock_changed' && <span class="saved">{t.saved}</span>}
      {shortage > 0 || stockQuantity === 0 ? (
        <StockChip {...{ shortage, threshold }} stock={stockQuantity} />
      ) : stockQuantity < threshold ? (
        <Chip tone="wait">
          <strong>{count}</strong> {t.ofThreshold(threshold)}
        </Chip>
      ) : (
        <>
          <span class="phone quiet">{sharedMessages().common.stock}</span> {count}
        </>
      )}
      {promised && <span class="unseen"> {promised}</span>}
    </span>
  );
}

type ShopsProps = Pick<TableProps, 'shops'> & { product: BrowsedProduct; marks: readonly string[] };

/**
 * Says which shops offer a product. For few shops, shows each shop with a mark that says whether it offers the product.
 * For many, shows only how many of them offer it.
 */
function Shops({ shops, product, marks }: ShopsProps) {
  const t = messages();
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

/**
 * The shops' names, shortened: words with which all names begin or end are left out. Each name keeps at least one word.
 */
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

export function StockChip(props: { stock: number; threshold: number; shortage: number }) {
  const { stock, threshold, shortage } = props;
  const t = messages();
  if (shortage > 0) return <Chip tone="bad">{t.shortage(shortage)}</Chip>;
  if (stock === 0) return <Chip tone="bad">{t.outOfStock}</Chip>;
  return stock < threshold ? <Chip tone="wait">{t.low}</Chip> : null;
}

export function RxMark() {
  const { prescriptionRequired } = sharedMessages().orders;
  return (
    <span class="rx" title={prescriptionRequired}>
      Rx
      <span class="unseen"> ({prescriptionRequired})</span>
    </span>
  );
}

const CURSOR_MAX = 100;

/**
 * The search, stock tab and position of a list of products. Linked pages have them in their URLs, so that their links
 * back lead to the same place in the list.
 */
export interface ListFilter {
  /** The search as typed. */
  q?: string;
  stock?: (typeof STOCK_FILTERS)[number];
  /** The last p1_id of the previous page. */
  after?: string;
  /** The number of products on the previous pages. */
  before?: number;
}

/** Reads the filter from the URL. @returns `refused`: a typed search that is too long */
export function readFilter(c: ManageContext): { filter: ListFilter; refused?: string } {
  const { text: q, refused } = readSearch(c);
  const text = plainLine(c.req.query('after'));
  const after = text.length <= CURSOR_MAX ? text || undefined : undefined;
  const before = plainLine(c.req.query('before'));
  return {
    filter: {
      q,
      // A scanned code is searched in the whole inventory.
      stock: q && pznOf(q) !== null ? undefined : STOCK_FILTERS.find((each) => each === c.req.query('stock')),
      after,
      before: after !== undefined && /^[1-9]\d{0,6}$/.test(before) ? Number(before) : undefined,
    },
    refused,
  };
}

/**
 * The path `base` with the list's filter as its query. The page at this path needs the filter for its link back to the
 * list.
 * @param base a path of the products' pages, without a query
 */
export function withFilter(base: string, { q, stock, after, before }: ListFilter): string {
  return withQuery(base, { q, stock, after, before: before?.toString() });
}

/** The HTML id of a product's row. @param slug the catalog's slug: unique, and valid as an HTML id */
export function rowId(slug: string): string {
  return `p-${slug}`;
}

/** Typed values of a stock change. */
export interface TypedStock {
  p1Id: string;
  change: string;
  reason: string;
  fieldErrors: FieldErrors;
}

/** Changes a product's stock as typed in a form. @returns the flash, or the refused values with their errors */
export async function changeStockAsTyped(
  c: ManageContext,
  p1Id: string,
): Promise<{ flash: Flash; refused?: never } | { flash?: never; refused: TypedStock }> {
  const typed = { p1Id, ...c.var.form.texts('change', 'reason') };
  const change = parseChange(typed.change);
  const reason =
    typed.reason === '' && change ? usualReason(change) : STOCK_REASONS.find((each) => each === typed.reason);
  if (!change || !reason) {
    const fieldErrors = {
      ...(!change && { change: messages(c.var).changeFault }),
      ...(!reason && { reason: sharedMessages(c.var).fieldErrors.reason_required }),
    };
    return { refused: { ...typed, fieldErrors } };
  }
  const { value, fieldErrors } = await tryForm(c.var, { insufficient_stock: 'change' }, () =>
    ofStocked(() => changeStock(c.var.ctx, { p1Id, change, reason })),
  );
  if (fieldErrors) return { refused: { ...typed, fieldErrors } };
  return { flash: value.changed.length > 0 ? 'stock_changed' : 'stock_same' };
}

/**
 * Reads a stock change: `+10` or `10` adds, `-2` removes, `=25` sets the stock on hand that was counted.
 * @returns null for any other text, for a change of 0, and for the code of a pack (typed by a scanner)
 */
export function parseChange(text: string): { delta: number } | { onHand: number } | null {
  if (readCode(text)) return null;
  const [, sign, digits] = /^([+\-−–=]?) ?(\d{1,9})$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (sign === '=') return { onHand: count };
  if (count === 0) return null;
  return { delta: sign === '' || sign === '+' ? count : -count };
}

/** The default reason of a stock change: `delivery` for more, `correction` for less, `count` for a counted stock. */
export function usualReason(change: StockChange): StockReason {
  if ('delta' in change) return change.delta < 0 ? 'correction' : 'delivery';
  return 'count';
}

/** Parses a whole number of 0 or more. @returns null for any other text */
export function parseCount(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

interface StockFormProps {
  action: string;
  /** A prefix for the HTML ids of the form's fields, unique for each row. */
  id: string;
  p1Id: string;
  /** The name of the product in labels. */
  name: string;
  typed?: TypedStock;
  /** True if the product was just scanned. The field then has the focus. */
  isFocused?: true;
}

/**
 * The form for a stock change in a row of the list. It has no field for the reason, so the change gets its usual
 * reason.
 */
function StockForm({ action, id, p1Id, name, typed, isFocused }: StockFormProps) {
  const t = messages();
  const fieldErrors = Object.values(typed?.fieldErrors ?? {});
  const described = fieldErrors.length > 0 ? `fault-${id}` : undefined;
  return (
    <Form action={action} class="book" once>
      <RowFault id={described} texts={fieldErrors} />
      <Hidden name="p1_id" value={p1Id} />
      <input
        name="change"
        value={typed?.change}
        placeholder="+10, =25"
        aria-label={t.changeOf(name)}
        autocomplete="off"
        maxlength={12}
        data-amount
        autofocus={isFocused}
        data-focus={isFocused}
        aria-invalid={described && 'true'}
        aria-describedby={described}
      />
      <button type="submit">{labelFor(t.book, name)}</button>
    </Form>
  );
}

/** The errors of a row's form, on one line. @param id the HTML id; undefined if there are no errors */
export function RowFault({ id, texts }: { id: string | undefined; texts: readonly string[] }) {
  if (!id) return null;
  return (
    <p class="fault" id={id} role="alert" tabindex={-1} data-focus>
      {texts.join(' ')}
    </p>
  );
}

/** The form for a stock change on the product's page, with visible labels. */
export function StockPanelForm({ action, typed }: { action: string; typed?: TypedStock }) {
  const t = messages();
  return (
    <Form action={action} once>
      <Field
        name="change"
        label={t.change}
        hint={t.changeHint}
        form={typed}
        placeholder="+10, −2, =25"
        maxlength={12}
        data-amount
      />
      <ReasonSelect value={typed?.reason} fieldErrors={typed?.fieldErrors} />
      <Submit>{t.book}</Submit>
    </Form>
  );
}

/**
 * A select with the reasons of a stock change. Its first entry has an empty value. A change with this entry gets its
 * usual reason.
 */
export function ReasonSelect(props: { value?: string; fieldErrors?: FieldErrors }) {
  const { common, stockReasons } = sharedMessages();
  const options = STOCK_REASONS.map((value) => ({ value, label: stockReasons[value] }));
  return <Select name="reason" label={common.reason} options={options} none={messages().usual} {...props} />;
}

/** The product id in the path. */
export function p1IdOf(c: ManageContext): string {
  return c.req.param('p1Id') ?? '';
}

/** Whether the person may change product data. Every role may change stock. */
export function mayEditProducts(c: ManageContext): boolean {
  return roleHolds(signedIn(c).role, 'products.write');
}

/**
 * Runs a use case and returns its result.
 * @throws AppError `not_found` if the product is not in the organization's inventory; every other error of the use case
 */
export async function ofStocked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError && error.code === 'product_not_in_inventory' ? notFound() : error;
  }
}
