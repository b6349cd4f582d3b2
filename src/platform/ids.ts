import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562 §5.7): sorts by time of making, so that primary keys grow at one end. */
export function newId(): string {
  return v7();
}

/** The smallest id that can have been made at a time, epoch ms: bounds a range of ids by age. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
