import type { ApiKey } from '../../auth/keys/keys';
import type { EventType } from '../../webhooks/event-types';
import { SUBSCRIPTIONS_MAX } from '../../webhooks/limits';
import type { readWebhooks } from '../../webhooks/log/log';
import { SNIPPETS } from '../../webhooks/signing/snippets';
import type { Subscription } from '../../webhooks/subscriptions/subscriptions';
import { WEBHOOKS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { CopyButton, Field, Form, Hidden, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import { formatTime, overlapOptions } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, useView } from '../ui/view';
import { messages } from './messages';
import { EventChecks, FilterFields, HealthLine, hostOfUrl, StatusChip, StatusReason, type TypedFilter } from './parts';

export interface WebhooksState {
  url?: string;
  eventTypes?: EventType[];
  filter?: TypedFilter;
  fieldErrors?: FieldErrors;
  /** The URL and secret of the subscription that was just created; `gone` if the secret has been shown before. */
  made?: MadeSecret | 'gone';
}

export interface MadeSecret {
  url: string;
  secret: string;
}

type Webhooks = Awaited<ReturnType<typeof readWebhooks>>;
type Listed = Webhooks['subscriptions'][number];

interface WebhooksProps extends Omit<Webhooks, 'callbacks'> {
  callbacks: readonly ListedCallback[];
  state: WebhooksState;
}

export function WebhooksPage({ subscriptions, callbacks, shops, state }: WebhooksProps) {
  const { subscriptions: t } = messages();
  const { made } = state;
  const isFull = subscriptions.length >= SUBSCRIPTIONS_MAX;
  return (
    <Page title={t.title} fieldErrors={state.fieldErrors} lead={t.used(subscriptions.length, SUBSCRIPTIONS_MAX)}>
      {made === 'gone' && <ShownBefore />}
      {typeof made === 'object' && <NewSecret {...made} />}
      <p class="quiet">{t.lead}</p>
      {subscriptions.length === 0 ? <p>{t.empty}</p> : <SubscriptionTable subscriptions={subscriptions} />}
      {callbacks.length > 0 && <CallbackTable callbacks={callbacks} />}
      <Panel title={t.create} isWide>
        {isFull ? <p id="url">{t.full(SUBSCRIPTIONS_MAX)}</p> : <SubscriptionForm {...{ shops, state }} />}
      </Panel>
    </Page>
  );
}

/** A new signing secret, and instructions for the receiver. */
function NewSecret({ url, secret }: MadeSecret) {
  const { subscriptions: t } = messages();
  return (
    <>
      <section class="panel wide">
        <ShownOnce id="new-secret" label={t.secretTitle(hostOfUrl(url))} value={secret} />
        <p class="quiet">{t.secretHint}</p>
      </section>
      <VerifySnippets />
    </>
  );
}

function SubscriptionTable({ subscriptions }: Pick<WebhooksProps, 'subscriptions'>) {
  const t = messages();
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
          cell: (listed) => <span class="clip quiet">{typesOf(listed)}</span>,
        },
        {
          label: sharedMessages().common.status,
          class: 'settle',
          cell: ({ subscription, lastChange }) => (
            <>
              <StatusChip status={subscription.status} />
              <StatusReason of={subscription} last={lastChange} />
            </>
          ),
        },
        {
          label: t.subscriptions.health,
          class: 'shipping',
          cell: ({ health }) => <HealthLine health={health} />,
        },
      ]}
    />
  );
}

function SubscriptionForm({ shops, state }: Pick<WebhooksProps, 'shops' | 'state'>) {
  const { subscriptions: t } = messages();
  const { fieldErrors, eventTypes: chosen = [] } = state;
  return (
    <Form action={WEBHOOKS} once>
      <Field name="url" label={t.url} hint={t.urlHint} form={state} />
      <EventChecks {...{ chosen, fieldErrors }} />
      <FilterFields {...{ shops, fieldErrors }} typed={state.filter} />
      <Submit>{t.create}</Submit>
    </Form>
  );
}

/** Examples of signature verification, by programming language. The tests run the same files. */
function VerifySnippets() {
  const { subscriptions: t } = messages();
  return (
    <Panel title={t.verifyTitle} isWide>
      <p class="hint">{t.verifyLead}</p>
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <details class="fold" name="snippets">
          <summary lang="en">{title}</summary>
          <p class="hint">
            {t.verifyScheme(scheme)}
            {install && (
              <>
                {' '}
                {t.install} <code>{install}</code>
              </>
            )}
          </p>
          <pre id={`snippet-${id}`} tabindex={0} lang="en">
            {code}
          </pre>
          <p>
            <CopyButton of={`snippet-${id}`} label={labelFor(sharedMessages().common.copy, title)} />
          </p>
        </details>
      ))}
    </Panel>
  );
}

/** The callback of an integration, with the name of its key. */
export interface ListedCallback {
  keyName: string;
  callback: NonNullable<ApiKey['callback']>;
}

/**
 * Returns each callback of these keys once, with the name of the first key that has it. All keys of an integration have
 * the same callback.
 */
export function callbacksOf(keys: readonly ApiKey[]): ListedCallback[] {
  const named = keys.flatMap(({ name, callback }) => (callback ? [{ keyName: name, callback }] : []));
  return named.filter(({ callback }, index) => named.findIndex((each) => each.callback.id === callback.id) === index);
}

function CallbackTable({ callbacks }: { callbacks: readonly ListedCallback[] }) {
  const { callbacks: t, subscriptions } = messages();
  return (
    <>
      <h2>{t.title}</h2>
      <p class="quiet">{t.lead}</p>
      <Table
        class="rows brief webhooks-list"
        rows={callbacks}
        columns={[
          {
            label: t.integration,
            kind: 'name',
            class: 'name',
            cell: ({ keyName, callback }) => (
              <a class="go" href={`${WEBHOOKS}/${callback.id}`}>
                <bdi>{keyName}</bdi>
              </a>
            ),
          },
          {
            label: subscriptions.url,
            class: 'what',
            title: ({ callback }) => callback.url,
            cell: ({ callback }) => callback.url,
          },
          {
            label: sharedMessages().common.status,
            class: 'settle',
            cell: ({ callback }) => <StatusChip status={callback.status} />,
          },
        ]}
      />
    </>
  );
}

interface Props {
  subscription: Subscription;
  fieldErrors?: FieldErrors;
}

/**
 * Hidden field with the version of the subscription that the form shows. If the subscription has changed since, saving
 * the form is refused as a conflict.
 */
function VersionField({ at }: { at: number }) {
  return <Hidden id="seen_at" name="seen_at" value={String(at)} />;
}

interface EditProps extends Props {
  shops: readonly { id: string; name: string }[];
  typed: { url: string; eventTypes: EventType[]; filter: TypedFilter; seenAt: number };
}

/** The form for a subscription. For a callback, only the URL can be changed. */
export function EditPage({ subscription, shops, typed, fieldErrors }: EditProps) {
  const { subscriptions: t } = messages();
  const path = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page
      title={t.editTitle(hostOfUrl(subscription.url))}
      fieldErrors={fieldErrors}
      back={{ path, label: t.backToSubscription }}
    >
      <p class="quiet">{t.editLead}</p>
      <section class="panel wide">
        <Form action={`${path}/edit`}>
          <VersionField at={typed.seenAt} />
          <Field name="url" label={t.url} hint={t.urlHint} form={{ url: typed.url, fieldErrors }} />
          {subscription.integrationId === null && (
            <>
              <EventChecks chosen={typed.eventTypes} fieldErrors={fieldErrors} />
              <FilterFields {...{ shops, fieldErrors }} typed={typed.filter} />
            </>
          )}
          <Decision act={t.save} back={path} isHarmless />
        </Form>
      </section>
    </Page>
  );
}

/** Asks how long the previous secret stays valid after the new one is made. */
export function RotatePage({ subscription, fieldErrors, overlap }: Props & { overlap: string }) {
  const { subscriptions: t } = messages();
  const path = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page title={t.rotateTitle(hostOfUrl(subscription.url))} fieldErrors={fieldErrors} isDialog>
      <p>{t.rotateLead}</p>
      <Overlap subscription={subscription} />
      <Form action={`${path}/secret`} once>
        <VersionField at={subscription.updatedAt} />
        <RadioGroup
          name="overlap"
          label={t.overlap}
          options={overlapOptions(useView())}
          form={{ overlap, fieldErrors }}
        />
        <Decision act={t.rotateSubmit} back={path} />
      </Form>
    </Page>
  );
}

/** Shows the new secret once. */
export function RotatedPage({ subscription, made }: Props & { made: MadeSecret | 'gone' }) {
  const { subscriptions: t } = messages();
  const isAlone = (subscription.previousSecretUntil ?? 0) <= useView().now;
  return (
    <Page title={t.rotateTitle(hostOfUrl(subscription.url))}>
      {made === 'gone' ? <ShownBefore /> : <NewSecret {...made} />}
      {isAlone ? <p>{t.onlyNew}</p> : <Overlap subscription={subscription} />}
      <p>
        <a href={`${WEBHOOKS}/${subscription.id}`}>{t.backToSubscription}</a>
      </p>
    </Page>
  );
}

/**
 * Shows until when the previous secret stays valid, with a link to end that time early. Shows nothing if only one
 * secret is valid.
 */
export function Overlap({ subscription }: Props) {
  const { subscriptions: t } = messages();
  const { id, previousSecretUntil: until } = subscription;
  if (until === null || until <= useView().now) return null;
  return (
    <p class="facts">
      <span>{t.bothUntil(formatTime(until))}</span>
      <a href={`${WEBHOOKS}/${id}/secret/end`}>{t.endOverlap}</a>
    </p>
  );
}
