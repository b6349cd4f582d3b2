import { Hono } from 'hono';
import { notFound } from '../../platform/errors';
import { endOverlap, getSubscription, readSettings, rotateSecret, updateSubscription } from '../../webhooks/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { WEBHOOKS } from '../http/paths';
import { respondConfirm } from '../ui/confirm';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { OVERLAPS, readOverlap } from '../ui/overlap';
import { respondForm, respondPage, viewOf } from '../ui/view';
import type { MadeSecret } from './list-page';
import { messages } from './messages';
import { faultsOf, hostOfUrl, readEventTypes, readFilter } from './parts';
import { subscriptionPath } from './paths';
import { EditPage, RotatedPage, RotatePage } from './settings-page';

/** One subscription: its URL, its event types and its signing secret. */
export const subscriptionRoutes = new Hono<ManageEnv>()
  .get('/:id/edit', async (c) => {
    const settings = await readSettings(c.var.ctx, c.req.param('id'));
    const { url, eventTypes, updatedAt, shopIds, sources } = settings.subscription;
    const filter = { shopIds: shopIds ?? [], sources: (sources ?? []).join(', ') };
    const typed = { url, eventTypes, filter, seenAt: updatedAt };
    return respondPage(c, <EditPage {...{ ...settings, view: await viewOf(c), typed }} />);
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
    const shown = { ...(await readSettings(ctx, id)), view: await viewOf(c), typed, fieldErrors: result.fieldErrors };
    return respondPage(c, <EditPage {...shown} />, 400);
  })
  .get('/:id/secret', async (c) => {
    const made = await takeMade<MadeSecret>(c);
    if (!made) return respondRotate(c, c.req.param('id'), 'day');
    const subscription = await getSubscription(c.var.ctx, c.req.param('id'));
    return respondPage(c, <RotatedPage {...{ view: await viewOf(c), subscription, made }} />);
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
  const { fieldErrors: t } = sharedMessages(c.var);
  const id = c.req.param('id') ?? '';
  const overlap = readOverlap(form.text('overlap'));
  if (!overlap) return respondRotate(c, id, '', { overlap: t.overlap });
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
  const view = await viewOf(c);
  return respondForm(c, <RotatePage {...{ view, subscription, overlap, fieldErrors }} />, fieldErrors);
}
