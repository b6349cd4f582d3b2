import { SUBSCRIPTIONS_MAX } from '../../webhooks/limits';
import type { EventType, readWebhooks } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Field, Form, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
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
    <Page
      view={view}
      title={t.title}
      fieldErrors={state.fieldErrors}
      lead={t.used(subscriptions.length, SUBSCRIPTIONS_MAX)}
      acts={
        <a class="button" href="#create">
          {t.create}
        </a>
      }
    >
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && <NewSecret view={view} {...made} />}
      <p class="quiet">{t.lead}</p>
      {subscriptions.length === 0 ? <p>{t.empty}</p> : <SubscriptionTable {...{ view, subscriptions }} />}
      {callbacks.length > 0 && <CallbackTable {...{ view, callbacks }} />}
      <Panel title={t.create} id="create" isWide>
        {isFull ? <p id="url">{t.full(SUBSCRIPTIONS_MAX)}</p> : <SubscriptionForm {...{ view, shops, state }} />}
      </Panel>
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
  const typesOf = ({ subscription }: Listed) => subscription.eventTypes.map((type) => t.eventTypes[type]).join(', ');
  return (
    <Table
      class="rows brief webhooks-list"
      rows={subscriptions}
      columns={[
        {
          label: t.subscriptions.url,
          kind: 'name',
          class: 'name',
          title: ({ subscription }) => subscription.url,
          cell: ({ subscription }) => (
            <a class="go" href={`${WEBHOOKS}/${subscription.id}`}>
              {subscription.url}
            </a>
          ),
        },
        {
          label: t.subscriptions.eventTypes,
          class: 'what',
          title: typesOf,
          cell: (listed) => <span class="quiet">{typesOf(listed)}</span>,
        },
        {
          label: common.status,
          class: 'settle',
          cell: ({ subscription, lastChange }) => (
            <>
              <StatusChip view={view} status={subscription.status} />
              <StatusReason view={view} of={subscription} last={lastChange} />
            </>
          ),
        },
        {
          label: t.subscriptions.health,
          class: 'shipping',
          cell: ({ health }) => <HealthLine view={view} health={health} />,
        },
      ]}
    />
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
