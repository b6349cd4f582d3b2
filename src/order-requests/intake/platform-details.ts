import { TEXT_MAX } from '../../orders/limits';
import type { PlatformDetails } from '../../orders/service';
import { isRecord, jsonAsSent } from '../../platform/http/json';
import { ITEM_MEMBERS, PAYLOAD_MEMBERS } from '../envelope';
import { PLATFORM_DETAIL_LENGTH_MAX, PLATFORM_DETAILS_MAX } from '../limits';

/**
 * What a platform says in members that are not the contract's, for staff to read: those of the payload, then those of its items
 * as `items[0].dosage`. What is not a text becomes its JSON; empty ones are left out, and so is what is beyond the limits.
 * @param body as it was submitted
 * @returns null where there is nothing of the kind
 */
export function platformDetailsOf(body: unknown): PlatformDetails | null {
  const payload = isRecord(body) && isRecord(body.payload) ? body.payload : {};
  const found = unknownMembers(payload, PAYLOAD_MEMBERS, '');
  const items = Array.isArray(payload.items) ? payload.items : [];
  for (const [index, item] of items.entries()) {
    if (isRecord(item)) found.push(...unknownMembers(item, ITEM_MEMBERS, `items[${index}].`));
  }
  return found.length === 0 ? null : Object.fromEntries(found.slice(0, PLATFORM_DETAILS_MAX));
}

function unknownMembers(of: Record<string, unknown>, known: ReadonlySet<string>, within: string): [string, string][] {
  const found: [string, string][] = [];
  for (const name in of) {
    if (known.has(name)) continue;
    const text = textOf(of, name);
    if (text !== '') found.push([cut(within + name, TEXT_MAX), cut(text, PLATFORM_DETAIL_LENGTH_MAX)]);
  }
  return found;
}

function textOf(of: Record<string, unknown>, name: string): string {
  const value = of[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : jsonAsSent(of, name);
}

/** No half of a character is left at the end. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}
