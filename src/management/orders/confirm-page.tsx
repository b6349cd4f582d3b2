import { type Order, REASON_CODES, type ReasonCode } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage, type ConfirmProps } from '../ui/confirm';
import type { FieldErrors } from '../ui/form-errors';
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
  /** Names the order by its number and its customer. */
  title: (id: string, customer: string) => string;
  /** The last part of the action's path. */
  step: 'cancel' | 'delete' | 'refund';
}

/** Asks for confirmation before something is done to an order; unless told otherwise, it says what was ordered. */
export function OrderQuestion({ order, title, step, ...question }: QuestionProps) {
  const path = orderPath(order.id);
  const names = <ItemNames view={question.view} names={itemNamesOf(order)} />;
  return (
    <ConfirmPage
      about={names}
      {...question}
      title={title(String(order.number), customerOf(question.view, order))}
      action={`${path}/${step}`}
      back={path}
    />
  );
}

/** What a customer or the pharmacy does comes before what may be wrong with a prescription. */
const USUAL: readonly ReasonCode[] = ['customer_withdrew', 'out_of_stock', 'payment_problem', 'duplicate_order'];
const CANCELLED_FOR = [...USUAL, ...REASON_CODES.filter((code) => !USUAL.includes(code))];

export function CancelPage({ view, order, fieldErrors }: OrderProps & { fieldErrors?: FieldErrors }) {
  const t = messages(view);
  const texts = { title: t.cancelTitle, lead: t.cancelLead, act: t.cancelNow, keep: t.keep };
  return (
    <OrderQuestion {...{ view, order, fieldErrors, ...texts }} step="cancel">
      <ReasonField
        {...{ view, fieldErrors }}
        label={sharedMessages(view).common.reason}
        codes={CANCELLED_FOR}
        value={order.withdrawal === 'requested' ? 'customer_withdrew' : undefined}
      />
    </OrderQuestion>
  );
}

export function DeletePage({ view, order }: OrderProps) {
  const t = messages(view);
  const texts = { title: t.removeTitle, lead: t.removeLead, act: t.removeNow };
  return <OrderQuestion {...{ view, order, ...texts }} step="delete" />;
}
