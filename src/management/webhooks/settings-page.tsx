import type { EventType, Subscription } from '../../webhooks/service';
import { WEBHOOKS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form, RadioGroup, ShownBefore } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatTime } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { overlapOptions } from '../ui/overlap';
import type { View } from '../ui/view';
import { type MadeSecret, NewSecret } from './list-page';
import { messages } from './messages';
import { EventChecks, FilterFields, hostOfUrl, type TypedFilter } from './parts';

interface Props {
  view: View;
  subscription: Subscription;
  fieldErrors?: FieldErrors;
}

/** The state that the form was made from: a change by somebody else in between is not overwritten but a conflict. */
function VersionField({ at }: { at: number }) {
  return <Hidden id="seen_at" name="seen_at" value={String(at)} />;
}

export interface TypedSettings {
  url: string;
  eventTypes: EventType[];
  filter: TypedFilter;
  seenAt: number;
}

interface EditProps extends Props {
  shops: readonly { id: string; name: string }[];
  typed: TypedSettings;
}

/** Of a callback, the address alone can be changed. */
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

/** The new secret; shown only once. */
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

/** If two secrets are valid: until when, and a button that ends this early. */
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
