/**
 * Room for the beginning of a body: most bodies are smaller. Nothing is reserved for it, since a request takes more than that
 * besides its body: short requests go on while large ones have all memory.
 */
export const SHORT_BYTES_MAX = 4 * 1024;

/** A short body while it arrives. */
interface ShortBody {
  reading: Promise<ArrayBuffer>;
  /** Once all of it is there. */
  bytes?: ArrayBuffer;
}

const begun = new WeakMap<Request, ShortBody>();

/**
 * Begins to read a body that says it is short, once. Called before its sender is looked up, it has mostly arrived when it is
 * asked for, and then needs no timer: every request has room for it, whoever sends it.
 */
export function readAhead(request: Request): ShortBody {
  const known = begun.get(request);
  if (known) return known;
  const body: ShortBody = { reading: request.arrayBuffer() };
  begun.set(request, body);
  body.reading.then(
    (bytes) => {
      body.bytes = bytes;
    },
    // Whoever asks for the body is told.
    () => undefined,
  );
  return body;
}

/** Whether a body says that every request has room for it. */
export function isShort(request: Request): boolean {
  const declared = declaredBytes(request);
  return declared !== null && declared <= SHORT_BYTES_MAX;
}

/** Whether a body says that it is longer. */
export function isLong(request: Request): boolean {
  const declared = declaredBytes(request);
  return declared !== null && declared > SHORT_BYTES_MAX;
}

/** RFC 9110 §8.6; null when the length is missing or is not written in digits. */
export function declaredBytes(request: Request): number | null {
  const header = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(header) ? Number(header) : null;
}
