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
  const { tabs } = sharedMessages(view).requests;
  if (request.status === 'approved') return <Chip tone="good">{tabs.approved}</Chip>;
  if (request.status === 'rejected') {
    return (
      <Chip tone="off" mark="failed">
        {tabs.rejected}
      </Chip>
    );
  }
  if (request.needsInfo) return <Chip tone="note">{tabs.needs_info}</Chip>;
  return <Chip tone="off">{tabs.open}</Chip>;
}
