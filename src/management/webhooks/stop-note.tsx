import { localTime } from '../../platform/pharmacy-time';
import { type Health, type StatusChange, type Subscription, stopReasonOf } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form } from '../ui/fields';
import { formatMoment } from '../ui/format';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { waitingCount } from './health';
import { type Messages, messages } from './messages';

interface Props {
  view: View;
  subscription: Subscription;
  /** What waits; not where one delivery is shown. */
  health?: Health;
  history?: readonly StatusChange[];
}

/** While nothing is posted to a subscription: why, what waits, when it goes on, and what its owner can do. */
export function StopNote({ view, subscription, health, history = [] }: Props) {
  const { subscriptions: t } = messages(view);
  const { id, status, nextProbeAt, waitUntil } = subscription;
  const waits =
    waitUntil !== null && waitUntil > view.now && t.waitsUntil(formatMoment(view.language, waitUntil, view.now));
  if (status === 'active') {
    return (
      <>
        {waits && <Say tone="wait">{waits}</Say>}
        <RecoverHint {...{ view, subscription, history }} />
      </>
    );
  }
  return (
    <Say tone="wait" mark="held" class="stopped">
      <p>
        {[
          leadOf(t, subscription, history),
          waits,
          nextProbeAt !== null && t.nextProbe(formatMoment(view.language, nextProbeAt, view.now)),
          health && health.waiting > 0 && t.waitingNow(waitingCount(view, health)),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <Form view={view} action={`${WEBHOOKS}/${id}/resume`}>
        <button type="submit">{t.resume}</button>
      </Form>
    </Say>
  );
}

/** After a subscription that was disabled goes on: what happened meanwhile has no deliveries yet. */
function RecoverHint({ view, subscription, history = [] }: Omit<Props, 'health'>) {
  const { subscriptions: t } = messages(view);
  const [latest, before] = changesOfStatus(history);
  if (latest?.action !== 'subscription.resumed' || before?.action !== 'subscription.disabled') return null;
  return (
    <Say tone="wait" mark="held">
      <p>
        {t.recoverHint}{' '}
        <a href={`${WEBHOOKS}/${subscription.id}/redeliver?since=${localTime(before.at)}`}>
          {messages(view).deliveries.bulk.link}
        </a>
      </p>
    </Say>
  );
}

function leadOf(t: Messages['subscriptions'], subscription: Subscription, history: readonly StatusChange[]): string {
  const reason = stopReasonOf(subscription, changesOfStatus(history)[0]);
  if (subscription.status === 'disabled') return t.disabledLead;
  if (reason === 'receiver_gone') return t.goneLead;
  return reason === null ? t.pausedLead : t.holdReasons[reason];
}

/** Without changes of the address. */
export function changesOfStatus(history: readonly StatusChange[]): StatusChange[] {
  return history.filter(({ action }) => action !== 'subscription.updated');
}
