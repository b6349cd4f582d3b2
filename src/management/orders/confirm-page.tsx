import type { Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import type { Faults } from '../ui/form-errors';
import { shortIdOf } from '../ui/format';
import { ItemNames } from '../ui/line-name';
import { customerOf, itemNamesOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';

export function CancelPage({ view, order, faults }: { view: View; order: Order; faults?: Faults }) {
  const words = view.words.orders;
  return (
    <ConfirmPage
      view={view}
      title={words.cancelTitle(shortIdOf(order.id), customerOf(view, order))}
      about={<ItemNames view={view} names={itemNamesOf(order)} />}
      lead={words.cancelLead}
      action={`${orderPath(order.id)}/cancel`}
      act={words.cancelNow}
      back={orderPath(order.id)}
      keep={words.keep}
      faults={faults}
    >
      <ReasonField view={view} label={words.cancelReason} faults={faults} />
    </ConfirmPage>
  );
}

export function DeletePage({ view, order }: { view: View; order: Order }) {
  const words = view.words.orders;
  return (
    <ConfirmPage
      view={view}
      title={words.removeTitle(shortIdOf(order.id), customerOf(view, order))}
      about={<ItemNames view={view} names={itemNamesOf(order)} />}
      lead={words.removeLead}
      action={`${orderPath(order.id)}/delete`}
      act={words.removeNow}
      back={orderPath(order.id)}
    />
  );
}

/** Asked once: it is final, and it brings no stock back. */
export function ReturnPage({ view, order }: { view: View; order: Order }) {
  const words = view.words.orders;
  return (
    <ConfirmPage
      view={view}
      title={words.returnTitle(shortIdOf(order.id), customerOf(view, order))}
      about={order.items.map(({ quantity, name }) => (
        <>
          {quantity} × <bdi>{name}</bdi>
          <br />
        </>
      ))}
      lead={words.returnLead}
      action={`${orderPath(order.id)}/return`}
      act={words.returnNow}
      back={orderPath(order.id)}
      keep={words.noReturn}
    />
  );
}
