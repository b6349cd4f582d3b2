/**
 * What the service asked of its bindings for one request, as the tap saw it: the only thing that the floor of
 * `npm run bench` knows of the service.
 */
export interface Recording {
  /** Epoch ms, just before the request: ids made since then and times are replaced by those of the request that is answered. */
  recordedAt: number;
  /** Calls that began while none was under way, one after the other; those of one step were under way together. */
  steps: readonly (readonly Call[])[];
  /** The same for calls that began after the answer. */
  afterAnswer: readonly (readonly Call[])[];
  answer: { status: number; contentType: string | null; body: string };
}

/** One call of a binding, or of the console with a line of the log. Bytes are `RecordedBytes`. */
export interface Call {
  binding: string;
  method: string;
  /** Those of `batch` are `RecordedStatement`. */
  args: readonly unknown[];
}

export interface RecordedStatement {
  sql: string;
  params: readonly unknown[];
}

export interface RecordedBytes {
  base64: string;
}

/** Grows with time like the ids of the service (UUIDv7), so that the same pages of an index are written. */
export function newId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** When an id was made, epoch ms. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
