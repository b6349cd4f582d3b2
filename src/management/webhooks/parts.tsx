import { EVENT_TYPES, EVENTS, type EventType, type LoggedDelivery, type Subscription } from '../../webhooks/service';
import { Checkbox } from '../ui/checkboxes';
import { Group } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Chip } from '../ui/layout';
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

export function DeliveryChip({ view, status }: { view: View; status: LoggedDelivery['status'] }) {
  return <Chip {...DELIVERY_LOOKS[status]}>{messages(view).deliveries.statuses[status]}</Chip>;
}

/** The result of an attempt: the response's status and the kind of failure in words. */
export function resultOf(view: View, attempt: Pick<LoggedDelivery, 'httpStatus' | 'failureClass'>): string {
  const { deliveries: t } = messages(view);
  return [attempt.httpStatus && `HTTP ${attempt.httpStatus}`, attempt.failureClass && t.failures[attempt.failureClass]]
    .filter(Boolean)
    .join(' · ');
}

/** Checkboxes of all event types by group. */
export function EventChecks(props: { view: View; chosen: EventType[]; fieldErrors?: FieldErrors }) {
  const { view, chosen, fieldErrors } = props;
  const t = messages(view);
  return (
    <Group id="event_types" name="event_types" label={t.subscriptions.eventTypes} fault={fieldErrors?.event_types}>
      {GROUPS.map((group, index) => (
        <Group id={`group-${index}`} name={`group-${index}`} label={t.eventGroups[group]}>
          {EVENT_TYPES.filter((type) => EVENTS[type].group === group).map((type) => (
            <Checkbox name={type} label={t.eventTypes[type]} hint={type} isOn={chosen.includes(type)} />
          ))}
        </Group>
      ))}
    </Group>
  );
}
