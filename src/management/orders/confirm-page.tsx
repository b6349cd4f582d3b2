import { type Order, prescribedOf, type ReasonCode } from '../../orders/service';
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

/** Why an accepted order ends: what a customer or the pharmacy does comes first. */
const CANCELLED_FOR: readonly ReasonCode[] = [
  ...(['customer_withdrew', 'out_of_stock', 'not_available', 'payment_problem', 'duplicate_order'] as const),
  ...(['address_invalid', 'outside_delivery_area', 'clinical_concern', 'suspected_fraud'] as const),
];
/** Of an order with prescribed lines. */
const OF_PRESCRIPTION = [
  ...(['prescription_missing', 'prescription_expired', 'prescription_already_used'] as const),
  ...(['prescription_signature_invalid', 'patient_mismatch'] as const),
];
const LAST = ['test', 'other'] as const;

export function CancelPage({ view, order, fieldErrors }: OrderProps & { fieldErrors?: FieldErrors }) {
  const t = messages(view);
  const texts = { title: t.cancelTitle, lead: t.cancelLead, act: t.cancelNow, keep: t.keep };
  return (
    <OrderQuestion {...{ view, order, fieldErrors, ...texts }} step="cancel">
      <ReasonField
        {...{ view, fieldErrors }}
        label={sharedMessages(view).common.reason}
        codes={[...CANCELLED_FOR, ...(prescribedOf(order.items).size > 0 ? OF_PRESCRIPTION : []), ...LAST]}
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
