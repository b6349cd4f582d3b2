import { Hono } from 'hono';
import { listApiKeys } from '../../auth/keys/service';
import { notFound } from '../../platform/errors';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  pauseSubscription,
  readWebhooks,
  resumeSubscription,
  type Subscription,
} from '../../webhooks/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { WEBHOOKS } from '../http/paths';
import { signedIn } from '../http/session';
import { respondConfirm } from '../ui/confirm';
import { hasFieldErrors, tryForm } from '../ui/form-errors';
import { respondForm, viewOf } from '../ui/view';
import { callbacksOf } from './callback-table';
import { deliveryRoutes } from './delivery-routes';
import { type MadeSecret, WebhooksPage, type WebhooksState } from './list-page';
import { messages } from './messages';
import { faultsOf, hostOfUrl, readEventTypes, readFilter } from './parts';
import { subscriptionPath } from './paths';
import { subscriptionRoutes } from './settings-routes';

/** For owners only: the use cases refuse everybody else. */
export const webhookRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondWebhooks(c, { made: await takeMade<MadeSecret>(c) }))
  .post('/', once(WEBHOOKS, create))
  .post('/:id/pause', async (c) => {
    await pauseSubscription(c.var.ctx, c.req.param('id'));
    return redirectWithFlash(c, 'subscription_paused', subscriptionPath(c));
  })
  .post('/:id/resume', async (c) => {
    await resumeSubscription(c.var.ctx, c.req.param('id'));
    return redirectWithFlash(c, 'subscription_resumed', subscriptionPath(c));
  })
  .get('/:id/delete', async (c) => respondDelete(c, await getSubscription(c.var.ctx, c.req.param('id'))))
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
  const view = await viewOf(c, WEBHOOKS);
  return respondForm(c, <WebhooksPage {...{ view, subscriptions, callbacks, shops, state }} />, state.fieldErrors);
}

function respondDelete(c: ManageContext, { id, url }: Subscription): Promise<Response> {
  const { subscriptions: t } = messages(c.var);
  return respondConfirm(c, {
    title: t.deleteTitle(hostOfUrl(url)),
    about: <code>{url}</code>,
    lead: t.deleteLead,
    action: `${WEBHOOKS}/${id}/delete`,
    act: t.delete,
    back: `${WEBHOOKS}/${id}`,
  });
}
