import { Hono } from 'hono';
import { listApiKeys } from '../../auth/keys/keys';
import { notFound } from '../../platform/errors/errors';
import { localTime, readLocalTime } from '../../platform/pharmacy-time';
import { DAY_MS } from '../../platform/time';
import { EVENT_TYPES, type EventType } from '../../webhooks/event-types';
import { getDelivery, readSubscription, readWebhooks, redeliver } from '../../webhooks/log/log';
import { sendTestEvent } from '../../webhooks/posting/test-event';
import { countUndelivered, recover } from '../../webhooks/recovery/recover';
import {
  createSubscription,
  endOverlap,
  readSettings,
  rotateSecret,
  updateSubscription,
} from '../../webhooks/subscriptions/settings';
import {
  deleteSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from '../../webhooks/subscriptions/subscriptions';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { WEBHOOKS } from '../http/paths';
import { signedIn } from '../http/session';
import { OVERLAPS } from '../limits';
import { respondConfirm } from '../ui/confirm';
import { readOverlap } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { DeliveryPage, RedeliverPage } from './delivery-page';
import {
  callbacksOf,
  EditPage,
  type MadeSecret,
  RotatedPage,
  RotatePage,
  WebhooksPage,
  type WebhooksState,
} from './list-page';
import { filterOf, LogPage, readChoice } from './log-page';
import { messages } from './messages';
import { faultsOf, hostOfUrl, readEventTypes, readFilter } from './parts';

/** Routes for the settings of one subscription: URL, event types, and signing secret. */
const subscriptionRoutes = new Hono<ManageEnv>()
  .get('/:id/edit', async (c) => {
    const settings = await readSettings(c.var.ctx, c.req.param('id'));
    const { url, eventTypes, updatedAt, shopIds, sources } = settings.subscription;
    const filter = { shopIds: shopIds ?? [], sources: (sources ?? []).join(', ') };
    const typed = { url, eventTypes, filter, seenAt: updatedAt };
    return respondPage(c, <EditPage {...{ ...settings, typed }} />);
  })
  .post('/:id/edit', async (c) => {
    const { form, ctx } = c.var;
    const id = c.req.param('id');
    const { typed: typedFilter, filter, ...read } = readFilter(form, c.var);
    const settings = {
      url: form.text('url'),
      eventTypes: readEventTypes(form),
      seenAt: Number(form.text('seen_at')),
    };
    const subscription = await getSubscription(ctx, id);
    const fieldErrors = faultsOf(c, settings, read.fieldErrors, subscription.integrationId !== null);
    const result = hasFieldErrors(fieldErrors)
      ? { fieldErrors }
      : await tryForm(c.var, { subscription_changed: 'url' }, () =>
          updateSubscription(ctx, { id, ...settings, ...filter }),
        );
    if (!result.fieldErrors) return redirectWithFlash(c, 'subscription_updated', `${WEBHOOKS}/${id}`);
    const typed = { ...settings, filter: typedFilter };
    const shown = { ...(await readSettings(ctx, id)), typed, fieldErrors: result.fieldErrors };
    return respondPage(c, <EditPage {...shown} />, 400);
  })
  .get('/:id/secret', async (c) => {
    const made = await takeMade<MadeSecret>(c);
    if (!made) return respondRotate(c, c.req.param('id'), 'day');
    const subscription = await getSubscription(c.var.ctx, c.req.param('id'));
    return respondPage(c, <RotatedPage {...{ subscription, made }} />);
  })
  .post('/:id/secret', once(secretPath, rotate))
  .get('/:id/secret/end', async (c) => {
    const { ctx } = c.var;
    const { url, previousSecretUntil } = await getSubscription(ctx, c.req.param('id'));
    if ((previousSecretUntil ?? 0) <= ctx.now()) throw notFound();
    const { subscriptions: t } = messages(c.var);
    return respondConfirm(c, {
      title: t.endTitle(hostOfUrl(url)),
      lead: t.endLead,
      action: `${secretPath(c)}/end`,
      act: t.endOverlap,
      back: subscriptionPath(c),
    });
  })
  .post('/:id/secret/end', async (c) => {
    const id = c.req.param('id');
    await endOverlap(c.var.ctx, id);
    return redirectWithFlash(c, 'overlap_ended', `${WEBHOOKS}/${id}`);
  });

function secretPath(c: ManageContext): string {
  return `${subscriptionPath(c)}/secret`;
}

async function rotate(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const id = c.req.param('id') ?? '';
  const overlap = readOverlap(form.text('overlap'));
  if (!overlap) return respondRotate(c, id, '', { overlap: sharedMessages(c.var).fieldErrors.overlap });
  const seen = { id, seenAt: Number(form.text('seen_at')) };
  const fields = { secret_overlap_running: 'overlap', subscription_changed: 'overlap' };
  const result = await tryForm(c.var, fields, () => rotateSecret(ctx, { ...seen, overlapMs: OVERLAPS[overlap] }));
  if (result.fieldErrors) return respondRotate(c, id, overlap, result.fieldErrors);
  const { url } = await getSubscription(ctx, id);
  return showOnce(c, secretPath(c), { url, secret: result.value.signingSecret } satisfies MadeSecret);
}

async function respondRotate(
  c: ManageContext,
  id: string,
  overlap: string,
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  const subscription = await getSubscription(c.var.ctx, id);
  return respondForm(c, <RotatePage {...{ subscription, overlap, fieldErrors }} />, fieldErrors);
}

/** The path of the subscription's page. */
function subscriptionPath(c: ManageContext): string {
  return `${WEBHOOKS}/${c.req.param('id')}`;
}

/** Routes for one subscription's log, test events, and redeliveries. */
const deliveryRoutes = new Hono<ManageEnv>()
  .get('/:id', (c) => respondLog(c, c.req.param('id')))
  .post('/:id/test', once(subscriptionPath, sendTest))
  .get('/:id/redeliver', (c) => {
    const typed = c.req.query('since') ?? localTime(c.var.ctx.now() - DAY_MS);
    return respondRedeliver(c, c.req.param('id'), typed);
  })
  .post('/:id/redeliver', async (c) => {
    const subscriptionId = c.req.param('id');
    const typed = c.var.form.text('since');
    const since = sinceOf(c, typed);
    if (since === null) return respondRedeliver(c, subscriptionId, typed);
    const { count, isRunning } = await recover(c.var.ctx, { subscriptionId, since });
    const isUnderWay = count > 0 || isRunning;
    return redirectWithFlash(c, isUnderWay ? 'redelivering' : 'nothing_to_redeliver', subscriptionPath(c));
  })
  .get('/:id/deliveries/:deliveryId', async (c) => {
    const { id: subscriptionId, deliveryId } = c.req.param();
    const shown = await getDelivery(c.var.ctx, { subscriptionId, deliveryId });
    const chosen = Number(c.req.query('attempt'));
    return respondPage(c, <DeliveryPage {...{ ...shown, chosen }} />);
  })
  .post(
    '/:id/deliveries/:deliveryId/redeliver',
    once(subscriptionPath, async (c) => {
      const { deliveryId } = await redeliver(c.var.ctx, c.req.param('deliveryId') ?? '');
      return redirectWithFlash(c, 'redelivered', `${subscriptionPath(c)}/deliveries/${deliveryId}`);
    }),
  );

async function sendTest(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const subscriptionId = c.req.param('id') ?? '';
  const eventType = EVENT_TYPES.find((type) => type === form.text('event_type'));
  if (!eventType) return respondLog(c, subscriptionId, { event_type: sharedMessages(c.var).fieldErrors.event_type });
  const result = await tryForm(c.var, { too_many_tests: 'event_type' }, () =>
    sendTestEvent(ctx, { subscriptionId, eventType }),
  );
  if (result.fieldErrors) return respondLog(c, subscriptionId, result.fieldErrors, eventType);
  return c.redirect(`${subscriptionPath(c)}/deliveries/${result.value.id}`, 303);
}

async function respondLog(
  c: ManageContext,
  subscriptionId: string,
  fieldErrors: FieldErrors = {},
  testType?: EventType,
): Promise<Response> {
  const choice = readChoice(c.req.query());
  const before = c.req.query('before');
  const filter = filterOf(choice, c.var.ctx.now());
  const log = await readSubscription(c.var.ctx, { subscriptionId, filter, before });
  const isCallback = log.subscription.integrationId !== null;
  const callbacks = isCallback ? callbacksOf(await listApiKeys(c.var.ctx)) : [];
  const callback = callbacks.find((each) => each.callback.id === subscriptionId);
  const page = <LogPage {...{ ...log, choice, isFirst: before === undefined, callback, testType, fieldErrors }} />;
  return respondForm(c, page, fieldErrors, hasFieldErrors(fieldErrors) ? subscriptionPath(c) : undefined);
}

function sinceOf(c: ManageContext, typed: string): number | null {
  const since = readLocalTime(typed);
  return since !== null && since <= c.var.ctx.now() ? since : null;
}

async function respondRedeliver(c: ManageContext, subscriptionId: string, typed: string): Promise<Response> {
  const { ctx } = c.var;
  const since = sinceOf(c, typed);
  const { subscription, count } = await countUndelivered(ctx, { subscriptionId, since: since ?? ctx.now() });
  const fieldErrors: FieldErrors = since === null ? { since: sharedMessages(c.var).fieldErrors.since } : {};
  const found = since === null ? null : { since, count };
  const page = <RedeliverPage {...{ subscription, found, typed, fieldErrors }} />;
  return respondForm(c, page, fieldErrors, `${subscriptionPath(c)}/redeliver`);
}

/** Routes of webhooks. They are for owners only: the use cases refuse all other roles. */
export const webhookRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondWebhooks(c, { made: await takeMade<MadeSecret>(c) }))
  .post('/', once(WEBHOOKS, create))
  .post('/:id/pause', async (c) => {
    const isPaused = await pauseSubscription(c.var.ctx, c.req.param('id'));
    return redirectWithFlash(c, isPaused ? 'subscription_paused' : 'paused_before', subscriptionPath(c));
  })
  .post('/:id/resume', async (c) => {
    const isResumed = await resumeSubscription(c.var.ctx, c.req.param('id'));
    return redirectWithFlash(c, isResumed ? 'subscription_resumed' : 'resumed_before', subscriptionPath(c));
  })
  .get('/:id/delete', async (c) => {
    const { subscriptions: t } = messages(c.var);
    const { id, url } = await getSubscription(c.var.ctx, c.req.param('id'));
    return respondConfirm(c, {
      title: t.deleteTitle(hostOfUrl(url)),
      about: <code>{url}</code>,
      lead: t.deleteLead,
      action: `${WEBHOOKS}/${id}/delete`,
      act: t.delete,
      back: `${WEBHOOKS}/${id}`,
    });
  })
  .post('/:id/delete', async (c) => {
    await deleteSubscription(c.var.ctx, c.req.param('id'));
    return redirectWithFlash(c, 'subscription_deleted', WEBHOOKS);
  })
  .route('/', subscriptionRoutes)
  .route('/', deliveryRoutes)
  .all('/:id/*', () => {
    throw notFound();
  });

async function create(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { typed: typedFilter, filter, ...read } = readFilter(form, c.var);
  const target = { url: form.text('url'), eventTypes: readEventTypes(form) };
  const typed = { ...target, filter: typedFilter };
  const fieldErrors = faultsOf(c, target, read.fieldErrors);
  if (hasFieldErrors(fieldErrors)) return respondWebhooks(c, { ...typed, fieldErrors });
  const { orgId } = signedIn(c).actor;
  const result = await tryForm(c.var, { subscription_limit_reached: 'url' }, () =>
    createSubscription(ctx, { orgId, ...target, ...filter }),
  );
  if (result.fieldErrors) return respondWebhooks(c, { ...typed, fieldErrors: result.fieldErrors });
  return showOnce(c, WEBHOOKS, { url: typed.url, secret: result.value.signingSecret } satisfies MadeSecret);
}

async function respondWebhooks(c: ManageContext, state: WebhooksState = {}): Promise<Response> {
  const { subscriptions, shops, ...found } = await readWebhooks(c.var.ctx);
  const callbacks = found.callbacks.length === 0 ? [] : callbacksOf(await listApiKeys(c.var.ctx));
  return respondForm(c, <WebhooksPage {...{ subscriptions, callbacks, shops, state }} />, state.fieldErrors, WEBHOOKS);
}
