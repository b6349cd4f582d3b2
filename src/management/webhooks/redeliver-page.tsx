import { localTime } from '../../platform/pharmacy-time';
import type { Subscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Form, Submit } from '../ui/fields';
import { DayField } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
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
  const { common } = sharedMessages(view);
  const { deliveries: t } = messages(view);
  const log = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={t.bulk.link} fieldErrors={fieldErrors} isDialog>
      <p>{t.bulk.lead(hostOfUrl(subscription.url))}</p>
      <form method="get" action={`${log}/redeliver`} class="filters">
        <DayField
          name="since"
          label={t.bulk.since}
          hint={t.bulk.sinceHint}
          type="datetime-local"
          value={found ? localTime(found.since) : typed}
          fieldErrors={fieldErrors}
        />
        <button type="submit">{t.bulk.count}</button>
      </form>
      {found && <Found {...{ view, subscription }} {...found} />}
      <p>
        <a href={log}>{found?.count ? common.cancel : messages(view).subscriptions.backToSubscription}</a>
      </p>
    </Page>
  );
}

interface FoundProps {
  view: View;
  subscription: Subscription;
  since: number;
  count: number;
}

function Found({ view, subscription, since, count }: FoundProps) {
  const { deliveries: t } = messages(view);
  if (count === 0) return <p role="status">{t.bulk.none}</p>;
  return (
    <>
      <p role="status">
        <strong>{t.bulk.found(count)}</strong>
      </p>
      {subscription.status === 'active' ? (
        <Form view={view} action={`${WEBHOOKS}/${subscription.id}/redeliver`}>
          <Hidden name="since" value={localTime(since)} />
          <div class="acts">
            <Submit>{t.bulk.submit(count)}</Submit>
          </div>
        </Form>
      ) : (
        <p>{t.notActive}</p>
      )}
    </>
  );
}
