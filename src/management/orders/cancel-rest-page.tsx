import {
  isNothingHere,
  moneyWithoutRest,
  type Order,
  overpaidOf,
  owedCount,
  restKey,
  suppliedCount,
  supplyOf,
} from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import type { FieldErrors } from '../ui/form-errors';
import { dayText, formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { supplyMessages } from './supply-messages';

const CANCELLED_FOR = ['not_available', 'out_of_stock', 'customer_withdrew', 'other'] as const;

/** What is still to come goes: what that makes of the total, and what is to be given back. */
export function CancelRestPage({ view, order, fieldErrors }: { view: View; order: Order; fieldErrors?: FieldErrors }) {
  const t = supplyMessages(view);
  const path = orderPath(order.id);
  const money = (cents: number) => formatMoney(view.language, cents);
  const after = moneyWithoutRest(order);
  const isEnding = suppliedCount(order) > 0 && isNothingHere(order);
  return (
    <ConfirmPage
      {...{ view, fieldErrors }}
      title={t.cancelTitle(order.number)}
      lead={t.cancelLead}
      action={`${path}/cancel-rest`}
      act={t.cancelNow}
      back={path}
      keep={t.keepRest}
    >
      <Hidden name="seen" value={restKey(order)} />
      <ul aria-label={t.packs(owedCount(order))}>
        {order.items.map((item, place) => {
          const { owed, expectedOn } = supplyOf(order, place);
          if (owed === 0) return null;
          return (
            <li>
              <b>{owed} ×</b> <bdi>{item.productName ?? item.name}</bdi>{' '}
              <small>{expectedOn && t.onDay(dayText(view.language, expectedOn))}</small>
            </li>
          );
        })}
      </ul>
      <p>
        {t.totalFalls(money(order.totalCents), money(after.totalCents))} {isEnding && t.thenEnds}
      </p>
      {overpaidOf(after) > 0 && <Say tone="wait">{t.thenOver(money(overpaidOf(after)))}</Say>}
      <ReasonField {...{ view, fieldErrors }} label={sharedMessages(view).common.reason} codes={CANCELLED_FOR} />
    </ConfirmPage>
  );
}
