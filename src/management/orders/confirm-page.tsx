import type { Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage, type ConfirmProps } from '../ui/confirm';
import type { FieldErrors } from '../ui/form-errors';
import { shortIdOf } from '../ui/format';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { messages } from './messages';

export interface OrderProps {
  view: View;
  order: Order;
}

interface QuestionProps extends OrderProps, Omit<ConfirmProps, 'title' | 'action' | 'back'> {
  /** Names the order by its short id and its customer. */
  title: (id: string, customer: string) => string;
  /** The last part of the action's path. */
  step: 'cancel' | 'delete' | 'refund' | 'return';
}

/** Asks for confirmation before something is done to an order; unless told otherwise, it says what was ordered. */
export function OrderQuestion({ order, title, step, ...question }: QuestionProps) {
  const path = orderPath(order.id);
  const names = <ItemNames view={question.view} names={itemNamesOf(order)} />;
  return (
    <ConfirmPage
      about={names}
      {...question}
      title={title(shortIdOf(order.id), customerOf(question.view, order))}
      action={`${path}/${step}`}
      back={path}
    />
  );
}

export function CancelPage({ view, order, fieldErrors }: OrderProps & { fieldErrors?: FieldErrors }) {
  const t = messages(view);
  const texts = { title: t.cancelTitle, lead: t.cancelLead, act: t.cancelNow, keep: t.keep };
  return (
    <OrderQuestion {...{ view, order, fieldErrors, ...texts }} step="cancel">
      <ReasonField view={view} label={sharedMessages(view).common.reason} fieldErrors={fieldErrors} />
    </OrderQuestion>
  );
}

export function DeletePage({ view, order }: OrderProps) {
  const t = messages(view);
  const texts = { title: t.removeTitle, lead: t.removeLead, act: t.removeNow };
  return <OrderQuestion {...{ view, order, ...texts }} step="delete" />;
}

/** Asks for confirmation, because the action is final and does not return the stock. */
export function ReturnPage({ view, order }: OrderProps) {
  const t = messages(view);
  const texts = { title: t.returnTitle, lead: t.returnLead, act: t.returnNow, keep: t.noReturn };
  const lines = order.items.map(({ quantity, name }) => (
    <>
      {quantity} × <bdi>{name}</bdi>
      <br />
    </>
  ));
  return <OrderQuestion {...{ view, order, ...texts }} about={lines} step="return" />;
}
