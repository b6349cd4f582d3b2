import { messageLanguageOf, type SentEmail } from '../../messages/service';
import { restExpectedOn, suppliedCount } from '../../orders/service';
import { MessagePanel, messageKinds } from '../ui/message-panel';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import type { DetailProps } from './order-props';

/** What there is to tell the customer now. */
export function MessageToCustomer({ view, detail }: DetailProps) {
  const { order, shop, questions, emails, hasOptedOut } = detail;
  const { messages: t } = sharedMessages(view);
  if (!shop || order.erasedAt !== null) return null;
  const day = restExpectedOn(order);
  const kinds = messageKinds({
    ready: order.status === 'ready_pickup' && day === null,
    later: order.status === 'ready_pickup' && day !== null,
    shipped: order.status === 'shipped',
    question: questions.some(({ answeredAt }) => answeredAt === null),
    rejected: order.status === 'cancelled' && suppliedCount(order) === 0,
  });
  return (
    <MessagePanel
      view={view}
      kinds={kinds}
      language={messageLanguageOf(order.platformDetails)}
      facts={{
        number: String(order.number),
        orderedAt: order.createdAt,
        shop,
        day,
        trackingUrl: order.trackingUrl,
      }}
      email={order.customerEmail}
      phone={order.addressPhone}
    >
      {hasOptedOut && <p class="hint">{t.optedOut}</p>}
      {emails.filter(isUndelivered).map(() => (
        <Say tone="bad">
          <p>{t.tellByPhone}</p>
        </Say>
      ))}
    </MessagePanel>
  );
}

function isUndelivered({ state }: SentEmail): boolean {
  return state === 'bounced' || state === 'failed';
}
