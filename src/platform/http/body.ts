import type { Context } from '../context';
import { AppError } from '../errors/errors';
import { LARGE_BODY_MS_MAX, SMALL_BODY_MS_MAX } from '../limits';
import { BodyMemory, BodyReservation, type Clock, SMALL_BYTES_MAX } from './body-memory';

const KIB = 1024;

/** The second size of a body's buffer, to which it grows once its first `SHORT_BYTES_MAX` bytes are full. */
const OPENING_BYTES = 64 * KIB;
/**
 * The least number of bytes by which a buffer of `OPENING_BYTES` or more grows. If doubling the buffer adds more than
 * this, it is doubled. Thus the service does not reserve much more than a sender has sent, even if the sender declared
 * more. Most bodies need only one step.
 */
const STEP_BYTES_MIN = 256 * KIB;

/** The largest body of a caller whose key or session is not verified. */
const STRANGER_BYTES_MAX = 64 * KIB;

/** The time after which the average rate of a body is checked. */
const PACE_AFTER_MS = 5_000;
const PACE_BYTES_PER_MS = (16 * KIB) / 1000;
/**
 * The least number of bytes that a large body must send within `PACE_AFTER_MS` while other bodies wait for its memory.
 */
const PACE_BYTES_WAITED_FOR = 5 * 128 * KIB;
/** The time between two checks of the pace of a body that sends nothing. */
const PACE_POLL_MS = 250;

export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  /** Gives the body's memory back. Call it as soon as the body is no longer needed. */
  release: () => void;
}

const systemClock: Clock = {
  now: () => Date.now(),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

const isolateMemory = new BodyMemory();

/**
 * Returns a body that has at most `bytesMax` bytes. A body whose `Content-Length` is over the limit is refused at once.
 * The service neither reads nor cancels such a body, because canceling it would break the connection before the
 * response arrives.
 * @param ctx names the caller. The memory is divided into shares. All keys and sessions of an organization together
 *   have one share. All anonymous callers together have one, too, and the body of an anonymous caller may have at most
 *   64 KiB
 * @throws AppError `unsupported_content_encoding`, `body_too_large`, `busy` (with Retry-After), `body_too_slow`,
 *   `body_incomplete`
 */
export async function readBody(
  ctx: Context,
  request: Request,
  bytesMax: number,
  { memory, clock } = { memory: isolateMemory, clock: systemClock },
): Promise<Body> {
  assertNotEncoded(request);
  const principal = principalOf(ctx);
  const limitBytes = principal === null ? Math.min(bytesMax, STRANGER_BYTES_MAX) : bytesMax;
  const declared = declaredBytes(request);
  if (declared !== null && declared > limitBytes) throw tooLarge(limitBytes);
  if (declared !== null && declared <= SHORT_BYTES_MAX) {
    return { bytes: await orIncomplete(shortBody(request, declared, clock)), release: () => undefined };
  }
  const reading = new Reading(memory, clock, principal, declared, limitBytes);
  // When the client disconnects, Workers ends the invocation at once unless work is deferred. The memory must be given
  // back before.
  ctx.defer(reading.isOver);
  try {
    return { bytes: await orIncomplete(reading.bytesOf(request)), release: reading.release };
  } catch (error) {
    reading.release();
    throw error;
  }
}

/**
 * Returns the result of a read. An error of the runtime means that the connection was lost. The function then throws
 * `body_incomplete`.
 */
async function orIncomplete<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof AppError ? error : incomplete();
  }
}

/** Returns a body of at most `SHORT_BYTES_MAX` bytes, for which no memory is reserved. */
async function shortBody(request: Request, declared: number, clock: Clock): Promise<Uint8Array<ArrayBuffer>> {
  if (declared === 0) return new Uint8Array();
  const { bytes, reading } = readAhead(request);
  const buffer = bytes ?? (await within(reading, PACE_AFTER_MS, clock));
  if (!buffer) throw tooSlow();
  if (buffer.byteLength !== declared) throw incomplete();
  return new Uint8Array(buffer);
}

/**
 * Returns a result if it comes within a time.
 * @returns null if the result takes longer
 */
async function within<T>(read: Promise<T>, ms: number, clock: Clock): Promise<T | null> {
  let stop: () => void = () => undefined;
  const late = new Promise<null>((resolve) => {
    stop = clock.alarm(ms, () => resolve(null));
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    stop();
  }
}

/**
 * Refuses compressed bodies, because a small one could expand to any size.
 * @throws AppError `unsupported_content_encoding` (RFC 9110 §15.5.16)
 */
export function assertNotEncoded(request: Request): void {
  const coding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw new AppError('unsupported_content_encoding', 'Send the body uncompressed, without Content-Encoding.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** The reading of one body. It reserves memory for the body, and ends with an error if the body arrives too slowly. */
class Reading {
  private readonly startedAt: number;
  private readonly memory: BodyReservation;
  private received = 0;
  /** The time in ms, during this reading, in which the isolate was busy with other work. */
  private busyMs = 0;
  /**
   * The arrivals of bytes; for a large body, only those in the last five seconds of reading. The key is the reading
   * time at an arrival (`readingMs`). The value is the number of bytes that had arrived since the beginning of the
   * body.
   */
  private readonly marks = new Map<number, number>();
  /** The number of bytes that had arrived before the oldest entry of `marks`. */
  private receivedBefore = 0;
  private settle: () => void = () => undefined;
  /** Resolves when the memory has been given back. */
  readonly isOver = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    memory: BodyMemory,
    private readonly clock: Clock,
    principal: string | null,
    private readonly declared: number | null,
    private readonly limitBytes: number,
  ) {
    this.startedAt = clock.now();
    this.memory = new BodyReservation(memory, clock, principal, declared ?? limitBytes);
  }

  /**
   * Returns the body in one buffer. Each read takes all bytes that have arrived, because the runtime's own chunks have
   * only 4 KiB.
   */
  async bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
    if (!request.body) return this.allOf(new Uint8Array());
    const reader = request.body.getReader({ mode: 'byob' });
    let bytes = new Uint8Array(SHORT_BYTES_MAX);
    for (;;) {
      const { done, value } = await this.inTime(reader.read(bytes.subarray(this.received)));
      if (!value) throw incomplete();
      // The read has moved the buffer to `value`.
      bytes = new Uint8Array(value.buffer);
      if (done) return this.allOf(bytes);
      this.received += value.length;
      this.assertNotLonger();
      this.marks.set(this.readingMs, this.received);
      if (this.received === bytes.length) bytes = await this.withRoom(bytes);
    }
  }

  /**
   * Returns a larger buffer with the bytes of the full one. Its memory is reserved first. The buffer grows in few
   * steps, because each step costs a read and a copy. A buffer for the whole body has one extra byte, to notice a body
   * that is longer than declared.
   */
  private async withRoom(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const whole = this.declared ?? this.limitBytes;
    const step = Math.max(bytes.length, STEP_BYTES_MIN);
    const next = bytes.length < OPENING_BYTES ? OPENING_BYTES : bytes.length + step;
    const room = await this.memory.reserve(Math.min(whole, next));
    const grown = new Uint8Array(room < whole ? room : whole + 1);
    grown.set(bytes);
    // Frees the bytes now, not when garbage is collected.
    bytes.buffer.transfer(0);
    this.memory.giveBackFormer();
    return grown;
  }

  private allOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (this.declared !== null && this.received !== this.declared) throw incomplete();
    return bytes.subarray(0, this.received);
  }

  readonly release = (): void => {
    this.memory.giveBack();
    this.settle();
  };

  private assertNotLonger(): void {
    if (this.received > this.limitBytes) throw tooLarge(this.limitBytes);
    if (this.declared !== null && this.received > this.declared) throw incomplete();
  }

  /**
   * Returns the result of a read. @throws AppError `body_too_slow` if the body is too late, or too slow while others
   * wait
   */
  private async inTime<T>(read: Promise<T>): Promise<T> {
    for (;;) {
      const untilLate = this.msUntilLate();
      if (untilLate <= 0 || this.isBehindOthers()) throw tooSlow();
      const [askedAt, ms] = [this.clock.now(), Math.min(untilLate, PACE_POLL_MS)];
      const arrived = await within(read, ms, this.clock);
      // A late alarm means that the isolate was busy with other work.
      this.busyMs += Math.max(0, this.clock.now() - askedAt - ms);
      if (arrived) return arrived;
    }
  }

  private get isLarge(): boolean {
    return this.memory.bytes > SMALL_BYTES_MAX;
  }

  /**
   * The time in ms that the service has spent on reading. Time in which the service could not read does not count,
   * because such a delay is not the sender's fault.
   */
  private get readingMs(): number {
    return this.clock.now() - this.startedAt - this.memory.waitedMs - this.busyMs;
  }

  /** Returns the time in ms from now until the body is too late, if nothing more arrives. */
  private msUntilLate(): number {
    const deadline = this.isLarge ? LARGE_BODY_MS_MAX : SMALL_BODY_MS_MAX;
    const behindPaceAt = Math.max(PACE_AFTER_MS, this.received / PACE_BYTES_PER_MS);
    return Math.min(deadline, behindPaceAt) - this.readingMs;
  }

  /**
   * Whether the body must be refused because other bodies wait for its memory. Only a large body is refused, and only
   * if too few of its bytes arrived in the last five seconds of reading.
   */
  private isBehindOthers(): boolean {
    const from = this.readingMs - PACE_AFTER_MS;
    if (!this.isLarge || from < 0) return false;
    for (const [ms, received] of this.marks) {
      if (ms > from) break;
      this.receivedBefore = received;
      this.marks.delete(ms);
    }
    return this.received - this.receivedBefore < PACE_BYTES_WAITED_FOR && this.memory.isWaitedFor();
  }
}

/**
 * Returns the principal whose share of the memory for bodies is used; null if the key or session is not verified.
 */
function principalOf({ actor }: Context): string | null {
  if (actor.kind === 'anonymous') return null;
  return 'orgId' in actor ? `organization ${actor.orgId}` : actor.kind;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('body_too_large', `The body may hold ${limitBytes} bytes at most.`);
}

function incomplete(): AppError {
  return new AppError('body_incomplete', 'The body ended early, or its Content-Length is wrong. Send it again.');
}

function tooSlow(): AppError {
  return new AppError(
    'body_too_slow',
    `The body arrived too slowly: send at least ${(PACE_BYTES_PER_MS * 1000) / KIB} KiB a second, ` +
      `${SMALL_BYTES_MAX / KIB} KiB within ${SMALL_BODY_MS_MAX / 1000} s and anything larger within ${LARGE_BODY_MS_MAX / 1000} s, ` +
      `at ${(PACE_BYTES_WAITED_FOR * 1000) / PACE_AFTER_MS / KIB} KiB a second while others wait.`,
  );
}

/**
 * The first size of a body's buffer. Most bodies are smaller. These bytes are not reserved, because any request costs
 * more memory than this. Therefore short bodies are served even while large bodies hold all of the shared memory.
 */
const SHORT_BYTES_MAX = 4 * 1024;

/** A short body whose reading has begun. */
interface ShortBody {
  reading: Promise<ArrayBuffer>;
  /** The whole body; undefined until it has arrived. */
  bytes?: ArrayBuffer;
}

const begun = new WeakMap<Request, ShortBody>();

/**
 * Begins to read a body that declares a short length. Call it before the sender is looked up: the body has then usually
 * arrived by the time it is needed, and no timer is required.
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
    // The reader of the body gets the error.
    () => undefined,
  );
  return body;
}

/** Whether a body declares at most `SHORT_BYTES_MAX` bytes, for which no memory is reserved. */
export function isShort(request: Request): boolean {
  const declared = declaredBytes(request);
  return declared !== null && declared <= SHORT_BYTES_MAX;
}

/** Whether a body declares more than `SHORT_BYTES_MAX` bytes. */
export function isLong(request: Request): boolean {
  const declared = declaredBytes(request);
  return declared !== null && declared > SHORT_BYTES_MAX;
}

/**
 * Returns the number of bytes that `Content-Length` declares (RFC 9110 §8.6). Null if the header is missing or is not
 * written in digits.
 */
function declaredBytes(request: Request): number | null {
  const header = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(header) ? Number(header) : null;
}
