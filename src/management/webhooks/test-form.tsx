import { EVENT_TYPES, type EventType, type Subscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Fault, Form, Submit } from '../ui/fields';
import type { View } from '../ui/view';
import { messages } from './messages';

interface TestProps {
  view: View;
  subscription: Pick<Subscription, 'id' | 'eventTypes'>;
  chosen?: EventType;
  fault?: string;
}

/** Sends a test event of a chosen type. */
export function TestForm({ view, subscription, chosen, fault }: TestProps) {
  const t = messages(view);
  const subscribed = subscription.eventTypes;
  const others = EVENT_TYPES.filter((type) => !subscribed.includes(type));
  const option = (type: EventType) => (
    <option value={type} selected={type === chosen}>
      {t.eventTypes[type]}
    </option>
  );
  return (
    <Form view={view} action={`${WEBHOOKS}/${subscription.id}/test`} class="inline" once>
      <Fault name="event_type" text={fault} />
      <select
        id="event_type"
        name="event_type"
        aria-label={t.deliveries.triggers.event}
        title={t.deliveries.test.lead}
        aria-describedby={fault && 'event_type-fault'}
        aria-invalid={fault ? 'true' : undefined}
      >
        <optgroup label={t.deliveries.test.subscribed}>{subscribed.map(option)}</optgroup>
        {others.length > 0 && <optgroup label={t.deliveries.test.others}>{others.map(option)}</optgroup>}
      </select>
      <Submit>{t.deliveries.test.send}</Submit>
    </Form>
  );
}
