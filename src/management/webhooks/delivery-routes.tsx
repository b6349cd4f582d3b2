import { Hono } from 'hono';
import { listApiKeys } from '../../auth/keys/service';
import { localTime, readLocalTime } from '../../platform/pharmacy-time';
import { DAY_MS } from '../../platform/time';
import {
  countUndelivered,
  EVENT_TYPES,
  type EventType,
  getDelivery,
  readSubscription,
  recover,
  redeliver,
  sendTestEvent,
} from '../../webhooks/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { callbacksOf } from './callback-table';
import { DeliveryPage } from './delivery-page';
import { filterOf, readChoice } from './log-filter';
import { LogPage } from './log-page';
import { subscriptionPath } from './paths';
import { RedeliverPage } from './redeliver-page';

/** One subscription: its log, test events and redeliveries. */
export const deliveryRoutes = new Hono<ManageEnv>()
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
    return respondPage(c, <DeliveryPage {...{ ...shown, chosen, view: await viewOf(c) }} />);
  })
  .post('/:id/deliveries/:deliveryId/redeliver', once(subscriptionPath, redeliverOne));

async function redeliverOne(c: ManageContext): Promise<Response> {
  const { deliveryId } = await redeliver(c.var.ctx, c.req.param('deliveryId') ?? '');
  return redirectWithFlash(c, 'redelivered', `${subscriptionPath(c)}/deliveries/${deliveryId}`);
}

async function sendTest(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const subscriptionId = c.req.param('id') ?? '';
  const eventType = typeOf(form.text('event_type'));
  if (!eventType) return respondLog(c, subscriptionId, { event_type: t.event_type });
  const result = await tryForm(c.var, { too_many_tests: 'event_type' }, () =>
    sendTestEvent(ctx, { subscriptionId, eventType }),
  );
  if (result.fieldErrors) return respondLog(c, subscriptionId, result.fieldErrors, eventType);
  return c.redirect(`${subscriptionPath(c)}/deliveries/${result.value.id}`, 303);
}

function typeOf(text: string | undefined): EventType | undefined {
  return EVENT_TYPES.find((type) => type === text);
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
  const view = await (hasFieldErrors(fieldErrors) ? viewOf(c, subscriptionPath(c)) : viewOf(c));
  const page = (
    <LogPage {...{ ...log, view, choice, isFirst: before === undefined, callback, testType, fieldErrors }} />
  );
  return respondForm(c, page, fieldErrors);
}

function sinceOf(c: ManageContext, typed: string): number | null {
  const since = readLocalTime(typed);
  return since !== null && since <= c.var.ctx.now() ? since : null;
}

async function respondRedeliver(c: ManageContext, subscriptionId: string, typed: string): Promise<Response> {
  const { ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const since = sinceOf(c, typed);
  const { subscription, count } = await countUndelivered(ctx, { subscriptionId, since: since ?? ctx.now() });
  const fieldErrors: FieldErrors = since === null ? { since: t.since } : {};
  const found = since === null ? null : { since, count };
  const view = await viewOf(c, `${subscriptionPath(c)}/redeliver`);
  const page = <RedeliverPage {...{ view, subscription, found, typed, fieldErrors }} />;
  return respondForm(c, page, fieldErrors);
}
