import type { Child } from 'hono/jsx';
import { dayOf } from '../../platform/pharmacy-time';
import type { DaySums, Today } from '../../reports/day';
import { orderPath } from '../http/paths';
import { formatMoment, formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Panel } from '../ui/parts';
import { BarChart, Legend } from '../ui/table';
import { useView } from '../ui/view';
import { messages } from './messages';
import { countText, dayText, Numbers } from './tables';

const SUMS = ['requests', 'decided', 'packed', 'left', 'cashCents'] as const;
/** The hours of the chart and the table, and more if something happened outside them. */
const [OPENS, CLOSES] = [8, 18];

/** Today beside yesterday, and what still has to be collected. */
export function TodayPage({ today, choices }: { today: Today; choices: Child }) {
  const view = useView();
  const t = messages();
  const time = formatMoment(view.language, view.now, view.now);
  const { sums, before, uncollected, hasMoreUncollected } = today;
  const due = formatMoney(
    view.language,
    uncollected.reduce((sum, { cents }) => sum + cents, 0),
  );
  const text = (name: (typeof SUMS)[number], of: DaySums) =>
    name === 'cashCents' ? formatMoney(view.language, of[name]) : countText(view, of[name]);
  return (
    <Page title={sharedMessages().nav.reports} lead={t.todayLead(dayText(view, dayOf(view.now)), time)}>
      {choices}
      <dl class="tiles">
        {SUMS.map((name) => (
          <div>
            <dt>{t.sums[name]}</dt>
            <dd>
              {text(name, sums)}
              <small>{t.yesterday(text(name, before))}</small>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t.uncollected}</dt>
          <dd>
            {hasMoreUncollected ? t.atLeast(due) : due}
            <small>
              <a href="#uncollected">{t.orderCount(uncollected.length)}</a>
            </small>
          </dd>
        </div>
      </dl>
      <Hours today={today} text={text} />
      <Uncollected today={today} />
    </Page>
  );
}

interface HoursProps {
  today: Today;
  text: (name: (typeof SUMS)[number], of: DaySums) => string;
}

function Hours({ today, text }: HoursProps) {
  const view = useView();
  const t = messages();
  const all = today.hours.map((hour, at) => ({ ...hour, at }));
  const busy = all.filter(({ sums, before }) => SUMS.some((name) => sums[name] + before[name] > 0));
  const first = Math.min(OPENS, busy.at(0)?.at ?? OPENS);
  const hours = all.slice(first, Math.max(CLOSES, busy.at(-1)?.at ?? CLOSES) + 1);
  const title = t.byHour;
  return (
    <Panel title={title}>
      <Legend
        entries={[
          { look: 'whole', text: t.periods.today },
          { look: 'before', text: t.yesterdayWord },
        ]}
      />
      <BarChart
        title={title}
        label={`${title}: ${t.hoursChart(countText(view, today.sums.requests))}`}
        bars={hours.map(({ sums, at }) => ({ value: sums.requests, text: `${t.hour(at)}: ${sums.requests}` }))}
        before={hours.map(({ before }) => before.requests)}
        textOf={(value) => countText(view, value)}
        unit={1}
        marks={hours.map(({ at }, index) => ({ at: index, text: String(at) }))}
        height={200}
      />
      <details class="fold">
        <summary>{t.allByHour}</summary>
        <section class="scroll" tabindex={0} aria-label={t.allByHour}>
          <Numbers
            first={t.hourHead}
            name={({ at }) => t.hour(at)}
            figures={SUMS.map((name): [string, (hour: Today['hours'][number]) => Child] => [
              t.sums[name],
              ({ sums, before }) => (
                <>
                  {text(name, sums)} <small>{text(name, before)}</small>
                </>
              ),
            ])}
            rows={hours}
          />
        </section>
      </details>
    </Panel>
  );
}

/** The orders that are ready or gone and not paid, newest first. */
function Uncollected({ today: { uncollected, hasMoreUncollected } }: { today: Today }) {
  const view = useView();
  const { orders } = sharedMessages();
  const t = messages();
  return (
    <Panel title={t.uncollectedTitle} id="uncollected">
      {uncollected.length === 0 ? (
        <p class="quiet">{t.uncollectedNone}</p>
      ) : (
        <Numbers
          first={sharedMessages().nav.orders}
          name={(order) => (
            <>
              <a href={orderPath(order.id)}>
                {order.number} <bdi>{customerOf(view, order)}</bdi>
              </a>
              <small>
                {[
                  orders.statuses[order.status],
                  order.unpaidReason && orders.unpaidReasons[order.unpaidReason],
                  formatMoment(view.language, order.updatedAt, view.now),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </>
          )}
          figures={[[messages().sum, ({ cents }) => formatMoney(view.language, cents)]]}
          rows={uncollected}
        />
      )}
      {hasMoreUncollected && <p class="quiet">{t.uncollectedMore(uncollected.length)}</p>}
    </Panel>
  );
}
