import { messageLanguageOf } from '../../messages/service';
import { MessagePanel, messageKinds } from '../ui/message-panel';
import type { ReviewProps } from './review-state';

/** While a question is open, and after a rejection: what there is to tell the customer. */
export function MessageToCustomer({ view, review }: Omit<ReviewProps, 'state'>) {
  const { request, shop, questions } = review;
  if (!shop) return null;
  const kinds = messageKinds({
    ready: false,
    later: false,
    shipped: false,
    question: request.status === 'pending' && questions.some(({ answeredAt }) => answeredAt === null),
    rejected: request.status === 'rejected',
  });
  return (
    <MessagePanel
      view={view}
      kinds={kinds}
      language={messageLanguageOf(request.platformDetails)}
      facts={{ number: null, orderedAt: request.createdAt, shop }}
      email={request.customerEmail}
      phone={request.addressPhone}
      isFolded
    />
  );
}
