import { Hono } from 'hono';
import * as z from 'zod';
import { notFound } from '../../platform/errors';
import { HOSTS_MAX } from '../../tenants/limits';
import {
  addShopHost,
  createShop,
  getShop,
  listShops,
  removeShopHost,
  type Shop,
  setShopActive,
  shopFields,
  updateShop,
} from '../../tenants/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { once } from '../http/once';
import { SHOPS, shopPath } from '../http/paths';
import { signedIn } from '../http/session';
import { readFields } from '../ui/copy-field';
import { type Faults, hasFaults, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { answerPage, viewOf } from '../ui/view';
import { DeactivatePage, RemoveHostPage } from './confirm-page';
import { type NewShopState, ShopsPage } from './list-page';
import { messages } from './messages';
import { ShopPage, type ShopState } from './shop-page';

const detailsSchema = z.object(shopFields);
const newShopSchema = z.object({ ...shopFields, deliveryServiceName: shopFields.deliveryServiceName.optional() });

/** Owners alone: the use cases behind it say so. */
export const shopRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => answerShops(c, await listShops(c.var.ctx)))
  .post(
    '/',
    once(() => SHOPS, create),
  )
  .get('/:id', async (c) => answerShop(c, await getShop(c.var.ctx, c.req.param('id'))))
  .post('/:id', async (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const shop = await getShop(ctx, c.req.param('id'));
    const typed = { name: form.text('name'), deliveryServiceName: form.text('deliveryServiceName') };
    const read = readFields(detailsSchema, typed, textsOf(c));
    if (read.faults) return answerShop(c, shop, { ...typed, faults: read.faults });
    const seenAt = Number(form.text('seenAt'));
    if (seenAt !== shop.updatedAt)
      return answerShop(c, shop, { ...typed, faults: { name: shared.fieldErrors.changed } });
    await updateShop(ctx, { shopId: shop.id, changes: read.value, seenAt });
    return done(c, 'shop_saved', shopPath(shop.id));
  })
  .get('/:id/deactivate', async (c) => {
    const shop = await getShop(c.var.ctx, c.req.param('id'));
    return answerPage(c, <DeactivatePage view={await viewOf(c)} shop={shop} />);
  })
  .post('/:id/deactivate', async (c) => {
    await setShopActive(c.var.ctx, { shopId: c.req.param('id'), isActive: false });
    return done(c, 'shop_deactivated', shopPath(c.req.param('id')));
  })
  .post('/:id/activate', async (c) => {
    await setShopActive(c.var.ctx, { shopId: c.req.param('id'), isActive: true });
    return done(c, 'shop_activated', shopPath(c.req.param('id')));
  })
  .post('/:id/hosts', async (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const shop = await getShop(ctx, c.req.param('id'));
    const host = form.text('host');
    if (shop.hosts.length >= HOSTS_MAX) {
      return answerShop(c, shop, { host, faults: { host: shared.fieldErrors.host_limit_reached } });
    }
    const { orgId } = signedIn(c).actor;
    const result = await tryForm(
      c.var,
      { host_taken: 'host', host_limit_reached: 'host', pending_host_limit_reached: 'host' },
      () => addShopHost(ctx, { orgId, shopId: shop.id, host }),
    );
    if (result.faults) return answerShop(c, shop, { host, faults: result.faults });
    return done(c, 'host_added', shopPath(shop.id));
  })
  .get('/:id/hosts/:host/remove', (c) => answerRemove(c, c.req.param()))
  .post('/:id/hosts/:host/remove', async (c) => {
    const { form, ctx } = c.var;
    const t = messages(c.var);
    const { id: shopId, host } = c.req.param();
    const status = form.text('status') === 'active' ? 'active' : 'pending';
    const result = await tryForm(c.var, { last_host: 'host', changed_meanwhile: 'status' }, () =>
      removeShopHost(ctx, { shopId, host, status }),
    );
    if (result.faults) return answerRemove(c, c.req.param(), result.faults.host ?? t.hostChanged);
    return done(c, 'host_removed', shopPath(shopId));
  })
  .all('/:id/*', () => {
    throw notFound();
  });

async function create(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shops = await listShops(ctx);
  const typed = {
    name: form.text('name'),
    host: form.text('host'),
    deliveryServiceName: form.text('deliveryServiceName'),
  };
  const details = { name: typed.name, deliveryServiceName: typed.deliveryServiceName || undefined };
  const read = readFields(newShopSchema, details, textsOf(c));
  if (read.faults) return answerShops(c, shops, { ...typed, faults: read.faults });
  const { orgId } = signedIn(c).actor;
  const hosts = typed.host === '' ? [] : [typed.host];
  const fields = { host_taken: 'host', pending_host_limit_reached: 'host', shop_limit_reached: 'name' };
  const result = await tryForm(c.var, fields, () => createShop(ctx, { orgId, hosts, ...read.value }));
  if (result.faults) return answerShops(c, shops, { ...typed, faults: ofOneHost(result.faults) });
  return done(c, 'shop_opened', shopPath(result.value.shopId));
}

function textsOf(c: ManageContext): Faults {
  const t = messages(c.var);
  return { name: t.nameFault, deliveryServiceName: t.deliveryFault };
}

/** The form has one host where the use case takes a list. */
function ofOneHost({ 'hosts/0': host, ...others }: Faults): Faults {
  return host === undefined ? others : { ...others, host };
}

async function answerShops(c: ManageContext, shops: Shop[], state: NewShopState = {}): Promise<Response> {
  const view = await viewOf(c, SHOPS);
  return answerPage(c, <ShopsPage {...{ view, shops, state }} />, hasFaults(state.faults ?? {}) ? 400 : 200);
}

async function answerShop(c: ManageContext, shop: Shop, state: ShopState = {}): Promise<Response> {
  const view = await viewOf(c, shopPath(shop.id));
  const { shopCnameTarget } = c.var.ctx.config;
  return answerPage(
    c,
    <ShopPage {...{ view, shop, state, shopCnameTarget }} />,
    hasFaults(state.faults ?? {}) ? 400 : 200,
  );
}

async function answerRemove(c: ManageContext, at: { id: string; host: string }, fault?: string): Promise<Response> {
  const shop = await getShop(c.var.ctx, at.id);
  const host = shop.hosts.find((each) => each.host === at.host);
  if (!host) throw notFound();
  const view = await viewOf(c, `${shopPath(shop.id)}/hosts/${host.host}/remove`);
  return answerPage(c, <RemoveHostPage {...{ view, shop, host, fault }} />, fault ? 400 : 200);
}
