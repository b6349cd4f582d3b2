import { recordAudit } from '../audit/record';
import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { assertInBatch } from '../platform/data/db';
import { notFound } from '../platform/errors';
import { wireNames } from '../platform/fields';
import { type MessageSettings, messageSettingsFields } from './fields';
import { type ShopMessages, selectMessageSettings, shopIsThere, upsertMessageSettings } from './store-settings';

/** What a shop says about itself in messages. Owners only. @throws AppError `shop_not_found` */
export async function messageSettingsOf(ctx: Context, shopId: string): Promise<ShopMessages> {
  const { orgId } = requireRole(ctx, ['owner']);
  const [settings] = await ctx.db.rows(selectMessageSettings(orgId, shopId));
  if (!settings) throw noShop();
  return settings;
}

/** Owners only. @throws AppError `shop_not_found` */
export async function saveMessageSettings(ctx: Context, shopId: string, settings: MessageSettings): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const before = await messageSettingsOf(ctx, shopId);
  const keys = (Object.keys(settings) as (keyof MessageSettings)[]).filter((key) => settings[key] !== before[key]);
  if (keys.length === 0) return;
  const fields = wireNames(messageSettingsFields, keys);
  const batch = {
    isThere: assertInBatch(shopIsThere(orgId, shopId)),
    settings: upsertMessageSettings({ orgId, shopId, now: ctx.now() }, settings),
    audit: recordAudit(ctx, { orgId, action: 'shop.updated', entityId: shopId, fields }),
  };
  await commit(ctx, batch, { refused: noShop });
}

function noShop() {
  return notFound('shop_not_found', 'There is no such shop.');
}
