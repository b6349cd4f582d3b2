import { localTime } from '../../platform/pharmacy-time';
import type { Subscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form, Labeled, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { hostOfUrl } from './parts';

interface RedeliverProps {
  view: View;
  subscription: Subscription;
  /** Null while no start time is known. */
  found: { since: number; count: number } | null;
  typed: string;
  fieldErrors: FieldErrors;
}

/** Asks for confirmation before a bulk redelivery: since when, how many events, to which URL. */
export function RedeliverPage({ view, subscription, found, typed, fieldErrors }: RedeliverProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const log = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={t.deliveries.bulk.link} fieldErrors={fieldErrors} isDialog>
      <p>{t.deliveries.bulk.lead(hostOfUrl(subscription.url))}</p>
      <form method="get" action={`${log}/redeliver`} class="filters">
        <SinceField view={view} value={found ? localTime(found.since) : typed} fault={fieldErrors.since} />
        <button type="submit">{t.deliveries.bulk.count}</button>
      </form>
      {found && <Found {...{ view, subscription }} {...found} />}
      <p>
        <a href={log}>{found?.count ? shared.common.cancel : t.deliveries.back}</a>
      </p>
    </Page>
  );
}

function SinceField({ view, value, fault }: { view: View; value: string; fault?: string }) {
  const t = messages(view);
  return (
    <Labeled
      name="since"
      label={t.deliveries.bulk.since}
      hint={t.deliveries.bulk.sinceHint}
      error={fault}
      control={(attributes) => <input {...attributes} type="datetime-local" value={value} />}
    />
  );
}

interface FoundProps {
  view: View;
  subscription: Subscription;
  since: number;
  count: number;
}

function Found({ view, subscription, since, count }: FoundProps) {
  const t = messages(view);
  if (count === 0) return <p role="status">{t.deliveries.bulk.none}</p>;
  return (
    <>
      <p role="status">
        <strong>{t.deliveries.bulk.found(count)}</strong>
      </p>
      {subscription.status === 'active' ? (
        <Form view={view} action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
          <input type="hidden" name="since" value={localTime(since)} />
          <div class="acts">
            <Submit>{t.deliveries.bulk.submit(count)}</Submit>
          </div>
        </Form>
      ) : (
        <p>{t.deliveries.notActive}</p>
      )}
    </>
  );
}
