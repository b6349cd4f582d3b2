import type { ApiKey } from '../../auth/keys/manage';
import type { EventType } from '../../webhooks/event-types';
import { SUBSCRIPTIONS_MAX } from '../../webhooks/limits';
import type { readWebhooks } from '../../webhooks/log/log';
import { SNIPPETS } from '../../webhooks/signing/snippets';
import type { Subscription } from '../../webhooks/subscriptions/manage';
import { callbackPathOf, keyPath, WEBHOOKS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form, Hidden, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import { formatTime, overlapOptions } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { FieldErrors, View } from '../ui/view';
import { messages } from './messages';
import { EventChecks, FilterFields, HealthLine, hostOfUrl, StatusChip, StatusReason, type TypedFilter } from './parts';

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

/** A new signing secret, and how a receiver uses it. */
function NewSecret({ view, url, secret }: MadeSecret & { view: View }) {
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

/** Examples of signature verification by language. The tests run the same files. */
function VerifySnippets({ view }: { view: View }) {
  const { common } = sharedMessages(view);
  const { subscriptions: t } = messages(view);
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
            <button type="button" hidden data-copy={`snippet-${id}`} data-copied={common.copied}>
              {labelFor(common.copy, title)}
            </button>
          </p>
        </details>
      ))}
    </Panel>
  );
}

interface CallbackProps {
  view: View;
  apiKey: ApiKey;
  url?: string;
  fieldErrors?: FieldErrors;
  /** The callback that was just made. */
  made?: MadeSecret | 'gone';
}

/** Asks for the callback URL of an integration, which gets events about its order requests, or shows it. */
export function CallbackPage({ view, apiKey, url, fieldErrors, made }: CallbackProps) {
  const { callbacks: t, subscriptions } = messages(view);
  const { callback } = apiKey;
  return (
    <Page
      view={view}
      title={t.of(apiKey.name)}
      fieldErrors={fieldErrors}
      back={{ path: keyPath(apiKey.id), label: apiKey.name }}
      isDialog={made === undefined}
    >
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && <NewSecret view={view} {...made} />}
      <p class="quiet">{t.lead}</p>
      {callback ? (
        <p>
          <a class="go" href={`${WEBHOOKS}/${callback.id}`}>
            {callback.url}
          </a>
        </p>
      ) : (
        <Form view={view} action={callbackPathOf(apiKey.id)} once>
          <Field name="url" label={subscriptions.url} hint={subscriptions.urlHint} form={{ url, fieldErrors }} />
          <Decision view={view} act={t.create} back={keyPath(apiKey.id)} isHarmless />
        </Form>
      )}
    </Page>
  );
}

/** The callback of an integration, with the name of its key. */
export interface ListedCallback {
  keyName: string;
  callback: NonNullable<ApiKey['callback']>;
}

/** The callbacks of these keys without duplicates: keys of one integration share one; its first key names it. */
export function callbacksOf(keys: readonly ApiKey[]): ListedCallback[] {
  const named = keys.flatMap(({ name, callback }) => (callback ? [{ keyName: name, callback }] : []));
  return named.filter(({ callback }, index) => named.findIndex((each) => each.callback.id === callback.id) === index);
}

function CallbackTable({ view, callbacks }: { view: View; callbacks: readonly ListedCallback[] }) {
  const { callbacks: t, subscriptions } = messages(view);
  const { common } = sharedMessages(view);
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
            label: common.status,
            class: 'settle',
            cell: ({ callback }) => <StatusChip view={view} status={callback.status} />,
          },
        ]}
      />
    </>
  );
}

interface Props {
  view: View;
  subscription: Subscription;
  fieldErrors?: FieldErrors;
}

/** Hidden field with the version that the form is based on, so that a concurrent change is a conflict. */
function VersionField({ at }: { at: number }) {
  return <Hidden id="seen_at" name="seen_at" value={String(at)} />;
}

interface TypedSettings {
  url: string;
  eventTypes: EventType[];
  filter: TypedFilter;
  seenAt: number;
}

interface EditProps extends Props {
  shops: readonly { id: string; name: string }[];
  typed: TypedSettings;
}

/** The form for a subscription. For a callback, only the URL can be changed. */
export function EditPage({ view, subscription, shops, typed, fieldErrors }: EditProps) {
  const { subscriptions: t } = messages(view);
  const path = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page
      view={view}
      title={t.editTitle(hostOfUrl(subscription.url))}
      fieldErrors={fieldErrors}
      back={{ path, label: t.backToSubscription }}
    >
      <p class="quiet">{t.editLead}</p>
      <section class="panel wide">
        <Form view={view} action={`${path}/edit`}>
          <VersionField at={typed.seenAt} />
          <Field name="url" label={t.url} hint={t.urlHint} form={{ url: typed.url, fieldErrors }} />
          {subscription.integrationId === null && (
            <>
              <EventChecks view={view} chosen={typed.eventTypes} fieldErrors={fieldErrors} />
              <FilterFields {...{ view, shops, fieldErrors }} typed={typed.filter} />
            </>
          )}
          <Decision view={view} act={t.save} back={path} isHarmless />
        </Form>
      </section>
    </Page>
  );
}

/** Asks how long the previous secret continues to sign. */
export function RotatePage({ view, subscription, fieldErrors, overlap }: Props & { overlap: string }) {
  const { subscriptions: t } = messages(view);
  const path = `${WEBHOOKS}/${subscription.id}`;
  return (
    <Page view={view} title={t.rotateTitle(hostOfUrl(subscription.url))} fieldErrors={fieldErrors} isDialog>
      <p>{t.rotateLead}</p>
      <Overlap view={view} subscription={subscription} />
      <Form view={view} action={`${path}/secret`} once>
        <VersionField at={subscription.updatedAt} />
        <RadioGroup name="overlap" label={t.overlap} options={overlapOptions(view)} form={{ overlap, fieldErrors }} />
        <Decision view={view} act={t.rotateSubmit} back={path} />
      </Form>
    </Page>
  );
}

/** Shows the new secret once. */
export function RotatedPage({ view, subscription, made }: Props & { made: MadeSecret | 'gone' }) {
  const { subscriptions: t } = messages(view);
  const isAlone = (subscription.previousSecretUntil ?? 0) <= view.now;
  return (
    <Page view={view} title={t.rotateTitle(hostOfUrl(subscription.url))}>
      {made === 'gone' ? <ShownBefore view={view} /> : <NewSecret view={view} {...made} />}
      {isAlone ? <p>{t.onlyNew}</p> : <Overlap view={view} subscription={subscription} />}
      <p>
        <a href={`${WEBHOOKS}/${subscription.id}`}>{t.backToSubscription}</a>
      </p>
    </Page>
  );
}

/** If two secrets are valid: until when, and a link to end this early. */
export function Overlap({ view, subscription }: Props) {
  const { subscriptions: t } = messages(view);
  const { id, previousSecretUntil: until } = subscription;
  if (until === null || until <= view.now) return null;
  return (
    <p class="facts">
      <span>{t.bothUntil(formatTime(view.language, until))}</span>
      <a href={`${WEBHOOKS}/${id}/secret/end`}>{t.endOverlap}</a>
    </p>
  );
}
