import { type PlannedSubstitution, PRESCRIPTION_CHECKED, SUBSTITUTION_REASONS } from '../../orders/service';
import { roleHolds } from '../../platform/access';
import type { Child } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { Field, Form, Labeled, Options } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { textFor } from '../ui/lookup';
import { differingSpans, MarkedName } from '../ui/marked-name';
import { sharedMessages } from '../ui/messages';
import { Facts, Say } from '../ui/parts';
import type { View } from '../ui/view';
import type { ExchangeProps } from './order-props';
import { otherProductMessages } from './other-product-messages';

interface Props extends Pick<ExchangeProps, 'view' | 'typed' | 'acknowledged'> {
  planned: PlannedSubstitution;
}

/** Accepted and now, one below the other; what must be acknowledged; the reason; the button, for whoever may press it. */
export function ExchangeForm(props: Props) {
  const { view, planned, typed, acknowledged } = props;
  const { order, accepted, now, product, differences, prescriptions } = planned;
  const t = otherProductMessages(view);
  const { common, orders } = sharedMessages(view);
  const path = orderPath(order.id);
  const isPrescribed = accepted.prescriptionRequired || now.prescriptionRequired;
  const mayExchange = !isPrescribed || mayCheck(view);
  const reasons = SUBSTITUTION_REASONS.map((value) => ({ value, label: t.reasons[value] }));
  return (
    <Form view={view} action={`${path}/other-product`} checkedBy={`${path}/products`} isGuarded>
      <Hidden name="line" value={typed.line ?? ''} />
      <Hidden name="q" value={typed.q ?? ''} />
      <Hidden name="p1_id" value={product.p1Id} />
      <div class="versus" id="versus" data-checked={t.checking}>
        <Versus view={view} planned={planned} />
      </div>
      <Field
        name="quantity"
        label={common.quantity}
        value={typed.quantity || String(now.quantity)}
        fieldErrors={typed.fieldErrors}
        inputmode="numeric"
      />
      <fieldset id="acknowledged" data-checked={t.checking}>
        {differences.length > 0 && <legend>{t.differences}</legend>}
        {differences.map((difference) => (
          <Say tone={RED.has(difference.code) ? 'bad' : 'wait'} class="ack">
            <label class="choice">
              <input
                type="checkbox"
                name="acknowledged"
                value={difference.key}
                checked={acknowledged.includes(difference.key)}
                disabled={difference.code === PRESCRIPTION_CHECKED && !mayExchange}
                data-tick
                data-unchecked
              />
              <span>
                <DifferenceText view={view} {...difference} />
              </span>
            </label>
            {difference.code === PRESCRIPTION_CHECKED &&
              mayExchange &&
              prescriptions.slice(0, 1).map(({ id }) => (
                <a href={`/manage/prescriptions/${id}/pdf`} target="_blank" rel="noopener">
                  {t.seePrescription}
                </a>
              ))}
          </Say>
        ))}
      </fieldset>
      <Labeled
        name="reason"
        label={common.reason}
        error={typed.fieldErrors?.reason}
        control={(attributes) => (
          <select {...attributes} data-unchecked>
            <Options options={reasons} value={typed.reason} none={orders.choose} />
          </select>
        )}
      />
      <div class="acts">
        {mayExchange ? (
          <button class="primary" type="submit" data-decide>
            {isPrescribed ? t.approveAnew : t.exchange}
          </button>
        ) : (
          <p class="fault">{t.whoChecks}</p>
        )}
        <a class="button" href={path}>
          {t.keep}
        </a>
      </div>
    </Form>
  );
}

/** What may be another medicine. */
const RED = new Set(['substance', 'strength', 'form', 'release']);

function mayCheck({ session }: View): boolean {
  return session !== undefined && roleHolds(session.role, 'prescriptions.write');
}

/** Both lines, what differs in their names underlined. */
function Versus({ view, planned: { accepted, now } }: Pick<Props, 'view' | 'planned'>) {
  const t = otherProductMessages(view);
  const [before, after] = [accepted.productName ?? accepted.name, now.productName ?? now.name];
  const spans = differingSpans(before, after);
  const line = ({ quantity, priceCents }: typeof now, name: Child) => (
    <>
      {quantity} × {name} · {formatMoney(view.language, quantity * priceCents)}
    </>
  );
  return (
    <Facts
      entries={[
        [t.accepted, line(accepted, <MarkedName name={before} spans={spans.asked} />)],
        [t.now, line(now, <MarkedName name={after} spans={spans.supplied} />)],
      ]}
    />
  );
}

type Difference = PlannedSubstitution['differences'][number];

/** `Andere Gesamtmenge: 20 St statt 50 St`. */
function DifferenceText({ view, code, values }: Difference & { view: View }) {
  const t = otherProductMessages(view);
  if (code === PRESCRIPTION_CHECKED) {
    return (
      <>
        <b>{sharedMessages(view).prescriptions.approve}:</b> {t.covers}
      </>
    );
  }
  const isMoney = code === 'total' || code === 'price';
  const [accepted, now] = values.map((value) =>
    isMoney ? formatMoney(view.language, Number(value)) : said(view, value),
  );
  return (
    <>
      <b>{textFor(t.codes, code)}:</b> {t.insteadOf(now ?? '', accepted ?? '')}
    </>
  );
}

function said(view: View, value: unknown): string {
  const { units } = sharedMessages(view).orders;
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  const { size, unit } = value as { size: number; unit: string };
  return `${size} ${textFor(units, unit)}`;
}
