import { localTime } from '../../platform/pharmacy-time';
import { HOUR_MS } from '../../platform/time';
import { EXHAUSTED_IN_ROW_MAX } from '../../webhooks/limits';
import {
  DELIVERIES_COUNTED_MAX,
  DELIVERIES_LOOKED_AT,
  EVENTS_LOOKED_AT,
  type Health,
  type StatusChange,
  type Subscription,
  stopReasonOf,
} from '../../webhooks/service';
import { LOCALES } from '../http/language';
import { AUDIT, WEBHOOKS } from '../http/paths';
import { BarChart, Legend } from '../ui/chart';
import { Form } from '../ui/fields';
import { formatAge, formatCount, formatMoment, formatTime } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import { resultOf } from './parts';
import { adviceOf } from './verdict';

const SECOND_MS = 1_000;

/** The last change of a status. */
type LastChange = Pick<StatusChange, 'at' | 'reasonCode'> | undefined;

/** Under the status in the list: why it does not run, and since when. */
export function StatusReason({ view, of, last }: { view: View; of: Subscription; last: LastChange }) {
  const { subscriptions: t } = messages(view);
  if (of.status === 'active') return null;
  const reason = stopReasonOf(of, last);
  return (
    <>
      {reason && <small>{t.reasons[reason]}</small>}
      {last && <small>{t.since(formatMoment(view.language, last.at, view.now))}</small>}
    </>
  );
}

/** The figures in the list: what was accepted, how fast, and what waits. */
export function HealthLine({ view, health }: { view: View; health: Health }) {
  const { subscriptions: t } = messages(view);
  const { attempts, p50Ms, waiting, oldestWaitingAt } = health;
  const age = oldestWaitingAt !== null && t.oldestSince(formatAge(view.language, oldestWaitingAt, view.now));
  return (
    <>
      {attempts === 0 ? (
        <small>{t.noAttempts}</small>
      ) : (
        `${shareText(view, health)} ${t.ofAttempts(formatCount(view.language, attempts))}`
      )}
      {p50Ms !== null && <small>{`${t.duration}: ${durationText(view, p50Ms)}`}</small>}
      {waiting > 0 && (
        <small>
          {t.statuses.holding}: {waitingCount(view, health)}
          {age && `, ${age}`}
        </small>
      )}
    </>
  );
}

interface PanelProps {
  view: View;
  subscription: Subscription;
  health: Health;
}

/** The figures on the page of a subscription, its attempts by the hour, and advice about what went wrong. */
export function HealthPanel({ view, subscription, health }: PanelProps) {
  const { subscriptions: t } = messages(view);
  const { attempts, p50Ms, p95Ms, lastSuccessAt, filtered, failures, oldestWaitingAt } = health;
  const { exhaustedInRow, shopIds, sources } = subscription;
  const isFiltered = shopIds !== null || sources !== null;
  const inWords = (count: number) => formatCount(view.language, count);
  const [share = '–', ...of] = attempts === 0 ? [] : [shareText(view, health), t.ofAttempts(inWords(attempts))];
  return (
    <>
      <dl class="tiles">
        <Tile label={t.accepted} value={share} hint={of[0] ?? t.noAttempts} />
        <Tile
          label={t.duration}
          value={p50Ms === null ? '–' : durationText(view, p50Ms)}
          hint={p95Ms === null ? '' : t.within(durationText(view, p95Ms))}
        />
        <Tile
          label={t.lastSuccess}
          value={lastSuccessAt === null ? '–' : formatMoment(view.language, lastSuccessAt, view.now)}
          hint={lastSuccessAt === null ? t.never : formatAge(view.language, lastSuccessAt, view.now)}
        />
        <Tile
          label={t.statuses.holding}
          value={waitingCount(view, health)}
          hint={
            oldestWaitingAt === null
              ? t.nothingWaits
              : t.oldestSince(formatAge(view.language, oldestWaitingAt, view.now))
          }
        />
      </dl>
      <Panel
        title={t.byHour}
        beside={
          <Legend
            entries={[
              { look: 'whole', text: t.succeeded },
              { look: 'failed', text: t.failed },
            ]}
          />
        }
      >
        {attempts > 0 && <HoursChart view={view} health={health} />}
        <p class="hint">{t.healthLead(inWords(DELIVERIES_LOOKED_AT))}</p>
        <Facts
          entries={[
            [t.inRow, exhaustedInRow > 0 ? t.inRowOf(exhaustedInRow, EXHAUSTED_IN_ROW_MAX) : null],
            [t.filtered, isFiltered ? t.filteredOf(inWords(filtered), inWords(EVENTS_LOOKED_AT)) : null],
          ]}
        />
        <GivenUp {...{ view, subscription, health }} />
        {failures.length > 0 && (
          <>
            <h3>{t.failures}</h3>
            {failures.map(({ count, failureClass, httpStatus }) => (
              <p>
                <strong>{`${t.times(count)} ${resultOf(view, { failureClass, httpStatus })}`}</strong>
                <br />
                {adviceOf(view, failureClass, httpStatus)}
              </p>
            ))}
          </>
        )}
      </Panel>
    </>
  );
}

function Tile({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {hint && <small>{hint}</small>}
      </dd>
    </div>
  );
}

/** Hours between two that are named below the chart. */
const HOURS_NAMED = 6;

function HoursChart({ view, health }: { view: View; health: Health }) {
  const { subscriptions: t } = messages(view);
  const { hours, attempts, succeeded } = health;
  const startOf = (index: number) => formatMoment(view.language, view.now - (hours.length - index) * HOUR_MS, view.now);
  return (
    <BarChart
      title={t.byHour}
      label={`${t.byHour}: ${t.hoursInWords(succeeded, attempts - succeeded)}`}
      bars={hours.map((hour, index) => ({
        value: hour.succeeded,
        bad: hour.failed,
        text: `${startOf(index)}: ${t.hoursInWords(hour.succeeded, hour.failed)}`,
      }))}
      textOf={(count) => String(count)}
      unit={1}
      marks={hours.flatMap((_, at) => (at % HOURS_NAMED === 0 ? [{ at, text: startOf(at) }] : []))}
      height={150}
    />
  );
}

/** What was given up and has not arrived since, to deliver in one click. */
function GivenUp({ view, subscription, health }: PanelProps) {
  const { subscriptions: t } = messages(view);
  const { givenUp, givenUpSince } = health;
  if (givenUpSince === null) return null;
  return (
    <>
      <p>{t.givenUp(countText(view, givenUp))}</p>
      {subscription.status === 'active' && (
        <Form view={view} action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
          <Hidden name="since" value={localTime(givenUpSince)} />
          <button type="submit">{messages(view).deliveries.redeliver}</button>
        </Form>
      )}
    </>
  );
}

/** Every change of the status and of the address, the latest first. */
export function History({ view, of, history }: { view: View; of: Subscription; history: readonly StatusChange[] }) {
  const { subscriptions: t } = messages(view);
  return (
    <details class="fold panel wide" open={of.status !== 'active'}>
      <summary>{sharedMessages(view).common.history}</summary>
      <Facts
        entries={history.map(({ at, action, reasonCode }) => [
          formatTime(view.language, at),
          <>
            {t.changes[action]}
            {reasonCode && `: ${t.reasons[reasonCode]}`}
          </>,
        ])}
      />
      <p>
        <a href={`${AUDIT}?entity=${of.id}`}>{t.historyWho}</a>
      </p>
    </details>
  );
}

export function waitingCount(view: View, { waiting }: Health): string {
  return countText(view, waiting);
}

/** A number that was counted up to a limit. */
function countText(view: View, counted: number): string {
  const count = Math.min(counted, DELIVERIES_COUNTED_MAX).toLocaleString(LOCALES[view.language]);
  return counted < DELIVERIES_COUNTED_MAX ? count : `${count}+`;
}

/** A share is rounded down: 100 % means every attempt. */
function shareText(view: View, { attempts, succeeded }: Health): string {
  const share = Math.floor((succeeded * 100) / attempts) / 100;
  return share.toLocaleString(LOCALES[view.language], { style: 'percent' });
}

export function durationText(view: View, ms: number): string {
  const locale = LOCALES[view.language];
  if (ms < SECOND_MS) return `${ms.toLocaleString(locale)} ms`;
  return `${(ms / SECOND_MS).toLocaleString(locale, { maximumFractionDigits: 1 })} s`;
}
