import type { Child } from 'hono/jsx';
import type { Review } from '../../order-requests/inbox/inbox';
import type { Difference } from '../../order-requests/names/differences';
import type { LineDifference } from '../../order-requests/review/lines';
import { QUANTITY_MAX } from '../../orders/limits';
import { nextDelivery, startOf } from '../../platform/pharmacy-time';
import { Fault } from '../ui/fields';
import { formatDate, formatMoney, priceText } from '../ui/format';
import { Mark } from '../ui/parts';
import { useView, type View } from '../ui/view';
import type { LineView } from './findings';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import { mayCheck } from './prescription-pane';
import type { ReviewProps } from './review-state';

type Blocker = Review['blockers'][number];

export interface LineProps extends ReviewProps {
  of: LineView;
}

/** Differences that make the supplied product another medicine, and do not only change the amount or price. */
const OTHER_MEDICINE: readonly Difference['code'][] = ['substance', 'strength', 'form', 'release'];

export function isOtherMedicine(code: Difference['code']): boolean {
  return OTHER_MEDICINE.includes(code);
}

/**
 * The findings of a line: obstacles, differences to acknowledge, and notes. Obstacles and differences have buttons that
 * remedy them.
 */
export function LineFindings({ review, state, of }: LineProps) {
  const toTell = of.differences.filter(({ difference }) => difference.severity === 'told');
  const toAcknowledge = of.differences.filter(({ difference }) => difference.severity === 'acknowledge');
  return (
    <>
      {/* Obstacles are red: they cannot be acknowledged. */}
      {of.hindrances.map((blocker) => (
        <div class="notice bad">
          <Mark name="blocked" />
          <span>{hindranceText(blocker)}</span>
          <span class="acts">{remediesOf(of, blocker)}</span>
        </div>
      ))}
      <Fault name={`acknowledged-${of.row}`} text={state.fieldErrors?.[`acknowledged-${of.row}`]} />
      {toAcknowledge.map((found, index) => (
        <Acknowledgement {...{ review, state, of, found, index }} />
      ))}
      {toTell.map((found) => (
        <Told {...{ of, found }} />
      ))}
    </>
  );
}

function hindranceText(blocker: Blocker): Child {
  const t = itemMessages();
  switch (blocker.code) {
    case 'insufficient_stock': {
      const { requested, stockQuantity } = blocker;
      const inStock = stockQuantity > 0 ? t.inStock(stockQuantity) : t.noneInStock;
      return (
        <>
          <b>{t.missing(requested - stockQuantity)},</b> {inStock}
        </>
      );
    }
    case 'unmatched_line':
      return <b>{t.unmatched}</b>;
    case 'prescription_not_covering':
      return <b>{t.covered(blocker.covered, blocker.needed)}</b>;
    case 'prescription_expired':
      return <b>{t.expired(formatDate(startOf(blocker.issuedOn)))}</b>;
    case 'prescription_price': {
      const [price, own] = [blocker.priceCents, blocker.productPriceCents].map((cents) => formatMoney(cents));
      return (
        <>
          <b>{t.prescriptionPrice}:</b> {price}, {t.ownPrice} {own}
          {!mayCheck() && `. ${t.staffCannotTakePrice}`}
        </>
      );
    }
    case 'rule_blocks':
      return <b>{blocker.message}</b>;
    default:
      return <b>{messages().blockerShort[blocker.code]}</b>;
  }
}

/** The buttons that remedy an obstacle of a line. */
function remediesOf(of: LineView, blocker: Blocker): Child[] {
  const t = itemMessages();
  const remove = <SetButton row={of.row} set={{ quantity: '0' }} label={t.remove} />;
  const reduce = (missing: number) => {
    const rest = (of.line?.quantity ?? 0) - missing;
    return rest > 0 ? <SetButton row={of.row} set={{ quantity: String(rest) }} label={t.setQuantity(rest)} /> : remove;
  };
  switch (blocker.code) {
    case 'insufficient_stock':
      return [
        <SupplyLater of={of} missing={blocker.requested - blocker.stockQuantity} />,
        reduce(blocker.requested - blocker.stockQuantity),
      ];
    case 'prescription_not_covering':
      return [reduce(blocker.needed - blocker.covered)];
    case 'unmatched_line':
      return [<SearchButton of={of} />, remove];
    case 'prescription_price':
      return [
        <OwnPrice of={of} cents={blocker.productPriceCents} />,
        mayCheck() && <CoPayment of={of} cents={blocker.priceCents} />,
      ];
    default:
      return [remove];
  }
}

/** A difference with the checkbox that acknowledges it. */
function Acknowledgement({ state, of, found, index }: LineProps & { found: LineDifference; index: number }) {
  const name = `acknowledged-${of.row}`;
  const id = index === 0 ? name : `${name}-${index}`;
  return (
    <div class={isOtherMedicine(found.difference.code) ? 'notice bad ack' : 'notice wait ack'}>
      <label>
        <input
          type="checkbox"
          id={id}
          name="acknowledged"
          value={found.key}
          checked={state.acknowledged?.includes(found.key)}
          required
          data-tick=""
          aria-describedby={state.fieldErrors?.[name] && `${name}-fault`}
        />
        <DifferenceText difference={found.difference} sentCents={of.asked?.priceCents} unit={of.line?.unit} />
      </label>
      <DifferenceRemedy of={of} difference={found.difference} />
    </div>
  );
}

function DifferenceRemedy({ of, difference }: { of: LineView; difference: Difference }) {
  const t = itemMessages();
  switch (difference.code) {
    case 'price':
      return <OwnPrice of={of} cents={difference.values[1]} />;
    case 'quantity': {
      const [asked] = difference.values;
      if (asked === null || asked === of.line?.quantity) return null;
      return <SetButton row={of.row} set={{ quantity: String(asked) }} label={t.setQuantity(asked)} />;
    }
    case 'unclear_unit': {
      const [quantity, all] = difference.values;
      const step = all / quantity;
      // The line keeps the total that the platform sent.
      const price = priceText(Math.round((of.asked?.priceCents ?? 0) / step), useView().language);
      const label = t.packsOf(quantity, step, of.line?.unit ?? '', all);
      return <SetButton row={of.row} set={{ quantity: String(all), price }} label={label} />;
    }
    case 'unit_step': {
      const [quantity, next] = difference.values;
      const below = next - (of.product?.unitStep ?? 1);
      return [below, next]
        .filter((units) => units > 0 && units !== quantity)
        .map((units) => <SetButton row={of.row} set={{ quantity: String(units) }} label={t.setQuantity(units)} />);
    }
    case 'total_amount': {
      const [asked, supplied] = difference.values;
      const each = supplied.size / (of.line?.quantity ?? 1);
      const packs = asked.size / each;
      if (!Number.isInteger(packs) || packs > QUANTITY_MAX) return null;
      const label = `${packs} × ${each} ${messages().units[supplied.unit]}`;
      return <SetButton row={of.row} set={{ quantity: String(packs) }} label={label} />;
    }
    default:
      return <SearchButton of={of} />;
  }
}

/** A note that needs no acknowledgement. */
function Told({ of, found }: { of: LineView; found: LineDifference }) {
  const { difference } = found;
  if (difference.code !== 'sent_price') return null;
  const [sent, own] = difference.values;
  const price = of.line?.priceCents;
  if (of.typed.isCoPayment) {
    return (
      <div class="notice off">
        <span>
          {messages().coPayment} {formatMoney(price ?? sent)}, {itemMessages().ownPrice} {formatMoney(own)}.
        </span>
        <OwnPrice of={of} cents={own} />
      </div>
    );
  }
  // Otherwise the obstacle shows both prices.
  if (price !== own) return null;
  return (
    <div class="notice off">
      <span>
        <DifferenceText difference={difference} sentCents={of.asked?.priceCents} />
      </span>
      {mayCheck() && <CoPayment of={of} cents={sent} />}
    </div>
  );
}

/**
 * The button that lets the missing packs of a line come later, which is the usual remedy for a shortage. It sets the
 * next delivery day, which can be changed in the line's fields.
 */
function SupplyLater({ of, missing }: { of: LineView; missing: number }) {
  const quantity = of.line?.quantity ?? 0;
  const later = Math.min(missing + Number(of.typed.later || 0), quantity);
  const set = { later: String(later), expected: of.typed.expectedOn || nextDelivery(useView().now) };
  return <SetButton row={of.row} set={set} label={itemMessages().splitLine(quantity - later, later)} />;
}

function OwnPrice({ of, cents }: { of: LineView; cents: number }) {
  const set = { price: priceText(cents, useView().language), co_payment: '' };
  return <SetButton row={of.row} set={set} label={itemMessages().takePrice(formatMoney(cents))} />;
}

function CoPayment({ of, cents }: { of: LineView; cents: number }) {
  const set = { price: priceText(cents, useView().language), co_payment: 'on' };
  return <SetButton row={of.row} set={set} label={itemMessages().asCoPayment(formatMoney(cents))} />;
}

/**
 * The button that searches for products by the name of the requested item (client/picker.js). Without the script, it is
 * hidden.
 */
function SearchButton({ of }: { of: LineView }) {
  return (
    <button type="button" hidden data-find={of.asked?.name ?? ''}>
      {itemMessages().otherProduct}
    </button>
  );
}

/**
 * A button that sets fields of a line. The script sets them; without the script, the button submits the form and the
 * server sets them. Nothing is decided.
 */
export function SetButton({ row, set, label, class: name }: SetButtonProps) {
  const fields = Object.entries(set).map(([field, value]): [string, string] => [`${field}-${row}`, value]);
  return (
    // biome-ignore lint/a11y/useButtonType: `submit` is the default, and forty lines have many
    <button class={name} name="set" value={new URLSearchParams(fields).toString()}>
      {label}
    </button>
  );
}

interface SetButtonProps {
  row: number;
  /** Values by field: `quantity`, `price`, `co_payment`. */
  set: Record<string, string>;
  label: string;
  class?: string;
}

type Reader = Pick<View, 'language'>;

/** A sentence that names both values of a difference. @param sentCents the price that the platform sent */
function DifferenceText({
  difference,
  sentCents,
  unit = '',
}: {
  difference: Difference;
  sentCents: number | undefined;
  unit?: string;
}) {
  const t = itemMessages();
  const what = messages().differences[difference.code];
  switch (difference.code) {
    case 'price': {
      const [price, own] = difference.values;
      return (
        <>
          <b>{formatMoney(price)}</b>
          {price === sentCents && ` ${t.asSent}`}, {t.ownPrice} <b>{formatMoney(own)}</b>
        </>
      );
    }
    case 'unclear_unit': {
      const [quantity, all] = difference.values;
      return <b>{t.unitsOrPacks(quantity, all / quantity, unit ?? '')}</b>;
    }
    case 'unit_step': {
      const [quantity, next] = difference.values;
      return <b>{t.noWholePacks(quantity, unit ?? '', next)}</b>;
    }
    case 'sent_price': {
      const [sent] = difference.values;
      return `${t.sent} ${formatMoney(sent)}, ${t.ownApplies}.`;
    }
    default: {
      const [asked, supplied] = valuesOf(useView(), difference);
      const [before, now] = difference.values;
      return (
        <>
          <b>{what}:</b> <bdi>{before === now ? `${supplied}, ${t.asAsked}` : t.instead(supplied, asked)}</bdi>
        </>
      );
    }
  }
}

function valuesOf(view: Reader, difference: Difference): [asked: string, supplied: string] {
  const t = itemMessages(view);
  const { packs, units } = messages(view);
  if (difference.code === 'quantity') {
    const [asked, supplied] = difference.values;
    return [asked === null ? t.unsaid : String(asked), packs(supplied ?? 0)];
  }
  if (difference.code === 'total_amount') {
    const [asked, supplied] = difference.values;
    return [`${asked.size} ${units[asked.unit]}`, `${supplied.size} ${units[supplied.unit]}`];
  }
  const [asked, supplied] = difference.values;
  return [String(asked ?? t.unsaid), String(supplied ?? t.unsaid)];
}

/** The parts of the requested or supplied name that differ from the other one, for `MarkedName`. */
export function spansOf(view: Reader, differences: readonly Difference[], side: 'asked' | 'supplied') {
  const { differences: words } = messages(view);
  // A sentence below describes the other differences.
  return differences.flatMap(({ code, severity, spans }) =>
    spans[side].map((span) => ({ ...span, title: severity === 'marked' ? words[code] : undefined })),
  );
}
