import { SOURCE_MAX } from '../../orders/limits';
import { FILTERED_MAX } from '../../webhooks/limits';
import {
  EVENT_TYPES,
  EVENTS,
  type EventType,
  type LoggedDelivery,
  refusalOfUrl,
  type Subscription,
} from '../../webhooks/service';
import type { ManageContext } from '../http/env';
import type { Form } from '../http/form-data';
import type { Reader } from '../http/language';
import { Checkbox, ticked } from '../ui/checkboxes';
import { Field, Group } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Chip } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

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

interface StatusProps {
  view: View;
  status: Subscription['status'];
  isFilled?: boolean;
}

export function StatusChip({ view, status, isFilled }: StatusProps) {
  return (
    <Chip {...LOOKS[status]} isFilled={isFilled}>
      {messages(view).subscriptions.statuses[status]}
    </Chip>
  );
}

interface DeliveryChipProps {
  view: View;
  status: LoggedDelivery['status'];
  isFilled?: boolean;
}

export function DeliveryChip({ view, status, isFilled }: DeliveryChipProps) {
  return (
    <Chip {...DELIVERY_LOOKS[status]} isFilled={isFilled}>
      {messages(view).deliveries.statuses[status]}
    </Chip>
  );
}

/** The result of an attempt: the response's status and the kind of failure in words. */
export function resultOf(view: View, attempt: Pick<LoggedDelivery, 'httpStatus' | 'failureClass'>): string {
  const { deliveries: t } = messages(view);
  return [attempt.httpStatus && `HTTP ${attempt.httpStatus}`, attempt.failureClass && t.failures[attempt.failureClass]]
    .filter(Boolean)
    .join(' · ');
}

/** Before the id of a shop, the name of its checkbox. */
const SHOP_FIELD = 'shop:';

export interface TypedFilter {
  shopIds: string[];
  /** Separated by commas. */
  sources: string;
}

/** What a form says to filter by: nothing chosen is everything. */
export function readFilter(form: Form, reader: Reader) {
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
 * What is wrong with a subscription's form, field by field, all at once. Empty if only the write can tell more.
 * @param isCallback it has no events to choose
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
  view: View;
  shops: readonly { id: string; name: string }[];
  typed?: TypedFilter;
  fieldErrors?: FieldErrors;
}

/** Which shops and platforms a subscription is limited to. */
export function FilterFields({ view, shops, typed, fieldErrors }: FilterProps) {
  const { subscriptions: t } = messages(view);
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

/** The name of the checkbox that stands for those of all event types. */
const ALL_EVENTS = 'all_events';

/** The event types that a form says: those whose checkboxes are checked, or all there are today. */
export function readEventTypes(form: Form): EventType[] {
  return form.text(ALL_EVENTS) === 'on' ? [...EVENT_TYPES] : ticked(form, EVENT_TYPES);
}

/** Checkboxes of all event types by group, and one for all of them, which needs no script. */
export function EventChecks(props: { view: View; chosen: EventType[]; fieldErrors?: FieldErrors }) {
  const { view, chosen, fieldErrors } = props;
  const t = messages(view);
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
