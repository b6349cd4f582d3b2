import { UNITS } from '../../catalog/tables';
import type { ProductDetail } from '../../inventory/browse';
import { productPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import { Field, Labeled, Options } from '../ui/fields';
import { quantityText } from '../ui/format';

import { sharedMessages } from '../ui/messages';
import { Notice } from '../ui/parts';
import type { FieldErrors } from '../ui/view';
import { messages } from './messages';

/** A refused form. */
export interface UnitState {
  typed?: Readonly<Record<'unit' | 'unit_step' | 'price' | 'on_hand', string>>;
  fieldErrors?: FieldErrors;
}

interface UnitProps {
  product: ProductDetail;
  state: UnitState;
  /** Path of the product's page. */
  back: string;
}

/** The guided recount: another unit together with step, price and the stock counted in it. */
export function UnitPage({ product, state, back }: UnitProps) {
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
      <Labeled
        name="unit"
        label={fields.unit}
        error={fieldErrors.unit}
        control={(attributes) => (
          <select {...attributes}>
            <Options options={UNITS.map((value) => ({ value, label: units[value] }))} value={typed?.unit ?? unit} />
          </select>
        )}
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
