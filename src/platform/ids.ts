import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562 §5.7): sorts by time of making, so that primary keys grow at one end. */
export function newId(): string {
  return v7();
}
