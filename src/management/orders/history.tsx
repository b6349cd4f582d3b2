import type { OrderDetail } from '../../orders/service';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import type { View } from '../ui/view';

type Act = OrderDetail['history'][number];

/** Who did what, newest first. */
export function OrderHistory({ view, detail }: { view: View; detail: OrderDetail }) {
  if (detail.history.length === 0) return <p class="quiet">{view.words.orders.historyEmpty}</p>;
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
  const { orders: words } = view.words;
  const what = wordOf(words.acts, action.replace('.', '_'), action);
  const which = (fields ?? []).map((field) => wordOf(words.fields, field)).join(', ');
  const why = reasonCode === null ? '' : ` (${wordOf(words.reasons, reasonCode)})`;
  return `${which ? `${what}: ${which}` : what}${why}`;
}

function whoOf(view: View, { names }: OrderDetail, { actorKind, actorId }: Act): string {
  const name = actorId === null ? undefined : names.get(actorId);
  if (name !== undefined) return name;
  const kind = wordOf(view.words.orders.actors, actorKind);
  return actorId === null ? kind : `${kind} ${shortIdOf(actorId)}`;
}

/** The word for a code, or the code itself where there is none yet. */
function wordOf(words: Record<string, string>, name: string, code = name): string {
  return Object.hasOwn(words, name) ? (words[name] ?? code) : code;
}
