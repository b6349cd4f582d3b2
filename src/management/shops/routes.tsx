import { Hono } from 'hono';
import * as z from 'zod';
import { messageRules } from '../../messages/fields';
import { messageSettingsOf, saveMessageSettings } from '../../messages/sending';
import { notFound } from '../../platform/errors/errors';
import { changedBy } from '../../platform/fields';
import { checkHostNow } from '../../tenants/domain-check';
import { shopRules, shopsFields } from '../../tenants/fields';
import { addShopHost, removeShopHost } from '../../tenants/hosts';
import * as limits from '../../tenants/limits';
import { FEE_KEYS, type FeeKey, shippingOptionIn } from '../../tenants/rules';
import { SHIPPING_KINDS } from '../../tenants/shipping';
import { createShop, getShop, listOwnShops, type Shop, setShopActive, updateShop } from '../../tenants/shops';
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
import { DeactivatePage, MINUTES, RemoveHostPage, ShopPage, type ShopState, ShopsPage } from './pages';

const detailsSchema = z.object(shopRules);
const newShopSchema = z.object({
  name: shopRules.name,
  deliveryServiceName: shopRules.deliveryServiceName.optional(),
});

/** Maximum lengths of the optional fields. */
const PLACE_MAX = {
  street: limits.ADDRESS_LINE_LENGTH_MAX,
  postalCode: limits.POSTAL_CODE_LENGTH_MAX,
  city: limits.ADDRESS_LINE_LENGTH_MAX,
  phone: limits.PHONE_LENGTH_MAX,
  openingHours: limits.OPENING_HOURS_LENGTH_MAX,
};

const mailSchema = z.object(messageRules);
const ALIASES = FEE_KEYS.map((key) => `aliases-${key}` as const);
const KINDS = ['expressKind', 'deliveryServiceKind'] as const;

/** Routes of shops. They are for owners only: the use cases refuse all other roles. */
export const shopRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const shops = await listOwnShops(c.var.ctx);
    const [only, second] = shops;
    // A pharmacy with one shop gets the page of that shop, unless the link asks for all shops.
    if (only && !second && c.req.query('all') === undefined) return respondShop(c, only);
    return respondShops(c, shops);
  })
  .post('/', once(SHOPS, create))
  .get('/:id', async (c) => respondShop(c, await getShop(c.var.ctx, c.req.param('id'))))
  .post('/:id', save)
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
  .post('/:id/hosts', async (c) => {
    const { form, ctx } = c.var;
    const shop = await getShop(ctx, c.req.param('id'));
    const host = form.text('host');
    if (shop.hosts.length >= limits.HOSTS_MAX) {
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
  const shops = await listOwnShops(ctx);
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

/** Saves the form of a shop's page, which sends all fields. Unchanged fields are not written. */
async function save(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const t = messages(c.var);
  const shop = await getShop(ctx, c.req.param('id') ?? '');
  const given = form.texts(...changedBy(shopsFields, 'settings'));
  const typed = form.texts(...FEE_KEYS, ...ALIASES, ...MINUTES, ...KINDS, 'feeMaxCents', 'replyTo', 'isSending');
  const details = readFields(detailsSchema, emptyAsNull(given), textsOf(c));
  const sending = { replyTo: typed.replyTo || null, isSending: typed.isSending === 'on' };
  const mail = readFields(mailSchema, sending, { replyTo: sharedMessages(c.var).fieldErrors.email });
  const fees = Object.fromEntries(FEE_KEYS.map((key) => [key, typed[key] === '' ? undefined : centsOf(typed[key])]));
  const feeMaxCents = centsOf(typed.feeMaxCents);
  const { shippingAliases, wrong } = readAliases(given.deliveryServiceName.trim(), typed);
  const minutes = MINUTES.map(
    (name) => [name, /^\d{1,5}$/.test(typed[name]) ? Number(typed[name]) : Number.NaN] as const,
  );
  const saying = (names: readonly (string | number)[], text: string) =>
    Object.fromEntries(names.map((name) => [name, text]));
  const fieldErrors: FieldErrors = {
    ...{ ...details.fieldErrors, ...mail.fieldErrors, ...saying(wrong, t.aliasFault) },
    ...saying(
      Object.entries({ ...fees, feeMaxCents }).flatMap(([name, cents]) => (Number.isNaN(cents) ? [name] : [])),
      t.feeFault,
    ),
    ...saying(
      minutes.flatMap(([name, count]) => (count <= limits.RESERVE_MINUTES_MAX ? [] : [name])),
      t.minutesFault,
    ),
    ...(Number(form.text('seenAt')) !== shop.updatedAt && { name: sharedMessages(c.var).fieldErrors.changed }),
  };
  if (!details.value || !mail.value || Object.keys(fieldErrors).length > 0)
    return respondShop(c, shop, { ...given, ...typed, fieldErrors });
  const kinds = KINDS.map((name) => [name, SHIPPING_KINDS.find((kind) => kind === typed[name]) ?? 'bote'] as const);
  const read = { ...details.value, ...Object.fromEntries([...minutes, ...kinds]), fees, feeMaxCents, shippingAliases };
  const isNew = ([key, value]: [string, unknown]) => jsonOf(value) !== jsonOf(shop[key as keyof Shop]);
  const changes = Object.fromEntries(Object.entries(read).filter(isNew));
  if (Object.keys(changes).length > 0) await updateShop(ctx, { shopId: shop.id, changes, seenAt: shop.updatedAt });
  if (ctx.mail) await saveMessageSettings(ctx, shop.id, mail.value);
  return redirectWithFlash(c, 'shop_saved', shopPath(shop.id));
}

/** A value as JSON with sorted keys, so that equal objects have equal texts. */
const jsonOf = (value: unknown) => JSON.stringify(value, Object.keys(Object(value)).toSorted());

/** A fee in cents; NaN if it is invalid or higher than a shop may charge. */
function centsOf(text: string): number {
  const cents = parsePrice(text) ?? Number.NaN;
  return cents <= limits.FEE_CENTS_MAX ? cents : Number.NaN;
}

/**
 * Reads the other names that platforms use for the shipping options.
 * @returns `shippingAliases`: the option of each name; `wrong`: the form fields with a refused name. A name is refused
 *   if it is too long, if it already means an option, or if there are too many names.
 */
function readAliases(deliveryServiceName: string, typed: Record<(typeof ALIASES)[number], string>) {
  const shippingAliases: Record<string, FeeKey> = {};
  const wrong = FEE_KEYS.filter((key) => {
    const names = typed[`aliases-${key}`].split(',').map((name) => name.trim());
    const refused = names.filter(Boolean).filter((name) => {
      const isTaken = shippingOptionIn(name, { deliveryServiceName, shippingAliases }) !== undefined;
      shippingAliases[name] = key;
      return (
        isTaken || name.length > limits.ALIAS_LENGTH_MAX || Object.keys(shippingAliases).length > limits.ALIASES_MAX
      );
    });
    return refused.length > 0;
  });
  return { shippingAliases, wrong: wrong.map((key) => `aliases-${key}`) };
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

/**
 * Renames the error of the first host, because this form has only one field for a host. The use case reports it as
 * `hosts/0`. The field's name is `host`.
 */
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
