import { SUBSCRIPTIONS_MAX } from '../../webhooks/limits';
import type { EventType, readHealth } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { ErrorSummary, Field, Form, ShownBefore, ShownOnce } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { HealthLine, StatusReason } from './health';
import { messages } from './messages';
import { EventChecks, hostOfUrl, StatusChip } from './parts';
import { VerifySnippets } from './snippets';

export interface WebhooksState {
  url?: string;
  eventTypes?: EventType[];
  fieldErrors?: FieldErrors;
  /** The subscription that was just created. */
  made?: MadeSecret | 'gone';
}

export interface MadeSecret {
  url: string;
  secret: string;
}

type Listed = Awaited<ReturnType<typeof readHealth>>[number];

interface WebhooksProps {
  view: View;
  subscriptions: Listed[];
  state: WebhooksState;
}

export function WebhooksPage({ view, subscriptions, state }: WebhooksProps) {
  const t = messages(view);
  const { fieldErrors = {}, made } = state;
  const isFull = subscriptions.length >= SUBSCRIPTIONS_MAX;
  return (
    <Page view={view} title={t.subscriptions.title}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && <NewSecret view={view} {...made} />}
      <p class="quiet">{t.subscriptions.lead}</p>
      <p>{t.subscriptions.used(subscriptions.length, SUBSCRIPTIONS_MAX)}</p>
      <div class="two-columns">
        {subscriptions.length === 0 ? (
          <p>{t.subscriptions.empty}</p>
        ) : (
          <SubscriptionTable {...{ view, subscriptions }} />
        )}
        <aside>
          <section class="panel">
            <h2>{t.subscriptions.createTitle}</h2>
            {isFull ? (
              <p id="url">{t.subscriptions.full(SUBSCRIPTIONS_MAX)}</p>
            ) : (
              <SubscriptionForm {...{ view, state }} />
            )}
          </section>
        </aside>
      </div>
    </Page>
  );
}

/** A signing secret that was just created, and how a receiver uses it. */
export function NewSecret({ view, url, secret }: MadeSecret & { view: View }) {
  const t = messages(view);
  return (
    <>
      <section class="panel wide">
        <ShownOnce view={view} id="new-secret" label={t.subscriptions.secretTitle(hostOfUrl(url))} value={secret} />
        <p class="quiet">{t.subscriptions.secretHint}</p>
      </section>
      <VerifySnippets view={view} />
    </>
  );
}

function SubscriptionTable({ view, subscriptions }: { view: View; subscriptions: Listed[] }) {
  const t = messages(view);
  return (
    <table class="cards">
      <TableHead
        columns={[t.subscriptions.url, t.subscriptions.status, t.subscriptions.health]}
        actions={t.subscriptions.actions}
      />
      <tbody>
        {subscriptions.map((listed) => (
          <SubscriptionRow view={view} {...listed} />
        ))}
      </tbody>
    </table>
  );
}

function SubscriptionRow({ view, subscription, health, lastChange }: Listed & { view: View }) {
  const t = messages(view);
  const { id, url, status } = subscription;
  const isActive = status === 'active';
  return (
    <tr>
      <td>
        <a href={`${WEBHOOKS}/${id}`}>{url}</a>
        <small title={subscription.eventTypes.map((type) => t.eventTypes[type]).join(', ')}>
          {t.subscriptions.eventCount(subscription.eventTypes.length)}
        </small>
      </td>
      <td data-label={t.subscriptions.status}>
        <StatusChip view={view} status={status} />
        <StatusReason view={view} of={subscription} last={lastChange} />
      </td>
      <td data-label={t.subscriptions.health} class="figures">
        <HealthLine view={view} health={health} />
      </td>
      <td class="actions">
        <Form view={view} action={`${WEBHOOKS}/${id}/${isActive ? 'pause' : 'resume'}`}>
          <button class="plain" type="submit">
            {isActive ? t.subscriptions.pause : t.subscriptions.resume}
            <span class="unseen">: {url}</span>
          </button>
        </Form>
        <a href={`${WEBHOOKS}/${id}/edit`}>
          {t.subscriptions.edit}
          <span class="unseen">: {url}</span>
        </a>{' '}
        <a href={`${WEBHOOKS}/${id}/delete`}>
          {t.subscriptions.delete}
          <span class="unseen">: {url}</span>
        </a>
      </td>
    </tr>
  );
}

function SubscriptionForm({ view, state }: { view: View; state: WebhooksState }) {
  const t = messages(view);
  const { fieldErrors = {}, eventTypes: chosen = [] } = state;
  return (
    <Form view={view} action={WEBHOOKS} once>
      <Field
        name="url"
        label={t.subscriptions.url}
        hint={t.subscriptions.urlHint}
        value={state.url}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <EventChecks view={view} chosen={chosen} fieldErrors={fieldErrors} />
      <button class="primary" type="submit">
        {t.subscriptions.create}
      </button>
    </Form>
  );
}
