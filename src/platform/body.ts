import { BodyMemory, BodyReservation, type Clock, SMALL_BYTES_MAX } from './body-memory';
import type { Context } from './context';
import { AppError } from './errors';
import { callerAddress } from './rate-limit';

const KIB = 1024;

/**
 * Room for the beginning of a body: most bodies are smaller. Nothing is reserved for it, since a request takes more than that
 * besides its body: short requests go on while large ones have all memory.
 */
const FIRST_READ_BYTES = 4 * KIB;
/**
 * Room for what follows. A body reserves its whole size only after this much has arrived, and this much only once its beginning
 * is full, so a sender that announces a large body but sends nothing reserves nothing.
 */
const OPENING_BYTES = 64 * KIB;

const SMALL_DEADLINE_MS = 20_000;
const LARGE_DEADLINE_MS = 120_000;
/** After this time the average rate of the body is checked. */
const PACE_AFTER_MS = 5_000;
const PACE_BYTES_PER_MS = (16 * KIB) / 1000;

export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  /** Gives the body's memory back. Call it once the body is no longer needed. */
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
 * Reads a body up to a limit. A `Content-Length` over the limit is refused at once and the body is not read or
 * canceled: canceling would break the connection before the response arrives.
 * @param ctx on whose behalf the body is read: memory is shared out per key, per member, or else per address
 * @throws AppError `unsupported_content_encoding`, `body_too_large`, `busy` (with Retry-After), `body_too_slow`,
 *   `body_incomplete`
 */
export async function readBody(
  ctx: Context,
  request: Request,
  limitBytes: number,
  { memory, clock } = { memory: isolateMemory, clock: systemClock },
): Promise<Body> {
  assertNotEncoded(request);
  const declared = declaredBytes(request);
  if (declared !== null && declared > limitBytes) throw tooLarge(limitBytes);
  if (declared !== null && declared <= FIRST_READ_BYTES) {
    return { bytes: await orIncomplete(shortBody(request, declared, clock)), release: () => undefined };
  }
  const reading = new Reading(memory, clock, principalOf(ctx, request), declared, limitBytes);
  // When the client disconnects, Workers ends the invocation at once, unless something still waits: the memory must be
  // given back first.
  ctx.defer(reading.isOver);
  try {
    return { bytes: await orIncomplete(reading.bytesOf(request)), release: reading.release };
  } catch (error) {
    reading.release();
    throw error;
  }
}

/** An error that is not ours comes from a connection that ended. */
async function orIncomplete<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof AppError ? error : incomplete();
  }
}

/** In one read: it takes no more than what every body has room for. */
async function shortBody(request: Request, declared: number, clock: Clock): Promise<Uint8Array<ArrayBuffer>> {
  if (declared === 0) return new Uint8Array();
  const bytes = new Uint8Array(await inTime(request.arrayBuffer(), PACE_AFTER_MS, clock));
  if (bytes.length !== declared) throw incomplete();
  return bytes;
}

/** @throws AppError `body_too_slow` when it takes longer */
async function inTime<T>(read: Promise<T>, ms: number, clock: Clock): Promise<T> {
  let stop: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    stop = clock.alarm(ms, () => reject(tooSlow()));
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    stop();
  }
}

/**
 * Compressed bodies are refused: a small one could expand to any size.
 * @throws AppError `unsupported_content_encoding` (RFC 9110 §15.5.16)
 */
export function assertNotEncoded(request: Request): void {
  const coding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw new AppError('unsupported_content_encoding', 'Send the body uncompressed, without Content-Encoding.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** One body while it arrives: the memory that it takes, and whether it arrives fast enough. */
class Reading {
  private readonly startedAt: number;
  private readonly memory: BodyReservation;
  private received = 0;
  private settle: () => void = () => undefined;
  /** Resolves when the memory was given back. */
  readonly isOver = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    memory: BodyMemory,
    private readonly clock: Clock,
    principal: string,
    private readonly declared: number | null,
    private readonly limitBytes: number,
  ) {
    this.startedAt = clock.now();
    this.memory = new BodyReservation(memory, clock, principal, declared ?? limitBytes);
  }

  /** Reads into one buffer, as much at a time as has arrived: by chunks of the runtime's own size it would be 4 KiB. */
  async bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
    if (!request.body) return this.allOf(new Uint8Array());
    const reader = request.body.getReader({ mode: 'byob' });
    let bytes = new Uint8Array(FIRST_READ_BYTES);
    for (;;) {
      const { done, value } = await inTime(reader.read(bytes.subarray(this.received)), this.msUntilLate(), this.clock);
      if (!value) throw incomplete();
      // Reading has moved the buffer to where the bytes were put.
      bytes = new Uint8Array(value.buffer);
      if (done) return this.allOf(bytes);
      this.received += value.length;
      this.assertNotLonger();
      if (this.received === bytes.length) bytes = await this.withRoom(bytes);
    }
  }

  /**
   * The full buffer, grown in few steps, since each costs a read. The new room is reserved before it is made: a sender who has
   * sent little must not make this service hold much. One byte more shows a body that is longer than it said.
   */
  private async withRoom(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const whole = this.declared ?? this.limitBytes;
    const next = this.declared ?? 2 * bytes.length;
    const room = Math.min(whole, bytes.length < OPENING_BYTES ? OPENING_BYTES : next);
    await this.memory.reserve(room);
    const grown = new Uint8Array(room < whole ? room : whole + 1);
    grown.set(bytes);
    return grown;
  }

  private async allOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    if (this.declared !== null && this.received !== this.declared) throw incomplete();
    await this.memory.reserve(this.received);
    this.memory.shrink(this.received);
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

  /** Time until the body is late if nothing more arrives. */
  private msUntilLate(): number {
    const isLarge = (this.declared ?? this.received) > SMALL_BYTES_MAX;
    const deadline = isLarge ? LARGE_DEADLINE_MS : SMALL_DEADLINE_MS;
    const behindPaceAt = Math.max(PACE_AFTER_MS, this.received / PACE_BYTES_PER_MS);
    // Time in which this service did not read is not counted against the sender.
    const tookMs = this.clock.now() - this.startedAt - this.memory.waitedMs;
    return Math.max(0, Math.min(deadline, behindPaceAt) - tookMs);
  }
}

/** The principal that a body's memory is counted for. */
function principalOf({ actor }: Context, request: Request): string {
  if (actor.kind === 'api_key') return `key ${actor.keyId}`;
  if (actor.kind === 'staff') return `member ${actor.memberId}`;
  return actor.kind === 'anonymous' ? `address ${callerAddress(request)}` : actor.kind;
}

/** RFC 9110 §8.6; null when the length is missing or is not written in digits. */
function declaredBytes(request: Request): number | null {
  const header = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(header) ? Number(header) : null;
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
      `${SMALL_BYTES_MAX / KIB} KiB within ${SMALL_DEADLINE_MS / 1000} s and anything larger within ${LARGE_DEADLINE_MS / 1000} s.`,
  );
}
