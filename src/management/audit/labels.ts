import type { AuditAction } from '../../audit/service';
import type { apiKeysFields, membersFields, staffAccountsFields } from '../../auth/fields';
import type { WrittenField } from '../../catalog/fields';
import type { inventoryFields } from '../../inventory/fields';
import type { messageSettingsFields } from '../../messages/fields';
import type { ChangedName } from '../../platform/fields';
import type { organizationsFields, shopsFields } from '../../tenants/fields';
import type { subscriptionsFields } from '../../webhooks/fields';
import type { Reader } from '../http/language';
import { actMessages } from '../ui/act-messages';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { changedFieldText, statusIn } from '../ui/order-summary';
import { messages } from './messages';

/** What was done, in words. An unknown action, written by a later version of the service, is shown as its code. */
export function sentenceOf(reader: Reader, action: AuditAction): string {
  return actMessages(reader)[action] ?? action;
}

const SHOP_FIELD = 'shop:';
/** How many of a kind an act was about. */
const COUNT_FIELD = /^(products|orders):(\d+)$/;

/** Names of changed fields that no other area shows. Those that a use case writes itself are in test/management/audit-names.unit.test.ts. */
type OwnFieldName =
  | ChangedName<typeof apiKeysFields>
  | ChangedName<typeof inventoryFields>
  | ChangedName<typeof membersFields>
  | ChangedName<typeof messageSettingsFields>
  | ChangedName<typeof organizationsFields>
  | ChangedName<typeof shopsFields>
  | ChangedName<typeof staffAccountsFields>
  | ChangedName<typeof subscriptionsFields>;

/** Names of changed fields; an unknown one is shown as it is. A product's field may name the shop it changed in. */
export function fieldTexts(reader: Reader, fields: string[] | null, names: ReadonlyMap<string, string>): string[] {
  const shared = sharedMessages(reader);
  // What areas share comes last: of some of a product's fields the words are shorter here.
  const own: Record<OwnFieldName, string> = messages(reader).fields;
  const products: Record<WrittenField, string> = shared.products.fields;
  const labels = { ...shared.orders.fields, ...products, ...own };
  return (fields ?? []).map((field) => {
    if (statusIn(field) !== null) return changedFieldText(reader, field);
    const [, kind, count = ''] = COUNT_FIELD.exec(field) ?? [];
    if (kind === 'products' || kind === 'orders') return messages(reader).counted[kind](count);
    if (!field.startsWith(SHOP_FIELD)) return textFor(labels, field);
    const shopId = field.slice(SHOP_FIELD.length);
    return `${shared.orders.shop} ${names.get(shopId) ?? shopId}`;
  });
}

export function reasonText(reader: Reader, code: string): string {
  const t = messages(reader);
  const { reasons, unpaidReasons } = sharedMessages(reader).orders;
  return textFor(t.reasons, code, textFor(reasons, code, textFor(unpaidReasons, code, textFor(t.fields, code))));
}
