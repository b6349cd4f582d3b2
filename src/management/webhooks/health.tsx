import { localTime } from '../../platform/pharmacy-time';
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
import { Form } from '../ui/fields';
import { formatAge, formatTime } from '../ui/format';
import { Time } from '../ui/layout';
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
      {last && <small>{t.since(formatTime(view.language, last.at))}</small>}
    </>
  );
}

/** The figures in the list: one line, and what waits. */
export function HealthLine({ view, health }: { view: View; health: Health }) {
  const { subscriptions: t } = messages(view);
  const { attempts, p50Ms, waiting } = health;
  return (
    <>
      {attempts === 0 ? <small>{t.noAttempts}</small> : acceptedText(view, health)}
      {p50Ms !== null && <small>{`${t.duration}: ${durationText(view, p50Ms)}`}</small>}
      {waiting > 0 && <small>{`${t.statuses.holding}: ${waitingText(view, health)}`}</small>}
    </>
  );
}

interface PanelProps {
  view: View;
  subscription: Subscription;
  health: Health;
}

/** The figures on the page of a subscription, with advice about what went wrong. */
export function HealthPanel({ view, subscription, health }: PanelProps) {
  const { subscriptions: t } = messages(view);
  const { attempts, p50Ms, p95Ms, lastSuccessAt, filtered, failures } = health;
  const { exhaustedInRow, shopIds, sources } = subscription;
  const isFiltered = shopIds !== null || sources !== null;
  const inWords = (count: number) => count.toLocaleString(LOCALES[view.language]);
  const durations =
    p50Ms === null || p95Ms === null ? null : t.durations(durationText(view, p50Ms), durationText(view, p95Ms));
  return (
    <Panel title={t.health} isWide>
      <p class="hint">{t.healthLead(DELIVERIES_LOOKED_AT.toLocaleString(LOCALES[view.language]))}</p>
      <Facts
        entries={[
          [t.accepted, attempts === 0 ? t.noAttempts : acceptedText(view, health)],
          [t.duration, durations],
          [t.lastSuccess, lastSuccessAt === null ? t.never : <Time view={view} at={lastSuccessAt} />],
          [t.inRow, exhaustedInRow > 0 ? t.inRowOf(exhaustedInRow, EXHAUSTED_IN_ROW_MAX) : null],
          [t.statuses.holding, health.waiting === 0 ? t.nothingWaits : waitingText(view, health)],
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
          <input type="hidden" name="since" value={localTime(givenUpSince)} />
          <button type="submit">{t.deliverGivenUp}</button>
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

function waitingText(view: View, health: Health): string {
  const age = formatAge(view.language, health.oldestWaitingAt ?? view.now, view.now);
  return messages(view).subscriptions.oldest(waitingCount(view, health), age);
}

/** A share is rounded down: 100 % means every attempt. */
function acceptedText(view: View, { attempts, succeeded }: Health): string {
  const { subscriptions: t } = messages(view);
  const locale = LOCALES[view.language];
  const share = (Math.floor((succeeded * 100) / attempts) / 100).toLocaleString(locale, { style: 'percent' });
  return attempts === 1 ? t.acceptedOfOne(share) : t.acceptedOf(share, attempts.toLocaleString(locale));
}

function durationText(view: View, ms: number): string {
  const locale = LOCALES[view.language];
  if (ms < SECOND_MS) return `${ms.toLocaleString(locale)} ms`;
  return `${(ms / SECOND_MS).toLocaleString(locale, { maximumFractionDigits: 1 })} s`;
}
