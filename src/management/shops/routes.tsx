import { Hono } from 'hono';
import * as z from 'zod';
import { messageSettingsOf } from '../../messages/sending';
import { AppError, notFound } from '../../platform/errors/errors';
import { changedBy } from '../../platform/fields';
import { checkHostNow } from '../../tenants/domain-check';
import { type ShopSettings, shopRules, shopsFields } from '../../tenants/fields';
import { addShopHost, removeShopHost } from '../../tenants/hosts';
import {
  ADDRESS_LINE_LENGTH_MAX,
  FEE_CENTS_MAX,
  HOSTS_MAX,
  OPENING_HOURS_LENGTH_MAX,
  PHONE_LENGTH_MAX,
  POSTAL_CODE_LENGTH_MAX,
  RESERVE_MINUTES_MAX,
} from '../../tenants/limits';
import { FEE_KEYS, type ShopFees } from '../../tenants/rules';
import { ALIASES_MAX, SHIPPING_KINDS } from '../../tenants/shipping';
import { aliasesOf, createShop, getShop, listShops, type Shop, setShopActive, updateShop } from '../../tenants/shops';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { SHOPS, shopPath } from '../http/paths';
import { signedIn } from '../http/session';
import { readFields } from '../ui/fields';
import { parsePrice } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { messages } from './messages';
import { DeactivatePage, RemoveHostPage, ShopPage, type ShopState, ShopsPage, submitMessages } from './pages';

const detailsSchema = z.object(shopRules);
const newShopSchema = z.object({
  name: shopRules.name,
  deliveryServiceName: shopRules.deliveryServiceName.optional(),
});

/** Maximum lengths of the optional fields. */
const PLACE_MAX = {
  street: ADDRESS_LINE_LENGTH_MAX,
  postalCode: POSTAL_CODE_LENGTH_MAX,
  city: ADDRESS_LINE_LENGTH_MAX,
  phone: PHONE_LENGTH_MAX,
  openingHours: OPENING_HOURS_LENGTH_MAX,
};

/** Of all aliases as one text. */
const ALIASES_LENGTH_MAX = 5_000;

/** For owners only: the use cases refuse everybody else. */
export const shopRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const shops = await listShops(c.var.ctx);
    const [only, second] = shops;
    // Of a pharmacy with one shop that shop's own page, unless its link asks for all.
    if (only && !second && c.req.query('all') === undefined) return respondShop(c, only);
    return respondShops(c, shops);
  })
  .post('/', once(SHOPS, create))
  .get('/:id', async (c) => respondShop(c, await getShop(c.var.ctx, c.req.param('id'))))
  .post('/:id', async (c) => {
    const { form, ctx } = c.var;
    const shop = await getShop(ctx, c.req.param('id'));
    const typed = form.texts(...changedBy(shopsFields, 'settings'));
    const read = readFields(detailsSchema, emptyAsNull(typed), textsOf(c));
    if (read.fieldErrors) return respondShop(c, shop, { ...typed, fieldErrors: read.fieldErrors });
    const seenAt = Number(form.text('seenAt'));
    if (seenAt !== shop.updatedAt)
      return respondShop(c, shop, { ...typed, fieldErrors: { name: sharedMessages(c.var).fieldErrors.changed } });
    const isNew = ([key, value]: [string, unknown]) => value !== shop[key as keyof ShopSettings];
    const changes = Object.fromEntries(Object.entries(read.value).filter(isNew));
    await updateShop(ctx, { shopId: shop.id, changes, seenAt });
    return redirectWithFlash(c, 'shop_saved', shopPath(shop.id));
  })
  .post('/:id/fees', saveFees)
  .post('/:id/shipping', saveShipping)
  .post('/:id/reservation', saveReservation)
  .get('/:id/deactivate', async (c) => {
    const shop = await getShop(c.var.ctx, c.req.param('id'));
    return respondPage(c, <DeactivatePage shop={shop} />);
  })
  .post('/:id/deactivate', async (c) => {
    await setShopActive(c.var.ctx, { shopId: c.req.param('id'), isActive: false });
    return redirectWithFlash(c, 'shop_deactivated', shopPath(c.req.param('id')));
  })
  .post('/:id/activate', async (c) => {
    await setShopActive(c.var.ctx, { shopId: c.req.param('id'), isActive: true });
    return redirectWithFlash(c, 'shop_activated', shopPath(c.req.param('id')));
  })
  .post('/:id/messages', (c) => {
    const shopId = c.req.param('id');
    return submitMessages(c, shopId, async (state) => respondShop(c, await getShop(c.var.ctx, shopId), state));
  })
  .post('/:id/hosts', async (c) => {
    const { form, ctx } = c.var;
    const shop = await getShop(ctx, c.req.param('id'));
    const host = form.text('host');
    if (shop.hosts.length >= HOSTS_MAX) {
      return respondShop(c, shop, {
        host,
        fieldErrors: { host: sharedMessages(c.var).fieldErrors.host_limit_reached },
      });
    }
    const { orgId } = signedIn(c).actor;
    const result = await tryForm(
      c.var,
      { host_taken: 'host', host_limit_reached: 'host', pending_host_limit_reached: 'host' },
      () => addShopHost(ctx, { orgId, shopId: shop.id, host }),
    );
    if (result.fieldErrors) return respondShop(c, shop, { host, fieldErrors: result.fieldErrors });
    return redirectWithFlash(c, 'host_added', shopPath(shop.id));
  })
  .post('/:id/hosts/:host/check', async (c) => {
    const { id: shopId, host } = c.req.param();
    await checkHostNow(c.var.ctx, { shopId, host });
    return redirectWithFlash(c, 'host_checked', shopPath(shopId));
  })
  .get('/:id/hosts/:host/remove', (c) => respondRemove(c, c.req.param()))
  .post('/:id/hosts/:host/remove', async (c) => {
    const { form, ctx } = c.var;
    const { id: shopId, host } = c.req.param();
    const status = form.text('status') === 'active' ? 'active' : 'pending';
    const result = await tryForm(c.var, { last_host: 'host', changed_meanwhile: 'status' }, () =>
      removeShopHost(ctx, { shopId, host, status }),
    );
    if (result.fieldErrors)
      return respondRemove(c, c.req.param(), result.fieldErrors.host ?? messages(c.var).hostChanged);
    return redirectWithFlash(c, 'host_removed', shopPath(shopId));
  })
  .all('/:id/*', () => {
    throw notFound();
  });

async function create(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shops = await listShops(ctx);
  const typed = form.texts('name', 'host', 'deliveryServiceName');
  const details = { name: typed.name, deliveryServiceName: typed.deliveryServiceName || undefined };
  const read = readFields(newShopSchema, details, textsOf(c));
  if (read.fieldErrors) return respondShops(c, shops, { ...typed, fieldErrors: read.fieldErrors });
  const { orgId } = signedIn(c).actor;
  const hosts = typed.host === '' ? [] : [typed.host];
  const fields = { host_taken: 'host', pending_host_limit_reached: 'host', shop_limit_reached: 'name' };
  const result = await tryForm(c.var, fields, () =>
    createShop(ctx, { orgId, hosts, isOfTest: signedIn(c).isTest, ...read.value }),
  );
  if (result.fieldErrors) return respondShops(c, shops, { ...typed, fieldErrors: ofOneHost(result.fieldErrors) });
  return redirectWithFlash(c, 'shop_opened', shopPath(result.value.shopId));
}

async function saveFees(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shop = await getShop(ctx, c.req.param('id') ?? '');
  const typed = form.texts(...FEE_KEYS, 'feeMaxCents');
  const cents = FEE_KEYS.map((key) => [key, typed[key] === '' ? undefined : parsePrice(typed[key])] as const);
  const feeMaxCents = parsePrice(typed.feeMaxCents);
  const isFault = (amount: number | null | undefined) =>
    amount === null || (amount !== undefined && amount > FEE_CENTS_MAX);
  const faults = [...cents, ['feeMaxCents', feeMaxCents] as const].filter(([, amount]) => isFault(amount));
  const fieldErrors = Object.fromEntries(faults.map(([name]) => [name, messages(c.var).feeFault]));
  const seenAt = Number(form.text('seenAt'));
  if (seenAt !== shop.updatedAt) fieldErrors.feeMaxCents = sharedMessages(c.var).fieldErrors.changed;
  if (feeMaxCents === null || Object.keys(fieldErrors).length > 0)
    return respondShop(c, shop, { ...typed, fieldErrors });
  const fees: ShopFees = Object.fromEntries(cents);
  await updateShop(ctx, { shopId: shop.id, changes: { fees, feeMaxCents }, seenAt });
  return redirectWithFlash(c, 'shop_saved', shopPath(shop.id));
}

async function saveReservation(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shop = await getShop(ctx, c.req.param('id') ?? '');
  const typed = form.texts('reservePendingMinutes', 'reservePaidMinutes');
  const isFault = (text: string) => !/^\d{1,5}$/.test(text) || Number(text) > RESERVE_MINUTES_MAX;
  const fieldErrors: Record<string, string> = Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) => (isFault(text) ? [[name, messages(c.var).minutesFault]] : [])),
  );
  const seenAt = Number(form.text('seenAt'));
  if (seenAt !== shop.updatedAt) fieldErrors.reservePaidMinutes = sharedMessages(c.var).fieldErrors.changed;
  if (Object.keys(fieldErrors).length > 0) return respondShop(c, shop, { ...typed, fieldErrors });
  const { reservePendingMinutes, reservePaidMinutes } = typed;
  const changes = {
    reservePendingMinutes: Number(reservePendingMinutes),
    reservePaidMinutes: Number(reservePaidMinutes),
  };
  await updateShop(ctx, { shopId: shop.id, changes, seenAt });
  return redirectWithFlash(c, 'shop_saved', shopPath(shop.id));
}

async function saveShipping(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shop = await getShop(ctx, c.req.param('id') ?? '');
  const typed = form.texts('expressKind', 'deliveryServiceKind', 'aliases');
  const kindOf = (text: string) => SHIPPING_KINDS.find((kind) => kind === text) ?? 'bote';
  const pairs = typed.aliases.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const aliases = pairs.filter(([alias]) => alias).map(([alias = '', option = '']) => [alias, option]);
  const changed = sharedMessages(c.var).fieldErrors.changed;
  if (Number(form.text('seenAt')) !== shop.updatedAt)
    return respondShop(c, shop, { ...typed, fieldErrors: { aliases: changed } });
  const isTooMuch = aliases.length > ALIASES_MAX || typed.aliases.length > ALIASES_LENGTH_MAX;
  const shippingAliases = isTooMuch ? null : readAliases(shop, Object.fromEntries(aliases));
  if (shippingAliases === null)
    return respondShop(c, shop, { ...typed, fieldErrors: { aliases: messages(c.var).aliasFault } });
  const [expressKind, deliveryServiceKind] = [kindOf(typed.expressKind), kindOf(typed.deliveryServiceKind)];
  const changes = { expressKind, deliveryServiceKind, shippingAliases };
  await updateShop(ctx, { shopId: shop.id, changes, seenAt: shop.updatedAt });
  return redirectWithFlash(c, 'shop_saved', shopPath(shop.id));
}

/** @returns null where they name no option, or have the name of one */
function readAliases(shop: Shop, aliases: Record<string, string>) {
  try {
    return aliasesOf(shop, aliases);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function textsOf(c: ManageContext): FieldErrors {
  const t = messages(c.var);
  const long = Object.fromEntries(Object.entries(PLACE_MAX).map(([name, max]) => [name, t.tooLong(max)]));
  const { name } = sharedMessages(c.var).fieldErrors;
  return { ...long, name, deliveryServiceName: t.deliveryFault, phone: t.phoneFault };
}

/** Replaces empty optional fields with null. Name and delivery service are required. */
function emptyAsNull<T extends Record<string, string>>(typed: T): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, value.trim() === '' && name in PLACE_MAX ? null : value]),
  );
}

/** Moves the error of the use case's first host to the form's only host field. */
function ofOneHost({ 'hosts/0': host, ...others }: FieldErrors): FieldErrors {
  return host === undefined ? others : { ...others, host };
}

async function respondShops(c: ManageContext, shops: Shop[], state: ShopState = {}): Promise<Response> {
  return respondForm(c, <ShopsPage {...{ shops, state }} />, state.fieldErrors, SHOPS);
}

async function respondShop(c: ManageContext, shop: Shop, state: ShopState = {}): Promise<Response> {
  const { shopCnameTarget: target, dnsResolver, shopZone } = c.var.ctx.config;
  const dns = { target, isChecked: dnsResolver !== null, isActivated: shopZone !== null };
  const { ctx } = c.var;
  const settings = ctx.mail ? await messageSettingsOf(ctx, shop.id) : null;
  return respondForm(c, <ShopPage {...{ shop, settings, state, dns }} />, state.fieldErrors, shopPath(shop.id));
}

async function respondRemove(c: ManageContext, at: { id: string; host: string }, fault?: string): Promise<Response> {
  const shop = await getShop(c.var.ctx, at.id);
  const host = shop.hosts.find((each) => each.host === at.host);
  if (!host) throw notFound();
  return respondPage(
    c,
    <RemoveHostPage {...{ shop, host, fault }} />,
    fault ? 400 : 200,
    `${shopPath(shop.id)}/hosts/${host.host}/remove`,
  );
}
