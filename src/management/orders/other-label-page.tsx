import type { LabelledOrder, Order } from '../../orders/service';
import { labelledPath, orderPath } from '../http/paths';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { packingMessages } from './packing-messages';

/** The label of another order was scanned while this one is half packed: nothing was changed, and staff choose where to go on. */
export function OtherLabelPage({ view, own, other }: { view: View; own: Order; other: LabelledOrder }) {
  const t = packingMessages(view);
  return (
    <Page view={view} title={t.otherTitle(other.number)} isDialog>
      <p>{t.otherLead(other.number, own.number)}</p>
      <div class="ends">
        <a class="button" href={labelledPath(other)}>
          {t.toOther(other.number)}
        </a>
        <a class="button primary" href={orderPath(own.id)} data-decide>
          {t.stay(own.number)}
        </a>
      </div>
    </Page>
  );
}
