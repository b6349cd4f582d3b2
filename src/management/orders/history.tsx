import type { OrderFieldName } from '../../orders/fields';
import type { OrderDetail } from '../../orders/service';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

type Act = OrderDetail['history'][number];

/** Who did what, newest first. */
export function OrderHistory({ view, detail }: { view: View; detail: OrderDetail }) {
  if (detail.history.length === 0) return <p class="quiet">{messages(view).historyEmpty}</p>;
  return (
    <ol class="history">
      {detail.history.map((act) => (
        <li>
          <Time view={view} at={act.at} />
          <span>
            {whatOf(view, act)}
            <small>{whoOf(view, detail, act)}</small>
          </span>
        </li>
      ))}
    </ol>
  );
}

function whatOf(view: View, { action, fields, reasonCode }: Act): string {
  const shared = sharedMessages(view);
  const labels: Record<OrderFieldName, string> = shared.orders.fields;
  const what = textFor(messages(view).acts, action.replace('.', '_'), action);
  const which = (fields ?? []).map((field) => textFor(labels, field)).join(', ');
  const why =
    reasonCode === null
      ? ''
      : ` (${textFor(shared.orders.reasons, reasonCode, textFor(shared.orders.unpaidReasons, reasonCode))})`;
  return `${which ? `${what}: ${which}` : what}${why}`;
}

function whoOf(view: View, { names }: OrderDetail, { actorKind, actorId }: Act): string {
  const name = actorId === null ? undefined : names.get(actorId);
  if (name !== undefined) return name;
  const kind = textFor(messages(view).actors, actorKind);
  return actorId === null ? kind : `${kind} ${shortIdOf(actorId)}`;
}
