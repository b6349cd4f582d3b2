import type { StoppedSubscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { type SharedMessages, sharedMessages } from './messages';
import { Say } from './parts';
import type { View } from './view';

/**
 * On every page of an owner: the webhook subscriptions that have stopped, and where to do something about it. The page
 * of a subscription says so about itself.
 */
export function StoppedWebhooks({ view }: { view: View }) {
  const { stopped: t } = sharedMessages(view);
  const path = view.path.split('?')[0];
  const stopped = view.stopped.filter(({ id }) => path !== `${WEBHOOKS}/${id}`);
  if (stopped.length === 0) return null;
  return (
    <Say tone="wait" mark="held" label={t.title} class="screen">
      {stopped.map((subscription) => (
        <p>
          {textOf(t, subscription)} <a href={`${WEBHOOKS}/${subscription.id}`}>{t.link}</a>
        </p>
      ))}
    </Say>
  );
}

/** Two of one host are told apart by their paths; a query may hold a secret. */
function textOf(t: SharedMessages['stopped'], { url, status, holdReason }: StoppedSubscription): string {
  const { host: name, pathname } = new URL(url);
  const host = name + (pathname === '/' ? '' : pathname);
  if (status === 'paused') return t.gone(host);
  if (status === 'disabled') return t.disabled(host);
  return holdReason === 'receiver_failing' ? t.failing(host) : t.ours(host);
}
