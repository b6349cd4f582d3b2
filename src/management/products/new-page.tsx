import { PRODUCT_FIELDS, productFields } from '../../catalog/fields';
import { pznOf } from '../../codes/read';
import { createProduct, OWN_CATEGORY } from '../../inventory/own';
import { resolveProduct } from '../../inventory/resolution';
import { requireScope } from '../../platform/access';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { CATALOG, CATALOG_NEW, productPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form } from '../ui/fields';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { hasFieldErrors, respondForm, tryForm } from '../ui/view';
import { LayerField, type LayerState, readFields } from './edit-page';
import { messages } from './messages';
import { parseCount } from './product-table';

interface NewState extends LayerState {
  pzn?: string;
  stock?: string;
}

/** The fields of a new product, those that it cannot do without first. */
const FIELDS = [...PRODUCT_FIELDS].sort((a, b) => Number(isNeeded(b)) - Number(isNeeded(a)));
const NOTHING = resolveProduct({ catalog: {}, organization: {}, shop: {} });
/** What a new product has where nothing is typed. */
const DEFAULTS = {
  ...NOTHING,
  values: { ...NOTHING.values, category: OWN_CATEGORY, prescriptionRequired: false },
};

function isNeeded(field: (typeof PRODUCT_FIELDS)[number]): boolean {
  return field === 'name' || field === 'priceCents';
}

/** The form of a product of the organization's own. */
function NewProductPage({ typed, ...form }: NewState) {
  const { fieldErrors = {} } = form;
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Page title={t.newTitle} fieldErrors={fieldErrors} back={{ path: CATALOG, label: t.addTitle }}>
      <p class="quiet">{t.newLead}</p>
      <Form action={CATALOG_NEW} class="panel" once>
        <div class="halves">
          {FIELDS.map((field) => (
            <>
              {field === 'slug' && (
                <>
                  <Field name="pzn" label={common.optional('PZN')} form={form} data-scan="pzn" />
                  <Field name="stock" label={common.optional(common.stock)} form={form} inputmode="numeric" />
                </>
              )}
              <LayerField {...{ field, typed, fieldErrors }} stored={{}} inherited={DEFAULTS} isNew={isNeeded(field)} />
            </>
          ))}
        </div>
        <Decision act={t.createOwn} back={CATALOG} isHarmless />
      </Form>
    </Page>
  );
}

export async function respondNew(c: ManageContext, state: NewState = { pzn: c.req.query('pzn') }): Promise<Response> {
  requireScope(c.var.ctx, 'products.write');
  return respondForm(c, <NewProductPage {...state} />, state.fieldErrors);
}

/** Adds an own product as typed, or shows the form again with its errors. */
export async function saveNew(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const t = messages(c.var);
  const { typed, change, fieldErrors: faults } = readFields(form, PRODUCT_FIELDS, c.var);
  const said = form.texts('pzn', 'stock');
  // People leave out leading zeros.
  const pzn = said.pzn === '' ? null : (pznOf(said.pzn) ?? pznOf(`-${said.pzn}`));
  const initialStock = parseCount(said.stock || '0');
  const { name, priceCents } = change;
  const fieldErrors = {
    ...(!name && { name: t.nameFault }),
    ...(typeof priceCents !== 'number' && { [productFields.priceCents.wire]: t.fieldErrors.money }),
    ...faults,
    ...(said.pzn !== '' && pzn === null && { pzn: t.pznFault }),
    ...(initialStock === null && { stock: t.initialStockFault }),
  };
  const again = { ...said, typed };
  if (!name || typeof priceCents !== 'number' || initialStock === null || hasFieldErrors(fieldErrors)) {
    return respondNew(c, { ...again, fieldErrors });
  }
  const values = { ...change, name, priceCents };
  const result = await tryForm(c.var, {}, () => createProduct(ctx, { values, pzn, initialStock }));
  if (result.fieldErrors) return respondNew(c, { ...again, fieldErrors: result.fieldErrors });
  return redirectWithFlash(c, 'product_added', productPath(result.value.p1Id));
}
