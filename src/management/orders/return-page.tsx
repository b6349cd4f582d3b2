import { type OrderDetail, returnedCount } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Fault, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { customerOf } from '../ui/order-summary';
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
    <Page view={view} title={t.returnTitle(order.number, customerOf(view, order))} fieldErrors={fieldErrors}>
      <p>{t.returnLead}</p>
      {isWhole && <p>{t.returnWhole}</p>}
      <Form view={view} action={`${path}/return`} isGuarded>
        <input type="hidden" name="seen" value={typed.seen ?? seen} />
        <table class="lines">
          <TableHead columns={[t.item, t.back, t.restock]} />
          <tbody>
            {order.items.map((item, place) => {
              const name = item.productName ?? item.name;
              const left = item.quantity - (order.returned?.[place]?.quantity ?? 0);
              const [field, restock] = [returnedField(place), restockField(place)];
              const product = products.get(item.p1Id ?? '');
              const isPrescription = item.prescriptionRequired || product?.prescriptionRequired === true;
              return (
                <tr>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td>
                    <Fault name={field} text={fieldErrors[field]} />
                    <input
                      id={field}
                      name={field}
                      value={typed[field] ?? (isWhole ? left : 0)}
                      inputmode="numeric"
                      autocomplete="off"
                      size={4}
                      aria-label={t.backOf(name)}
                      aria-describedby={fieldErrors[field] && `${field}-fault`}
                    />{' '}
                    {t.of(left)}
                  </td>
                  <td>
                    {product && !isPrescription ? (
                      <label class="choice">
                        <input type="checkbox" name={restock} value="yes" checked={typed[restock] === 'yes'} />
                        <span>
                          {t.restockYes}
                          <span class="unseen">: {name}</span>
                        </span>
                      </label>
                    ) : (
                      <span class="quiet">{isPrescription ? t.restockNo : t.noProduct}</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <div class="buttons">
          <button class="danger" type="submit">
            {t.returnNow}
          </button>
          <a class="button" href={path}>
            {t.noReturn}
          </a>
        </div>
      </Form>
    </Page>
  );
}
