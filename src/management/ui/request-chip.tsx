import type { Review } from '../../order-requests/service';
import { Chip } from './layout';
import type { View } from './view';

/** How a request stands, in a word. */
export function RequestChip({
  view,
  request,
}: {
  view: View;
  request: Pick<Review['request'], 'status' | 'needsInfo'>;
}) {
  const { tabs } = view.words.requests;
  if (request.status === 'approved') return <Chip tone="good">{tabs.approved}</Chip>;
  if (request.status === 'rejected') return <Chip tone="bad">{tabs.rejected}</Chip>;
  return <Chip tone="wait">{request.needsInfo ? tabs.needs_info : tabs.open}</Chip>;
}
