import type { OrderableProduct } from '../../inventory/service';
import { type OrderDetail, type OrderLine, returnableOf, returnedCount } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Fault, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { leavingMessages } from './leaving-messages';

export const returnedField = (place: number) => `back_${place}`;
export const restockField = (place: number) => `restock_${place}`;

interface Props {
  view: View;
  detail: OrderDetail;
  typed: Readonly<Record<string, string>>;
  fieldErrors: FieldErrors;
}

/** What comes back, line by line. Stock changes only where it is ticked, and never for what needs a prescription. */
export function ReturnPage({ view, detail: { order, products }, typed, fieldErrors }: Props) {
  const t = leavingMessages(view);
  const path = orderPath(order.id);
  const seen = returnedCount(order);
  const isWhole = order.status === 'ready_pickup';
  return (
    <Page view={view} title={t.returnTitle(order.number, customerOf(view, order))} fieldErrors={fieldErrors} isDialog>
      <p class="hint">{t.returnLead}</p>
      {isWhole && <Say tone="note">{t.returnWhole}</Say>}
      <Form view={view} action={`${path}/return`} isGuarded>
        <Hidden name="seen" value={typed.seen ?? seen} />
        <table class="returns">
          <TableHead columns={[t.item, t.back, t.restock]} />
          <tbody>
            {order.items.map((item, place) => {
              const name = item.productName ?? item.name;
              const left = returnableOf(order, place);
              const field = returnedField(place);
              return (
                <tr>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td>
                    <Fault name={field} text={fieldErrors[field]} />
                    <span class="with">
                      <input
                        id={field}
                        name={field}
                        value={typed[field] ?? (isWhole ? left : 0)}
                        inputmode="numeric"
                        autocomplete="off"
                        size={4}
                        aria-label={t.backOf(name)}
                        aria-describedby={fieldErrors[field] && `${field}-fault`}
                        aria-invalid={fieldErrors[field] ? 'true' : undefined}
                      />
                      {t.of(left)}
                    </span>
                  </td>
                  <td>
                    <Restock
                      {...{ view, item, name }}
                      product={products.get(item.p1Id ?? '')}
                      field={restockField(place)}
                      isTicked={typed[restockField(place)] === 'yes'}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <Decision view={view} act={t.returnNow} back={path} keep={t.noReturn} />
      </Form>
    </Page>
  );
}

interface RestockProps {
  view: View;
  item: OrderLine;
  name: string;
  product: OrderableProduct | undefined;
  field: string;
  isTicked: boolean;
}

/** The tick that puts a line back into stock, or why it stays out. */
function Restock({ view, item, name, product, field, isTicked }: RestockProps) {
  const t = leavingMessages(view);
  const isPrescription = item.prescriptionRequired || product?.prescriptionRequired === true;
  if (!product || isPrescription) return <span class="quiet">{isPrescription ? t.restockNo : t.noProduct}</span>;
  return (
    <label class="choice">
      <input type="checkbox" name={field} value="yes" checked={isTicked} />
      <span>
        {t.restockYes}
        <span class="unseen">: {name}</span>
      </span>
    </label>
  );
}
