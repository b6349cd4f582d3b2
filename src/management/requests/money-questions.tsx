import type { Review } from '../../order-requests/inbox/inbox';
import { chargesOf } from '../../order-requests/intake/charges';
import { feeWarnings } from '../../order-requests/intake/warnings';
import type { PaymentDifference } from '../../order-requests/review/assessment';
import { totalsWith } from '../../orders/rules';
import { PAYMENT_ACTIONS } from '../../orders/tables';
import { Group } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { chargeRows } from '../ui/order-summary';
import { Notice } from '../ui/parts';
import { useView, type View } from '../ui/view';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** What a sent total is that items and fee do not explain. Nothing is preselected. */
export function RemainderQuestion({ review: { request, lines }, state }: ReviewProps) {
  const view = useView();
  const t = messages();
  const [differs] = feeWarnings(request);
  if (!differs) return null;
  const money = (cents: number) => formatMoney(view.language, cents);
  const checked = totalsWith(lines, chargesOf(request, 'check_price')).totalCents;
  return (
    <Notice tone="wait">
      <Group
        name="remainder"
        id="remainder"
        label={t.remainder(money(differs.sentCents), money(differs.computedCents))}
        fault={state.fieldErrors?.remainder}
      >
        {chargesOf(request).choices.map((choice) => (
          <label class="choice">
            <input type="radio" name="remainder" value={choice} checked={state.remainder === choice} />
            <span>
              {t.remainders[choice]}
              {choice === 'check_price'
                ? `: ${t.checkedTotal(money(checked))}`
                : `: ${money(differs.sentCents - differs.computedCents)}`}
            </span>
          </label>
        ))}
      </Group>
    </Notice>
  );
}

/** How to treat the difference between the paid amount and the total. Nothing is preselected. */
export function PaymentChoice({ state, difference }: Omit<ReviewProps, 'review'> & { difference: PaymentDifference }) {
  const view = useView();
  const t = messages();
  const [paid, total] = [difference.paidCents, difference.totalCents].map((cents) => formatMoney(view.language, cents));
  return (
    <Notice tone="wait">
      <Group name="payment" id="payment" label={t.payment(paid ?? '', total ?? '')} fault={state.fieldErrors?.payment}>
        {PAYMENT_ACTIONS.map((action) => (
          <label class="choice">
            <input type="radio" name="payment" value={action} checked={state.payment === action} />
            <span>{t.paymentActions[action]}</span>
          </label>
        ))}
      </Group>
    </Notice>
  );
}

/** “Gebühr 4,90 €”; empty for an order without fee and discount. */
export function chargesText(view: View, { feeCents, discountCents, discountKind }: Review['charges']): string[] {
  return chargeRows(view, { feeCents, discountCents, discountKind }).map(([label, amount]) => `${label} ${amount}`);
}
