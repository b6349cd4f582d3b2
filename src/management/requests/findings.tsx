import type { Review } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { isToCheck, mayCheck } from './prescription-checks';

interface FindingsProps {
  view: View;
  review: Review;
  blockers: Review['blockers'];
}

type Blocker = Review['blockers'][number];
type Warning = Review['warnings'][number];

/** Obstacles and warnings, each with its item and its numbers. */
export function Findings({ view, review, blockers }: FindingsProps) {
  const t = messages(view);
  const obstacles = blockers.filter(({ code }) => !isAnswered(view, review, code));
  const warnings = review.warnings.filter(({ code }) => !isSaid(blockers, code));
  if (obstacles.length === 0 && warnings.length === 0) return null;
  return (
    <section class="panel">
      {obstacles.length > 0 && <h2>{t.blockers}</h2>}
      <ul class="findings">
        {obstacles.map((blocker) => (
          <li>
            <Chip tone="bad">{blocker.overridable ? t.overridable : t.blocking}</Chip>
            <small>
              <Names names={itemsOf(blocker, review)} /> {blockerText(view, blocker.code)}{' '}
              {blocker.code === 'insufficient_stock' && t.shortage(blocker.requested, blocker.stockQuantity)}
              {blocker.code === 'prescription_not_covering' && t.covered(blocker.needed, blocker.covered)}
            </small>
          </li>
        ))}
      </ul>
      {warnings.length > 0 && <h2>{t.warnings}</h2>}
      <ul class="findings">
        {warnings.map((warning) => (
          <li>
            <Chip tone={warning.code === 'name_mismatch' ? 'bad' : 'wait'}>
              {sharedMessages(view).requests.warningTexts[warning.code]}
            </Chip>
            <small>
              <Details view={view} review={review} warning={warning} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The text of an obstacle for the reader's role: staff are not told to review prescriptions, which they cannot see.
 * @param length `blockerShort` for the inbox
 */
export function blockerText(
  view: Pick<View, 'language' | 'session'>,
  code: Blocker['code'],
  length: 'blockerTexts' | 'blockerShort' = 'blockerTexts',
): string {
  const t = messages(view);
  const texts: Record<Blocker['code'], string> = t[length];
  const staffTexts: Partial<typeof texts> = view.session?.role === 'staff' ? t.staff[length] : {};
  return staffTexts[code] ?? texts[code];
}

/** What stands in the form, with its tick or its choice. */
function isAnswered(view: View, { prescriptions }: Review, code: Blocker['code']): boolean {
  if (code === 'prescription_not_reviewed') return mayCheck(view) && prescriptions.some(isToCheck);
  return code === 'difference' || code === 'payment_undecided';
}

/** Warnings that an obstacle or a line already tells; a first order is nothing to be warned of. */
function isSaid(blockers: readonly Blocker[], code: Warning['code']): boolean {
  if (code === 'unknown_customer' || code === 'name_mismatch' || code === 'price_mismatch') return true;
  const same: Partial<Record<Warning['code'], Blocker['code']>> = {
    unmatched_item: 'unmatched_line',
    insufficient_stock: 'insufficient_stock',
  };
  return blockers.some((blocker) => blocker.code === same[code]);
}

/** Obstacles of the request as a whole. */
const ABOUT_ALL: readonly Blocker['code'][] = ['payment_undecided', 'address_missing', 'payment_missing'];

/** Names of the items that an obstacle is about. */
export function itemsOf(blocker: Blocker, { lines }: Pick<Review, 'lines'>): string[] {
  const names = lines.map((line) => line.productName ?? line.name);
  if ('p1Id' in blocker) return [blocker.productName ?? blocker.p1Id];
  if (ABOUT_ALL.includes(blocker.code)) return [];
  if ('pointer' in blocker) return names.slice(indexOf(blocker.pointer), indexOf(blocker.pointer) + 1);
  return names.filter((_, index) => lines[index]?.prescriptionRequired);
}

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <bdi class="item">{name}</bdi>
        </>
      ))}
      :
    </>
  );
}

function Details({ view, review, warning }: { view: View; review: Review; warning: Warning }) {
  const t = messages(view);
  const { request } = review;
  const money = (cents: number) => formatMoney(view.language, cents);
  switch (warning.code) {
    case 'total_mismatch':
      return <>{t.totals(money(warning.sentCents), money(warning.computedCents))}</>;
    case 'price_mismatch':
      return (
        <>
          <Names names={[nameAt(review, warning.pointer)]} />{' '}
          {t.prices(money(warning.priceCents), money(warning.productPriceCents))}
        </>
      );
    case 'name_mismatch':
      return (
        <>
          {t.asked}: <bdi class="item">{nameAt(review, warning.pointer)}</bdi>
          <br />
          {t.matched}: <bdi class="item">{review.products.get(warning.p1Id)?.name}</bdi>
        </>
      );
    case 'product_id_conflict':
    case 'unmatched_item':
      return <bdi class="item">{nameAt(review, warning.pointer)}</bdi>;
    case 'insufficient_stock':
      return (
        <>
          <Names names={[warning.productName ?? warning.p1Id]} /> {t.shortage(warning.requested, warning.stockQuantity)}
        </>
      );
    case 'payment_method_conflict':
      return <>{`${t.payments[request.paymentStatus]}, ${request.shippingOption ?? t.noShipping}`}</>;
    default:
      return null;
  }
}

/** The submitted item that a JSON pointer names. */
function nameAt({ request, products }: Review, pointer: string): string {
  const item = request.items[indexOf(pointer)];
  const id = item?.p1Id ?? item?.productId ?? '';
  return item?.name ?? products.get(id)?.name ?? id;
}

/** The position in a list that a JSON pointer ends with. */
export function indexOf(pointer: string): number {
  return Number(pointer.split('/').at(-1));
}
