import type { Child } from 'hono/jsx';
import { SOURCE_MAX } from '../../orders/limits';
import { LOCALES } from '../../platform/http/http';
import { localTime } from '../../platform/pharmacy-time';
import { HOUR_MS } from '../../platform/time';
import { EVENT_TYPES, EVENTS, type EventType } from '../../webhooks/event-types';
import { DELIVERIES_COUNTED_MAX, FILTERED_MAX } from '../../webhooks/limits';
import {
  type Health,
  type LoggedDelivery,
  type ShownAttempt,
  type StatusChange,
  stopReasonOf,
} from '../../webhooks/log/log';
import { DELIVERIES_LOOKED_AT, EVENTS_LOOKED_AT } from '../../webhooks/log/store';
import { refusalOfUrl, type Subscription } from '../../webhooks/subscriptions/subscriptions';
import type { FailureClass } from '../../webhooks/tables';
import type { ManageContext } from '../http/env';
import type { Form as PostedForm } from '../http/form-data';
import type { Reader } from '../http/language';
import { AUDIT, WEBHOOKS } from '../http/paths';
import { RECEIVER_SLOW_MS } from '../limits';
import { Checkbox, Field, Form, Group, Hidden, ticked } from '../ui/fields';
import { formatAge, formatCount, formatMoment, formatTime } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Notice, Panel, Tile } from '../ui/parts';
import { BarChart, Legend } from '../ui/table';
import { type FieldErrors, textFor, useView, type View } from '../ui/view';
import { type Messages, messages } from './messages';

const GROUPS = [...new Set(EVENT_TYPES.map((type) => EVENTS[type].group))];
const LOOKS = {
  active: { tone: 'good' },
  holding: { tone: 'wait', mark: 'held' },
  paused: { tone: 'off', mark: 'held' },
  disabled: { tone: 'bad' },
} as const;
const DELIVERY_LOOKS = {
  pending: { tone: 'off', mark: 'open' },
  delivering: { tone: 'off', mark: 'half' },
  succeeded: { tone: 'good' },
  exhausted: { tone: 'bad', mark: 'failed' },
  held: { tone: 'wait', mark: 'held' },
  cancelled: { tone: 'off', mark: 'aside' },
} as const;

export function hostOfUrl(url: string): string {
  return new URL(url).host;
}

export function StatusChip({ status, isFilled }: { status: Subscription['status']; isFilled?: boolean }) {
  return (
    <Chip {...LOOKS[status]} isFilled={isFilled}>
      {messages().subscriptions.statuses[status]}
    </Chip>
  );
}

export function DeliveryChip({ status, isFilled }: { status: LoggedDelivery['status']; isFilled?: boolean }) {
  return (
    <Chip {...DELIVERY_LOOKS[status]} isFilled={isFilled}>
      {messages().deliveries.statuses[status]}
    </Chip>
  );
}

/** The result of an attempt: HTTP status and kind of failure. */
export function resultOf(attempt: Pick<LoggedDelivery, 'httpStatus' | 'failureClass'>): string {
  const { deliveries: t } = messages();
  return [attempt.httpStatus && `HTTP ${attempt.httpStatus}`, attempt.failureClass && t.failures[attempt.failureClass]]
    .filter(Boolean)
    .join(' · ');
}

/** Prefix of the name of a shop's checkbox. The id of the shop follows it. */
const SHOP_FIELD = 'shop:';

export interface TypedFilter {
  shopIds: string[];
  /** The names of platforms, separated by commas. */
  sources: string;
}

/**
 * Reads the filter of a subscription from a form. If nothing is chosen, the subscription gets the events of all shops
 * and platforms.
 */
export function readFilter(form: PostedForm, reader: Reader) {
  const typed: TypedFilter = {
    shopIds: form
      .entries()
      .flatMap(([name, value]) =>
        value === 'on' && name.startsWith(SHOP_FIELD) ? [name.slice(SHOP_FIELD.length)] : [],
      ),
    sources: form.text('sources'),
  };
  const sources = [...new Set(typed.sources.split(',').map((source) => source.trim()))].filter(Boolean);
  const isTooMuch = sources.length > FILTERED_MAX || sources.some((source) => source.length > SOURCE_MAX);
  const fieldErrors: FieldErrors = isTooMuch ? { sources: sharedMessages(reader).fieldErrors.sources } : {};
  const orNull = (list: string[]) => (list.length === 0 ? null : list);
  return { typed, filter: { shopIds: orNull([...new Set(typed.shopIds)]), sources: orNull(sources) }, fieldErrors };
}

/**
 * Returns the errors of a subscription's form by field. Even if there are none, saving the form can be refused.
 * @param isCallback whether the subscription is a callback, which has no events to choose
 */
export function faultsOf(
  c: ManageContext,
  { url, eventTypes }: { url: string; eventTypes: readonly EventType[] },
  more: FieldErrors,
  isCallback = false,
): FieldErrors {
  const { fieldErrors: t } = sharedMessages(c.var);
  const refusal = refusalOfUrl(c.var.ctx, url);
  return {
    ...(refusal !== null && { url: textFor(t, refusal, t.other) }),
    ...(!isCallback && eventTypes.length === 0 && { event_types: t.event_types }),
    ...more,
  };
}

interface FilterProps {
  shops: readonly { id: string; name: string }[];
  typed?: TypedFilter;
  fieldErrors?: FieldErrors;
}

/** Fields for the shops and platforms that a subscription is limited to. */
export function FilterFields({ shops, typed, fieldErrors }: FilterProps) {
  const { subscriptions: t } = messages();
  return (
    <>
      {shops.length > 1 && (
        <Group id="shop_ids" name="shop_ids" label={t.onlyShops} fault={fieldErrors?.shop_ids}>
          {shops.map(({ id, name }) => (
            <Checkbox name={SHOP_FIELD + id} label={name} isOn={typed?.shopIds.includes(id) ?? false} />
          ))}
        </Group>
      )}
      <Field
        name="sources"
        label={t.onlySources}
        hint={t.filterHint}
        form={{ sources: typed?.sources ?? '', fieldErrors }}
      />
    </>
  );
}

/** Name of the checkbox for all event types. */
const ALL_EVENTS = 'all_events';

/** Returns the checked event types, or all current types if the checkbox for all types is checked. */
export function readEventTypes(form: PostedForm): EventType[] {
  return form.text(ALL_EVENTS) === 'on' ? [...EVENT_TYPES] : ticked(form, EVENT_TYPES);
}

/** Checkboxes for all event types by group, and one for all types, which works without a script. */
export function EventChecks(props: { chosen: EventType[]; fieldErrors?: FieldErrors }) {
  const { chosen, fieldErrors } = props;
  const t = messages();
  return (
    <Group id="event_types" name="event_types" label={t.subscriptions.eventTypes} fault={fieldErrors?.event_types}>
      <Checkbox
        name={ALL_EVENTS}
        label={t.subscriptions.allEvents(EVENT_TYPES.length)}
        isOn={chosen.length === EVENT_TYPES.length}
      />
      <div class="event-groups">
        {GROUPS.map((group, index) => (
          <Group id={`group-${index}`} name={`group-${index}`} label={t.eventGroups[group]}>
            {EVENT_TYPES.filter((type) => EVENTS[type].group === group).map((type) => (
              <Checkbox name={type} label={t.eventTypes[type]} hint={type} isOn={chosen.includes(type)} />
            ))}
          </Group>
        ))}
      </div>
    </Group>
  );
}

const SECOND_MS = 1_000;

/**
 * Says why a subscription is stopped, and since when. The list shows it below the status.
 * @param last the last change of the subscription's status
 */
export function StatusReason({ of, last }: { of: Subscription; last?: Pick<StatusChange, 'at' | 'reasonCode'> }) {
  const { subscriptions: t } = messages();
  if (of.status === 'active') return null;
  const reason = stopReasonOf(of, last);
  return (
    <>
      {reason && <small>{t.reasons[reason]}</small>}
      {last && <small>{t.since(formatMoment(last.at))}</small>}
    </>
  );
}

/** The figures in the list: share of accepted attempts, duration, and waiting deliveries. */
export function HealthLine({ health }: { health: Health }) {
  const { subscriptions: t } = messages();
  const { attempts, p50Ms, waiting, oldestWaitingAt } = health;
  const age = oldestWaitingAt !== null && t.oldestSince(formatAge(oldestWaitingAt));
  return (
    <>
      {attempts === 0 ? <small>{t.noAttempts}</small> : `${shareText(health)} ${t.ofAttempts(formatCount(attempts))}`}
      {p50Ms !== null && <small>{`${t.duration}: ${durationText(p50Ms)}`}</small>}
      {waiting > 0 && (
        <small>
          {t.statuses.holding}: {countedText(useView(), waiting)}
          {age && `, ${age}`}
        </small>
      )}
    </>
  );
}

interface PanelProps {
  subscription: Subscription;
  health: Health;
}

/** The figures on a subscription's page, its attempts by hour, and advice about failures. */
export function HealthPanel({ subscription, health }: PanelProps) {
  const { subscriptions: t } = messages();
  const { attempts, p50Ms, p95Ms, lastSuccessAt, filtered, failures, oldestWaitingAt, waiting } = health;
  const { shopIds, sources } = subscription;
  const isFiltered = shopIds !== null || sources !== null;
  const [share = '–', ...of] = attempts === 0 ? [] : [shareText(health), t.ofAttempts(formatCount(attempts))];
  return (
    <>
      <dl class="tiles">
        <Tile label={t.accepted} value={share}>
          <small>{of[0] ?? t.noAttempts}</small>
        </Tile>
        <Tile label={t.duration} value={p50Ms === null ? '–' : durationText(p50Ms)}>
          {p95Ms !== null && <small>{t.within(durationText(p95Ms))}</small>}
        </Tile>
        <Tile label={t.lastSuccess} value={lastSuccessAt === null ? '–' : formatMoment(lastSuccessAt)}>
          <small>{lastSuccessAt === null ? t.never : formatAge(lastSuccessAt)}</small>
        </Tile>
        <Tile label={t.statuses.holding} value={countedText(useView(), waiting)}>
          <small>{oldestWaitingAt === null ? t.nothingWaits : t.oldestSince(formatAge(oldestWaitingAt))}</small>
        </Tile>
      </dl>
      <Panel title={t.byHour} beside={<Legend whole={t.succeeded} failed={t.failed} />}>
        {attempts > 0 && <HoursChart health={health} />}
        <p class="hint">{t.healthLead(formatCount(DELIVERIES_LOOKED_AT))}</p>
        <Facts
          entries={[
            [t.filtered, isFiltered ? t.filteredOf(formatCount(filtered), formatCount(EVENTS_LOOKED_AT)) : null],
          ]}
        />
        <GivenUp {...{ subscription, health }} />
        {failures.length > 0 && (
          <>
            <h3>{t.failures}</h3>
            {failures.map(({ count, failureClass, httpStatus }) => (
              <p>
                <strong>{`${t.times(count)} ${resultOf({ failureClass, httpStatus })}`}</strong>
                <br />
                {adviceOf(failureClass, httpStatus)}
              </p>
            ))}
          </>
        )}
      </Panel>
    </>
  );
}

/** Hours between two labels below the chart. */
const HOURS_NAMED = 6;

function HoursChart({ health }: { health: Health }) {
  const { subscriptions: t } = messages();
  const { hours, attempts, succeeded } = health;
  const startOf = (index: number) => formatMoment(useView().now - (hours.length - index) * HOUR_MS);
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

/** Shows how many deliveries were given up and have not arrived since then, with a button to redeliver them. */
function GivenUp({ subscription, health }: PanelProps) {
  const { givenUp, givenUpSince } = health;
  if (givenUpSince === null) return null;
  return (
    <>
      <p>{messages().subscriptions.givenUp(countedText(useView(), givenUp))}</p>
      {subscription.status === 'active' && (
        <Form action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
          <Hidden name="since" value={localTime(givenUpSince)} />
          <button type="submit">{messages().deliveries.redeliver}</button>
        </Form>
      )}
    </>
  );
}

/** All changes of status and URL, the latest first. */
export function History({ of, history }: { of: Subscription; history: readonly StatusChange[] }) {
  const { subscriptions: t } = messages();
  return (
    <details class="fold panel wide" open={of.status !== 'active'}>
      <summary>{sharedMessages().common.history}</summary>
      <Facts
        entries={history.map(({ at, action, reasonCode }) => [
          formatTime(at),
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

/** A count as text, with a `+` if counting stopped at the limit. */
export function countedText(view: View, counted: number): string {
  const count = Math.min(counted, DELIVERIES_COUNTED_MAX).toLocaleString(LOCALES[view.language]);
  return counted < DELIVERIES_COUNTED_MAX ? count : `${count}+`;
}

/** The share of accepted attempts in percent. It is rounded down, so 100 % means that every attempt was accepted. */
function shareText({ attempts, succeeded }: Health): string {
  const share = Math.floor((succeeded * 100) / attempts) / 100;
  return share.toLocaleString(LOCALES[useView().language], { style: 'percent' });
}

export function durationText(ms: number): string {
  const locale = LOCALES[useView().language];
  if (ms < SECOND_MS) return `${ms.toLocaleString(locale)} ms`;
  return `${(ms / SECOND_MS).toLocaleString(locale, { maximumFractionDigits: 1 })} s`;
}

/** Advice for the receiver's owner about a failure. */
function adviceOf(failureClass: FailureClass, httpStatus: number | null): string {
  const { advice } = messages().deliveries;
  return failureClass === 'http' ? adviceFor(advice, httpStatus ?? 0) : advice[failureClass];
}

function adviceFor(advice: Messages['deliveries']['advice'], status: number): string {
  if (status === 401 || status === 403) return advice.auth;
  if (status === 404 || status === 405) return advice.path;
  if (status === 410) return advice.gone;
  if (status === 413) return advice.tooLarge;
  if (status === 429 || status === 503) return advice.busy;
  return status >= 500 ? advice.broken : advice.refused;
}

/** The result of an attempt in a sentence, with advice. @param children text in front of the sentence */
export function Verdict({ attempt, url, children }: { attempt: ShownAttempt; url: string; children?: Child }) {
  const { deliveries: t } = messages();
  const { failureClass, httpStatus, durationMs } = attempt;
  const isAccepted = failureClass === null;
  const text = t.verdicts[failureClass ?? 'accepted']({
    ms: `${durationMs.toLocaleString(LOCALES[useView().language])} ms`,
    status: httpStatus ?? 0,
    host: hostOfUrl(attempt.request?.url ?? url),
  });
  const slow = durationMs > RECEIVER_SLOW_MS ? t.advice.slow : null;
  return (
    <Notice tone={isAccepted ? 'good' : 'bad'}>
      {children} <strong>{text}</strong> {isAccepted ? slow : adviceOf(failureClass, httpStatus)}
    </Notice>
  );
}
