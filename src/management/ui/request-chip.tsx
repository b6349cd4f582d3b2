import type { Review } from '../../order-requests/service';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

/** The status of a request. */
export function RequestChip({
  view,
  request,
}: {
  view: View;
  request: Pick<Review['request'], 'status' | 'needsInfo'>;
}) {
  const shared = sharedMessages(view);
  if (request.status === 'approved') return <Chip tone="good">{shared.requests.tabs.approved}</Chip>;
  if (request.status === 'rejected') return <Chip tone="bad">{shared.requests.tabs.rejected}</Chip>;
  return <Chip tone="wait">{request.needsInfo ? shared.requests.tabs.needs_info : shared.requests.tabs.open}</Chip>;
}
