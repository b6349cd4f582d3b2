import { PRODUCT_FIELDS, type ProductValues, WRITTEN_NAMES } from '../../inventory/service';
import { notFound } from '../../platform/errors';
import { readProduct } from '../../reports/service';
import type { ManageContext } from '../http/env';
import { productPath } from '../http/paths';
import { type Faults, hasFaults } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { answerPage, viewOf } from '../ui/view';
import { p1IdOf } from './context';
import { SHOP_FIELDS, shownValue, type TypedFields } from './fields';
import { FieldsForm } from './form';
import { readFilter, withFilter } from './list-filter';
import { messages } from './messages';

interface LayerState {
  typed?: TypedFields;
  seen?: ProductValues;
  faults?: Faults;
}

/**
 * The form of one layer of a product: the organization's, or a shop's that offers it.
 * @throws AppError `not_found`, `insufficient_scope`
 */
export async function answerLayer(c: ManageContext, state: LayerState = {}, shopId?: string): Promise<Response> {
  const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
  const shop = shopId === undefined ? undefined : product.shops.find(({ id }) => id === shopId);
  if (shopId !== undefined && !shop?.isAttached) throw notFound();
  const view = await viewOf(c);
  const shared = sharedMessages(view);
  const t = messages(view);
  const fields = shop ? SHOP_FIELDS : PRODUCT_FIELDS;
  const stored: ProductValues = shop ? shop.overrides : product.organization;
  const { filter } = readFilter(c);
  const at = (sub = '') => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const { typed, seen, faults = {} } = state;
  // What somebody else saved meanwhile is told beside its field, and counts as seen from then on.
  const told = fields.filter((field) => faults[WRITTEN_NAMES[field]] === shared.fieldErrors.changed_meanwhile);
  const now = Object.fromEntries(told.map((field) => [field, stored[field]]));
  const news = Object.fromEntries(
    told.map((field) => [WRITTEN_NAMES[field], t.changedTo(shownValue(view, field, stored[field]))]),
  );
  const page = (
    <Page view={view} title={shop ? t.editShopTitle(product.name, shop.name) : t.editTitle(product.name)}>
      <FieldsForm
        view={view}
        action={at(shop ? `/shops/${shop.id}` : '/edit')}
        back={at()}
        fields={fields}
        stored={stored}
        seen={{ ...seen, ...now }}
        inherited={shop ? product.own : product.base}
        typed={typed}
        faults={{ ...faults, ...news }}
      />
    </Page>
  );
  return answerPage(c, page, hasFaults(faults) ? 400 : 200);
}
