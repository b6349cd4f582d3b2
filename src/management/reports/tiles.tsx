import type { Figures } from '../../reports/service';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { countText } from './text';

const NONE = '–';
/** A change of more than ten times the figure before says nothing. */
const TENTHS_MAX = 10_000;

/** The figures of the period, each against that of the period before. */
export function Tiles({ view, figures }: { view: View; figures: Figures }) {
  const t = messages(view);
  const { nav, requests } = sharedMessages(view);
  const { totals, before, medianDecisionSeconds: median } = figures;
  const money = (cents: number) => formatMoney(view.language, cents);
  const count = (value: number) => countText(view, value);
  const duration = (seconds: number | null) => (seconds === null ? NONE : t.duration(seconds));
  const earning = totals.orders - totals.cancelledOrReturned;
  const [share, shareBefore] = [approvedTenths(totals), approvedTenths(before.totals)];
  const percent = (tenths: number | null) => (tenths === null ? NONE : t.percent(tenths));
  const relative = (now: number, then: number) => {
    const tenths = then === 0 ? null : Math.round((1_000 * Math.abs(now - then)) / then);
    return tenths === null || tenths > TENTHS_MAX ? '' : t.percent(tenths);
  };
  const figure = { view };
  return (
    <dl class="tiles">
      <Tile
        {...figure}
        label={t.charts.revenue.title}
        value={money(totals.revenueCents)}
        change={totals.revenueCents - before.totals.revenueCents}
        by={relative(totals.revenueCents, before.totals.revenueCents)}
        before={money(before.totals.revenueCents)}
        hint={earning === 0 ? '' : t.perOrder(money(totals.revenueCents / earning))}
        better="more"
      />
      <Tile
        {...figure}
        label={nav.orders}
        value={count(totals.orders)}
        change={totals.orders - before.totals.orders}
        by={relative(totals.orders, before.totals.orders)}
        before={count(before.totals.orders)}
        hint={t.endedOf(count(totals.cancelledOrReturned))}
        better="more"
      />
      <Tile
        {...figure}
        label={requests.tabs.approved}
        value={percent(share)}
        change={(share ?? 0) - (shareBefore ?? 0)}
        by={share === null || shareBefore === null ? '' : t.points(Math.abs(share - shareBefore))}
        before={percent(shareBefore)}
        hint={t.decidedOf(count(totals.requests), count(totals.rejected))}
      />
      <Tile
        {...figure}
        label={t.decision}
        value={duration(median)}
        change={(median ?? 0) - (before.medianDecisionSeconds ?? 0)}
        by={changeOfDuration(duration, median, before.medianDecisionSeconds)}
        before={duration(before.medianDecisionSeconds)}
        better="less"
      />
    </dl>
  );
}

interface TileProps {
  view: View;
  label: string;
  value: string;
  /** Above zero if the figure rose. */
  change: number;
  /** By how much, without a sign; empty if that cannot be said. */
  by: string;
  before: string;
  hint?: string;
  /** Which way is welcome, if one is. */
  better?: 'more' | 'less';
}

function Tile({ view, label, value, change, by, before, hint, better }: TileProps) {
  const t = messages(view);
  const isWelcome = change > 0 === (better === 'more');
  const look = better === undefined || by === '' || value === before ? undefined : isWelcome ? 'more' : 'less';
  const sign = change > 0 ? '+' : '−';
  const told = value === before ? t.same(before) : t.against(by && sign + by, before);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <small class={look}>{before === NONE ? t.noneBefore : told}</small>
        {hint && <small>{hint}</small>}
      </dd>
    </div>
  );
}

/** Of the decided requests the approved, in tenths of a percent; null for none. */
function approvedTenths({ approved, rejected }: Figures['totals']): number | null {
  const decided = approved + rejected;
  return decided === 0 ? null : Math.round((1_000 * approved) / decided);
}

function changeOfDuration(text: (seconds: number) => string, now: number | null, then: number | null): string {
  return now === null || then === null ? '' : text(Math.abs(now - then));
}
