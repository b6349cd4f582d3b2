import { messageLanguageOf } from '../../messages/service';
import { orderPath } from '../http/paths';
import { MessageForm, MessagePanel, messageKinds } from '../ui/message-panel';
import type { DetailProps } from './order-props';

/** What there is to tell the customer now. */
export function MessageToCustomer({ view, detail }: DetailProps) {
  const { order, shop, questions } = detail;
  if (!shop || order.erasedAt !== null) return null;
  const kinds = messageKinds({
    ready: order.status === 'ready_pickup',
    later: false,
    shipped: order.status === 'shipped',
    question: questions.some(({ answeredAt }) => answeredAt === null),
    rejected: order.status === 'cancelled',
  });
  return (
    <>
      {kinds.length > 0 && <MessageForm path={orderPath(order.id)} />}
      <MessagePanel
        view={view}
        kinds={kinds}
        language={messageLanguageOf(order.platformDetails)}
        facts={{ number: String(order.number), orderedAt: order.createdAt, shop, trackingUrl: order.trackingUrl }}
        email={order.customerEmail}
        phone={order.addressPhone}
      />
    </>
  );
}
