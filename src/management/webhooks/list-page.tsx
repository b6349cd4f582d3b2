import { SUBSCRIPTIONS_MAX } from '../../webhooks/limits';
import type { EventType, readWebhooks } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Field, Form, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { CallbackTable, type ListedCallback } from './callback-table';
import { HealthLine, StatusReason } from './health';
import { messages } from './messages';
import { EventChecks, FilterFields, hostOfUrl, StatusChip, type TypedFilter } from './parts';
import { VerifySnippets } from './snippets';

export interface WebhooksState {
  url?: string;
  eventTypes?: EventType[];
  filter?: TypedFilter;
  fieldErrors?: FieldErrors;
  /** The subscription that was just created. */
  made?: MadeSecret | 'gone';
}

export interface MadeSecret {
  url: string;
  secret: string;
}

type Webhooks = Awaited<ReturnType<typeof readWebhooks>>;
type Listed = Webhooks['subscriptions'][number];

interface WebhooksProps extends Omit<Webhooks, 'callbacks'> {
  view: View;
  callbacks: readonly ListedCallback[];
  state: WebhooksState;
}

export function WebhooksPage({ view, subscriptions, callbacks, shops, state }: WebhooksProps) {
  const { subscriptions: t } = messages(view);
  const { made } = state;
  const isFull = subscriptions.length >= SUBSCRIPTIONS_MAX;
  return (
    <Page view={view} title={t.title} fieldErrors={state.fieldErrors}>
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && <NewSecret view={view} {...made} />}
      <p class="quiet">{t.lead}</p>
      <p>{t.used(subscriptions.length, SUBSCRIPTIONS_MAX)}</p>
      <div class="two-columns">
        <div>
          {subscriptions.length === 0 ? <p>{t.empty}</p> : <SubscriptionTable {...{ view, subscriptions }} />}
          {callbacks.length > 0 && <CallbackTable {...{ view, callbacks }} />}
        </div>
        <aside>
          <Panel title={t.createTitle}>
            {isFull ? <p id="url">{t.full(SUBSCRIPTIONS_MAX)}</p> : <SubscriptionForm {...{ view, shops, state }} />}
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

/** A signing secret that was just created, and how a receiver uses it. */
export function NewSecret({ view, url, secret }: MadeSecret & { view: View }) {
  const { subscriptions: t } = messages(view);
  return (
    <>
      <section class="panel wide">
        <ShownOnce view={view} id="new-secret" label={t.secretTitle(hostOfUrl(url))} value={secret} />
        <p class="quiet">{t.secretHint}</p>
      </section>
      <VerifySnippets view={view} />
    </>
  );
}

function SubscriptionTable({ view, subscriptions }: Pick<WebhooksProps, 'view' | 'subscriptions'>) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <Table
      rows={subscriptions}
      columns={[
        {
          label: t.subscriptions.url,
          kind: 'name',
          cell: ({ subscription: { id, url, eventTypes } }) => (
            <>
              <a class="go" href={`${WEBHOOKS}/${id}`}>
                {url}
              </a>
              <small title={eventTypes.map((type) => t.eventTypes[type]).join(', ')}>
                {t.subscriptions.eventCount(eventTypes.length)}
              </small>
            </>
          ),
        },
        {
          label: common.status,
          cell: ({ subscription, lastChange }) => (
            <>
              <StatusChip view={view} status={subscription.status} />
              <StatusReason view={view} of={subscription} last={lastChange} />
            </>
          ),
        },
        {
          label: t.subscriptions.health,
          cellClass: 'figures',
          cell: ({ health }) => <HealthLine view={view} health={health} />,
        },
        {
          label: common.actions,
          kind: 'actions',
          cell: ({ subscription }) => <Actions view={view} subscription={subscription} />,
        },
      ]}
    />
  );
}

function Actions({ view, subscription: { id, url, status } }: Pick<Listed, 'subscription'> & { view: View }) {
  const { subscriptions: t } = messages(view);
  const isActive = status === 'active';
  const path = `${WEBHOOKS}/${id}`;
  return (
    <>
      <Form view={view} action={`${path}/${isActive ? 'pause' : 'resume'}`}>
        <button class="plain" type="submit">
          {labelFor(isActive ? t.pause : t.resume, url)}
        </button>
      </Form>
      <a href={`${path}/edit`}>{labelFor(t.edit, url)}</a> <a href={`${path}/delete`}>{labelFor(t.delete, url)}</a>
    </>
  );
}

function SubscriptionForm({ view, shops, state }: Pick<WebhooksProps, 'view' | 'shops' | 'state'>) {
  const { subscriptions: t } = messages(view);
  const { fieldErrors, eventTypes: chosen = [] } = state;
  return (
    <Form view={view} action={WEBHOOKS} once>
      <Field name="url" label={t.url} hint={t.urlHint} form={state} />
      <EventChecks {...{ view, chosen, fieldErrors }} />
      <FilterFields {...{ view, shops, fieldErrors }} typed={state.filter} />
      <Submit>{t.create}</Submit>
    </Form>
  );
}
