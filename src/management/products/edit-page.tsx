import { PRODUCT_FIELDS, productFields } from '../../catalog/fields';
import type { ProductValues } from '../../inventory/service';
import type { readProduct } from '../../reports/service';
import { productPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { SHOP_FIELDS, seenName, shownValue, type TypedFields } from './fields';
import { LayerField } from './form';
import { type ListFilter, withFilter } from './list-filter';
import { messages } from './messages';

export interface LayerState {
  typed?: TypedFields;
  seen?: ProductValues;
  fieldErrors?: FieldErrors;
}

type Product = Awaited<ReturnType<typeof readProduct>>['product'];

interface LayerProps {
  view: View;
  product: Product;
  /** The organization's layer without it. */
  shop?: Product['shops'][number];
  filter: ListFilter;
  state: LayerState;
}

/** The form of one layer of a product: the organization's, or a shop's that offers it. */
export function LayerPage({ view, product, shop, filter, state }: LayerProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const fields = shop ? SHOP_FIELDS : PRODUCT_FIELDS;
  const stored: ProductValues = shop ? shop.overrides : product.organization;
  const at = (sub = '') => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const { typed, seen, fieldErrors = {} } = state;
  // The value that somebody else saved meanwhile is shown beside its field; the next form counts as made from it.
  const told = fields.filter(
    (field) => fieldErrors[productFields[field].wire] === shared.fieldErrors.changed_meanwhile,
  );
  const now = Object.fromEntries(told.map((field) => [field, stored[field]]));
  const news = Object.fromEntries(
    told.map((field) => [productFields[field].wire, t.changedTo(shownValue(view, field, stored[field]))]),
  );
  const layer = {
    view,
    stored,
    typed,
    inherited: shop ? product.own : product.base,
    fieldErrors: { ...fieldErrors, ...news },
  };
  return (
    <Page
      view={view}
      title={shop ? t.editShopTitle(product.name, shop.name) : t.editTitle(product.name)}
      fieldErrors={layer.fieldErrors}
    >
      <p class="quiet">{t.editLead}</p>
      <Form view={view} action={at(shop ? `/shops/${shop.id}` : '/edit')} class="panel wide">
        {fields.map((field) => (
          <>
            <Hidden name={seenName(field)} value={JSON.stringify({ ...stored, ...seen, ...now }[field] ?? null)} />
            <LayerField {...layer} field={field} />
          </>
        ))}
        <Decision view={view} act={shared.common.save} back={at()} isHarmless />
      </Form>
    </Page>
  );
}
