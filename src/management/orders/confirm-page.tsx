import type { Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import type { FieldErrors } from '../ui/form-errors';
import { shortIdOf } from '../ui/format';
import { ItemNames } from '../ui/line-name';
import { customerOf, itemNamesOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { messages } from './messages';

export function CancelPage({ view, order, fieldErrors }: { view: View; order: Order; fieldErrors?: FieldErrors }) {
  const t = messages(view);
  return (
    <ConfirmPage
      view={view}
      title={t.cancelTitle(shortIdOf(order.id), customerOf(view, order))}
      about={<ItemNames view={view} names={itemNamesOf(order)} />}
      lead={t.cancelLead}
      action={`${orderPath(order.id)}/cancel`}
      act={t.cancelNow}
      back={orderPath(order.id)}
      keep={t.keep}
      fieldErrors={fieldErrors}
    >
      <ReasonField view={view} label={t.cancelReason} fieldErrors={fieldErrors} />
    </ConfirmPage>
  );
}

export function DeletePage({ view, order }: { view: View; order: Order }) {
  const t = messages(view);
  return (
    <ConfirmPage
      view={view}
      title={t.removeTitle(shortIdOf(order.id), customerOf(view, order))}
      about={<ItemNames view={view} names={itemNamesOf(order)} />}
      lead={t.removeLead}
      action={`${orderPath(order.id)}/delete`}
      act={t.removeNow}
      back={orderPath(order.id)}
    />
  );
}

/** Asks for confirmation, because the action is final and does not return the stock. */
export function ReturnPage({ view, order }: { view: View; order: Order }) {
  const t = messages(view);
  return (
    <ConfirmPage
      view={view}
      title={t.returnTitle(shortIdOf(order.id), customerOf(view, order))}
      about={order.items.map(({ quantity, name }) => (
        <>
          {quantity} × <bdi>{name}</bdi>
          <br />
        </>
      ))}
      lead={t.returnLead}
      action={`${orderPath(order.id)}/return`}
      act={t.returnNow}
      back={orderPath(order.id)}
      keep={t.noReturn}
    />
  );
}
