import { v7 } from 'uuid';

/**
 * Returns a new UUIDv7 (RFC 9562 §5.7). It sorts by creation time, so that new rows are added at the end of the primary
 * key.
 */
export function newId(): string {
  return v7();
}

/**
 * Returns the common prefix of up to 65,536 new ids, for the rows of one statement. `numberedId` appends the last four
 * hex digits.
 */
export function newIdPrefix(): string {
  return newId().slice(0, -4);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(id: string): boolean {
  return UUID.test(id);
}

/**
 * Returns an id in the form in which it is stored. A UUID may arrive in upper case (RFC 9562 §4) and is stored in lower
 * case. Other ids are unchanged.
 */
export function storedId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** A text that is greater than every id. It is the first cursor of a list that has the newest rows first. */
export const ABOVE_ALL_IDS = '~';

/** Returns the smallest id that can have been created at a time (epoch ms). It limits ids by their age. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns the creation time of an id, epoch ms. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
