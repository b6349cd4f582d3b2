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
  const { requests: t } = sharedMessages(view);
  if (request.status === 'approved') return <Chip tone="good">{t.tabs.approved}</Chip>;
  if (request.status === 'rejected') return <Chip tone="bad">{t.tabs.rejected}</Chip>;
  return <Chip tone="wait">{request.needsInfo ? t.tabs.needs_info : t.tabs.open}</Chip>;
}
