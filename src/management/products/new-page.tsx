import { PRODUCT_FIELDS, productFields } from '../../catalog/fields';
import { UNITS } from '../../catalog/tables';
import { pznOf } from '../../codes/read';
import type { ProductDetail } from '../../inventory/browse';
import { createProduct, OWN_CATEGORY } from '../../inventory/own';
import { resolveProduct } from '../../inventory/resolution';
import { requireScope } from '../../platform/access';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { CATALOG, CATALOG_NEW, productPath } from '../http/paths';
import { ConfirmPage, Decision } from '../ui/confirm';
import { Field, Form, Select } from '../ui/fields';
import { quantityText } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Notice } from '../ui/parts';
import { type FieldErrors, hasFieldErrors, respondForm, tryForm } from '../ui/view';
import { LayerFields, type LayerState, readFields } from './edit-page';
import { messages } from './messages';
import { parseCount } from './product-table';

interface NewState extends LayerState {
  pzn?: string;
  stock?: string;
}

const NEEDED = ['name', 'priceCents'] as const;
const NOTHING = resolveProduct({ catalog: {}, organization: {}, shop: {} });
/** The values that a new product gets for the fields that are left empty. */
const DEFAULTS = {
  ...NOTHING,
  values: { ...NOTHING.values, category: OWN_CATEGORY, prescriptionRequired: false },
};

/** The form for a new product of the organization's own. */
function NewProductPage({ typed, ...form }: NewState) {
  const { fieldErrors = {} } = form;
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Page title={t.newTitle} fieldErrors={fieldErrors} back={{ path: CATALOG, label: t.addTitle }}>
      <p class="quiet">{t.newLead}</p>
      <Form action={CATALOG_NEW} class="panel" once>
        <LayerFields
          {...{ typed, fieldErrors }}
          fields={PRODUCT_FIELDS}
          needed={NEEDED}
          stored={{}}
          inherited={DEFAULTS}
        >
          <Field name="pzn" label={common.optional('PZN')} form={form} data-scan="pzn" />
          <Field name="stock" label={common.optional(common.stock)} form={form} inputmode="numeric" />
        </LayerFields>
        <Decision act={t.createOwn} back={CATALOG} isHarmless />
      </Form>
    </Page>
  );
}

export async function respondNew(c: ManageContext, state: NewState = { pzn: c.req.query('pzn') }): Promise<Response> {
  requireScope(c.var.ctx, 'products.write');
  return respondForm(c, <NewProductPage {...state} />, state.fieldErrors);
}

/** Adds an own product with the typed values. If they are refused, shows the form again with the errors. */
export async function saveNew(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const t = messages(c.var);
  const { typed, change, fieldErrors: faults } = readFields(form, PRODUCT_FIELDS, c.var);
  const said = form.texts('pzn', 'stock');
  // People often leave out the leading zeros of a PZN.
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

/** The typed values and errors of the form that changes a product's unit. Missing until the form is refused. */
export interface UnitState {
  typed?: Readonly<Record<'unit' | 'unit_step' | 'price' | 'on_hand', string>>;
  fieldErrors?: FieldErrors;
}

/**
 * The form that changes a product's unit. Step, price and stock are entered again in the new unit.
 * @param back the path of the product's page
 */
export function UnitPage({ product, state, back }: { product: ProductDetail; state: UnitState; back: string }) {
  const t = messages();
  const { units, fields } = sharedMessages().products;
  const { typed, fieldErrors = {} } = state;
  const { unit, unitStep } = product.own.values;
  const held = product.committedQuantity + product.reservedQuantity;
  return (
    <ConfirmPage
      title={t.changeUnitTitle(product.name)}
      fieldErrors={fieldErrors}
      lead={t.changeUnitLead}
      action={`${productPath(product.p1Id)}/unit`}
      act={t.changeUnit}
      back={back}
    >
      {held > 0 && <Notice tone="wait">{t.changeUnitHeld(quantityText(held, unit))}</Notice>}
      <Select
        {...{ name: 'unit', label: fields.unit, fieldErrors }}
        options={UNITS.map((value) => ({ value, label: units[value] }))}
        value={typed?.unit ?? unit}
      />
      <Field
        name="unit_step"
        label={fields.unit_step}
        value={typed?.unit_step ?? String(unitStep)}
        fieldErrors={fieldErrors}
        inputmode="numeric"
      />
      <Field name="price" label={t.priceOfNewUnit} value={typed?.price} fieldErrors={fieldErrors} inputmode="decimal" />
      <Field name="on_hand" label={t.countedNow} value={typed?.on_hand} fieldErrors={fieldErrors} inputmode="numeric" />
    </ConfirmPage>
  );
}
