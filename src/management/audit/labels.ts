import type { AuditAction } from '../../audit/service';
import type { LoggedAct } from '../../reports/service';
import type { Words } from '../words/de';

/** What was done, in words; an action that a later version of the service has written stands as it is. */
export function sentenceOf({ audit }: Words, action: AuditAction): string {
  return audit.acts[action] ?? action;
}

const SHOP_FIELD = 'shop:';

/** Names of changed fields; one without a word stands as it is. A product's field may say at which shop it changed. */
export function fieldTexts(
  { audit, orders }: Words,
  fields: string[] | null,
  names: ReadonlyMap<string, string>,
): string[] {
  return (fields ?? []).map((field) => {
    if (!field.startsWith(SHOP_FIELD)) return wordOf(audit.fields, field, wordOf(orders.fields, field));
    const shopId = field.slice(SHOP_FIELD.length);
    return `${orders.shop} ${names.get(shopId) ?? shopId}`;
  });
}

export function reasonText({ audit, orders }: Words, code: string): string {
  return wordOf(audit.stockReasons, code, wordOf(orders.reasons, code, wordOf(audit.fields, code)));
}

/** Who did it: a name, or the kind of an actor that has none. */
export function actorText(
  { audit }: Words,
  { actorKind, actorId }: Pick<LoggedAct, 'actorKind' | 'actorId'>,
  names: ReadonlyMap<string, string>,
): string {
  const name = actorId === null ? undefined : names.get(actorId);
  return name ?? wordOf(audit.actors, actorKind);
}

function wordOf(words: Record<string, string>, name: string, other = name): string {
  return Object.hasOwn(words, name) ? (words[name] ?? other) : other;
}
