import type { Child } from 'hono/jsx';
import {
  PRODUCT_FIELDS,
  type ProductField,
  type ProductFieldSpec,
  productFields,
  productRules,
} from '../../catalog/fields';
import { UNITS } from '../../catalog/tables';
import type { ProductDetail, ShopOffer } from '../../inventory/browse';
import type { ProductValues } from '../../inventory/fields';
import { OWN_CATEGORY } from '../../inventory/own';
import type { ResolvedProduct } from '../../inventory/resolution';
import { LOCALES } from '../../platform/http/http';
import type { readProduct } from '../../reports/figures';
import type { Form as PostedForm } from '../http/form-data';
import type { Language, Reader } from '../http/language';
import { productPath } from '../http/paths';
import { ConfirmPage, Decision } from '../ui/confirm';
import { Field, Form, Hidden, Labeled, Select } from '../ui/fields';
import { formatMoney, parsePrice, priceText } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, useView } from '../ui/view';
import { messages } from './messages';
import { type ListFilter, withFilter } from './product-table';

export interface LayerState {
  typed?: TypedFields;
  seen?: ProductValues;
  fieldErrors?: FieldErrors;
}

type Product = Awaited<ReturnType<typeof readProduct>>['product'];

interface LayerProps {
  product: Product;
  /** The shop whose layer is edited. Without a shop, the page edits the organization's layer. */
  shop?: Product['shops'][number];
  filter: ListFilter;
  state: LayerState;
}

/** The form of one layer of a product: the organization's, or that of a shop that offers it. */
export function LayerPage({ product, shop, filter, state }: LayerProps) {
  const shared = sharedMessages();
  const t = messages();
  const fields = shop ? SHOP_FIELDS : PRODUCT_FIELDS;
  const stored: ProductValues = shop ? shop.overrides : product.organization;
  const at = (sub = '') => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const { typed, seen, fieldErrors = {} } = state;
  // Values that somebody else saved in the meantime are shown beside their fields, and the new form is based on them.
  const told = fields.filter(
    (field) => fieldErrors[productFields[field].wire] === shared.fieldErrors.changed_meanwhile,
  );
  const now = Object.fromEntries(told.map((field) => [field, stored[field]]));
  const news = Object.fromEntries(
    told.map((field) => [productFields[field].wire, t.changedTo(shownValue(field, stored[field]))]),
  );
  const layer = {
    stored,
    typed,
    inherited: shop ? product.own : product.base,
    fieldErrors: { ...fieldErrors, ...news },
  };
  return (
    <Page
      title={shop ? t.editShopTitle(product.name, shop.name) : t.editTitle(product.name)}
      fieldErrors={layer.fieldErrors}
      back={{ path: at(), label: product.name }}
    >
      <p class="quiet">{t.editLead}</p>
      <Form action={at(shop ? `/shops/${shop.id}` : '/edit')} class="panel">
        {fields.map((field) => (
          <Hidden name={seenName(field)} value={JSON.stringify({ ...stored, ...seen, ...now }[field] ?? null)} />
        ))}
        <LayerFields {...layer} fields={fields} isOwn={product.isOwn} />
        <Decision act={shared.common.save} back={at()} isHarmless />
      </Form>
    </Page>
  );
}

const INHERITS_FROM = { catalog: 'fromCatalog', organization: 'fromOrganization', default: 'fromDefault' } as const;

interface LayerFieldProps {
  field: ProductField;
  /** The layer's stored values. */
  stored: ProductValues;
  /** The values that the layer inherits. An inherited value applies to a field for which the layer stores none. */
  inherited: ResolvedProduct;
  typed?: TypedFields;
  fieldErrors: FieldErrors;
  /** Whether the product is the organization's own. */
  isOwn?: boolean;
  /** Whether this is a field that a new product needs. Such a field shows no inherited value. */
  isNew?: boolean;
}

/**
 * Fields that few products need. They are folded if the layer uses none of them: it has no value and no error for any
 * of them, and it inherits no value for THC or CBD.
 */
const RARE: readonly ProductField[] = ['slug', 'thcPercent', 'cbdPercent'];

interface LayerFieldsProps extends Omit<LayerFieldProps, 'field' | 'isNew'> {
  fields: readonly ProductField[];
  /** The fields that a new product needs. They come first. */
  needed?: readonly ProductField[];
  /** Fields that are no product fields. They follow the fields of `needed`. */
  children?: Child;
}

/** The fields of a layer. */
export function LayerFields({ fields, needed = [], children, ...layer }: LayerFieldsProps) {
  const { stored, inherited, typed, fieldErrors } = layer;
  const rare = RARE.filter((field) => fields.includes(field));
  const usual = fields.filter((field) => !rare.includes(field) && !needed.includes(field));
  const isUsed = (field: ProductField) =>
    Boolean(typed?.[field] || fieldErrors[productFields[field].wire] || stored[field]) ||
    (field !== 'slug' && inherited.values[field] !== null);
  return (
    <>
      <div class="halves">
        {needed.map((field) => (
          <LayerField {...layer} field={field} isNew />
        ))}
        {children}
        {usual.map((field) => (
          <LayerField {...layer} field={field} />
        ))}
      </div>
      <details class="fold" open={rare.some(isUsed)}>
        <summary>{rare.map((field) => messages().fields[productFields[field].wire]).join(', ')}</summary>
        <div class="halves">
          {rare.map((field) => (
            <LayerField {...layer} field={field} />
          ))}
        </div>
      </details>
    </>
  );
}

/** The form field for one value of a layer. If the form field is left empty, the layer inherits the value. */
function LayerField({ field, stored, inherited, typed, fieldErrors, isOwn, isNew }: LayerFieldProps) {
  const t = messages();
  const value = typed?.[field] ?? textOf(field, stored[field], useView().language);
  const source = inherited.sources[field];
  const inheritedText = shownValue(field, inherited.values[field]);
  const from =
    isOwn && source === 'catalog' ? t.asAdded : t[INHERITS_FROM[source === 'shop' ? 'organization' : source]];
  const isInherited = !isNew && inherited.values[field] !== null && inherited.values[field] !== undefined;
  const placeholder = isInherited ? t.inherits(inheritedText, from) : undefined;
  const name = productFields[field].wire;
  const kind = kindOf(field);
  const label = t.fields[name];
  if (kind !== 'lines' && kind !== 'flag' && kind !== 'unit') {
    return <Field {...{ name, label, placeholder, value, fieldErrors }} />;
  }
  const units = UNITS.map((unit) => ({ value: unit as string, label: sharedMessages().products.units[unit] }));
  const flags = [
    { value: 'yes', label: t.yes },
    { value: 'no', label: t.no },
  ];
  const choices = [{ value: '', label: t.inherits(inheritedText, from) }, ...(kind === 'unit' ? units : flags)];
  if (kind !== 'lines') return <Select {...{ name, label, value, fieldErrors }} options={choices} />;
  return (
    <Labeled
      {...{ name, label }}
      error={fieldErrors[name]}
      control={(attributes) => (
        <textarea {...attributes} rows={1} dir="auto" placeholder={placeholder}>
          {value}
        </textarea>
      )}
    />
  );
}

export const SHOP_FIELDS = PRODUCT_FIELDS.filter(
  (field) => field !== 'slug' && !('isOfProduct' in productFields[field]),
);

function kindOf(field: ProductField): ProductFieldSpec['kind'] {
  return productFields[field].kind;
}
/** Typed values by field. */
type TypedFields = Partial<Record<ProductField, string>>;

type Value = ProductValues[ProductField];

/** A value as the text of its form field; empty if inherited. */
function textOf(field: ProductField, value: Value, language: Language): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (kindOf(field) === 'money') return priceText(value, language);
  const text = String(value);
  return language === 'de' ? text.replace('.', ',') : text;
}

/** A value as text to read. */
export function shownValue(field: ProductField, value: Value): string {
  const t = messages();
  if (value === null || value === undefined) return t.none;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  const unit = kindOf(field) === 'unit' && UNITS.find((each) => each === value);
  if (unit) return sharedMessages().products.units[unit];
  if (value === OWN_CATEGORY) return t.ownCategory;
  if (typeof value === 'string') return value;
  if (kindOf(field) === 'money') return formatMoney(value);
  return new Intl.NumberFormat(LOCALES[useView().language], { maximumFractionDigits: 3 }).format(value);
}

/** The changes in a submitted form. They leave out fields that still have the value that the page showed. */
interface FieldChanges {
  typed: TypedFields;
  /** The values that the changed fields held when the page was made. */
  seen: ProductValues;
  change: ProductValues;
  fieldErrors: FieldErrors;
}

/**
 * Reads the changed fields of a form of product fields. Unchanged fields are left out, so saving does not overwrite
 * what other people changed in the meantime.
 */
export function readFields(form: PostedForm, fields: readonly ProductField[], reader: Reader): FieldChanges {
  const read: FieldChanges = { typed: {}, change: {}, seen: {}, fieldErrors: {} };
  for (const field of fields) {
    const name = productFields[field].wire;
    const text = kindOf(field) === 'lines' ? form.lines(name) : form.text(name);
    const seen = seenValue(form.text(seenName(field)));
    if (text === plainText(field, seen)) continue;
    const value = readValue(field, text);
    if (value === (seen ?? null)) continue;
    read.typed[field] = text;
    Object.assign(read.seen, { [field]: seen ?? null });
    if (value === undefined || (value !== null && !productRules[field].safeParse(value).success)) {
      read.fieldErrors[name] = faultText(field, reader);
    } else {
      Object.assign(read.change, { [field]: value });
    }
  }
  return read;
}

function faultText(field: ProductField, reader: Reader): string {
  const { kind, max = 0 }: ProductFieldSpec = productFields[field];
  const fault = messages(reader).fieldErrors[kind];
  return typeof fault === 'string' ? fault : fault(max);
}

/** The name of the hidden form field that holds, as JSON, the value that a product field had when the page was made. */
export function seenName(field: ProductField): string {
  return `seen-${productFields[field].wire}`;
}

function seenValue(json: string): Value {
  try {
    const value: unknown = JSON.parse(json);
    // SAFETY: it is only compared with the stored values, never written.
    return typeof value === 'object' ? null : (value as Value);
  } catch {
    return null;
  }
}

/**
 * A value as the text that its form field submits if nobody edits it. Null for a value that is no text. Form fields
 * drop some characters that API clients may have stored.
 */
function plainText(field: ProductField, value: Value): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return null;
  const kept = kindOf(field) === 'lines' ? /[^\P{Cc}\n\t]/gu : /\p{Cc}/gu;
  return value.replace(/\r\n?/g, '\n').replace(kept, '').trim();
}

/** @returns null for an empty field, whose value is inherited; undefined for an invalid value */
function readValue(field: ProductField, text: string): Value {
  if (text === '') return null;
  if (kindOf(field) === 'flag') return text === 'yes' ? true : text === 'no' ? false : undefined;
  if (kindOf(field) === 'money') return parsePrice(text) ?? undefined;
  if (kindOf(field) === 'step') return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
  if (kindOf(field) !== 'percent') return text;
  const plain = text.replace(/[%\s]/g, '').replace(',', '.');
  return /^\d{1,3}(\.\d{1,6})?$/.test(plain) ? Number(plain) : undefined;
}

interface ConfirmProps {
  product: ProductDetail;
  filter: ListFilter;
}

/** Asks for confirmation before a product leaves the inventory. Says what is deleted with it. */
export function RemovePage({ product, filter }: ConfirmProps) {
  const t = messages();
  const offering = product.shops.filter(({ isAttached }) => isAttached);
  const stock = product.stockQuantity > 0 ? [t.removeStock(product.stockQuantity)] : [];
  return (
    <ConfirmPage
      title={t.removeTitle(product.name)}
      lead={[...stock, t.removeLead, offering.length > 0 ? t.removeShops : t.removeNoShop]}
      {...pathsOf(product, filter, '/remove')}
      act={t.remove}
    >
      <Names names={offering.map(({ name }) => name)} />
    </ConfirmPage>
  );
}

/** Asks for confirmation before a shop stops offering a product. Says which of the shop's own values are then lost. */
export function DetachPage({ product, filter, shop }: ConfirmProps & { shop: ShopOffer }) {
  const t = messages();
  const overridden = PRODUCT_FIELDS.filter((field) => field in shop.overrides);
  return (
    <ConfirmPage
      title={t.detachTitle(product.name, shop.name)}
      lead={overridden.length > 0 ? [t.detachLead, t.detachOverrides] : t.detachLead}
      {...pathsOf(product, filter, `/shops/${shop.id}/detach`)}
      act={t.detach}
    >
      <Names names={overridden.map((field) => t.fields[productFields[field].wire])} />
    </ConfirmPage>
  );
}

function pathsOf({ p1Id }: ProductDetail, filter: ListFilter, sub: string) {
  const path = productPath(p1Id);
  return { action: withFilter(path + sub, filter), back: withFilter(path, filter) };
}

function Names({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <ul class="names">
      {names.map((name) => (
        <li>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
