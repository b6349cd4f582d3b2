import type { Context } from './context';
import { AppError } from './errors';
import { Claim, MemoryPool } from './memory-pool';
import { callerAddress } from './rate-limit';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Room for the beginning of a body: most bodies are smaller. Nothing is reserved for it, since a request takes more than that
 * besides its body: short requests go on while large ones have all memory.
 */
const FIRST_READ_BYTES = 4 * KIB;
/** Bodies up to this size count as small. */
const SMALL_BYTES_MAX = 256 * KIB;
/**
 * Room for what follows. A body reserves its whole size only after this much has arrived, and this much only once its beginning
 * is full, so a sender that announces a large body but sends nothing reserves nothing.
 */
const OPENING_BYTES = 64 * KIB;
/** An isolate has 128 MB for everything, and a body costs several times its size while it is parsed and decoded. */
const SMALL_POOL_BYTES = 4 * MIB;
const LARGE_POOL_BYTES = 28 * MIB;
/**
 * The share of the memory that one principal may hold at a time. The largest allowed body fits: a 10 MiB PDF is 13.4
 * MiB in base64.
 */
const PRINCIPAL_SHARE = 1 / 2;

/**
 * When memory is full, a body is left unread for at most this long, which slows its sender down; then the answer is
 * 429.
 */
const WAIT_MS_MAX = 10_000;
const WAIT_POLL_MS = 50;
/** Beyond this many waiting bodies, further ones are refused at once: each waiting body asks again every 50 ms. */
const WAITING_MAX = 200;

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

/** The time in epoch milliseconds, and a timer; `alarm` returns the function that cancels it. */
export interface Clock {
  now: () => number;
  alarm: (ms: number, ring: () => void) => () => void;
}

const systemClock: Clock = {
  now: () => Date.now(),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** The memory that bodies take in this isolate. */
export class BodyMemory {
  readonly small = new MemoryPool(SMALL_POOL_BYTES, SMALL_POOL_BYTES * PRINCIPAL_SHARE);
  readonly large = new MemoryPool(LARGE_POOL_BYTES, LARGE_POOL_BYTES * PRINCIPAL_SHARE);
}

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

interface Reservation {
  pool: MemoryPool;
  claim: Claim;
}

/** One body while it arrives: the memory that it takes, and whether it arrives fast enough. */
class Reading {
  private readonly startedAt: number;
  /** Time in which this service did not read; it is not counted against the sender. */
  private waitedMs = 0;
  private received = 0;
  private reserved: Reservation[] = [];
  private settle: () => void = () => undefined;
  /** Resolves when the memory was given back. */
  readonly isOver = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    private readonly memory: BodyMemory,
    private readonly clock: Clock,
    private readonly principal: string,
    private readonly declared: number | null,
    private readonly limitBytes: number,
  ) {
    this.startedAt = clock.now();
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
    await this.reserve(room);
    const grown = new Uint8Array(room < whole ? room : whole + 1);
    grown.set(bytes);
    return grown;
  }

  private async allOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    if (this.declared !== null && this.received !== this.declared) throw incomplete();
    await this.reserve(this.received);
    const last = this.reserved.at(-1);
    last?.pool.shrink(last.claim, last.claim.bytes - (this.reservedBytes - this.received));
    return bytes.subarray(0, this.received);
  }

  readonly release = (): void => {
    this.giveBack();
    this.settle();
  };

  private assertNotLonger(): void {
    if (this.received > this.limitBytes) throw tooLarge(this.limitBytes);
    if (this.declared !== null && this.received > this.declared) throw incomplete();
  }

  private get reservedBytes(): number {
    return this.reserved.reduce((sum, { claim }) => sum + claim.bytes, 0);
  }

  /** Reserves memory, so that it is this much in all. What a large body needs is reserved whole: nothing more is needed then. */
  private async reserve(bytes: number): Promise<void> {
    if (bytes <= this.reservedBytes) return;
    const { small, large } = this.memory;
    if (bytes > SMALL_BYTES_MAX) {
      const whole = await this.take([large], this.declared ?? this.limitBytes);
      this.giveBack();
      this.reserved = [whole];
      return;
    }
    // Small bodies that all wait for each other would never finish, so they may also use the memory that larger bodies
    // leave free.
    this.reserved.push(await this.take([small, large], bytes - this.reservedBytes));
  }

  /** @throws AppError `busy` when no pool had room for ten seconds */
  private async take(pools: MemoryPool[], bytes: number): Promise<Reservation> {
    const claim = new Claim(this.principal, bytes);
    const askedAt = this.clock.now();
    try {
      for (let now = askedAt; now - askedAt < WAIT_MS_MAX; now = this.clock.now()) {
        const pool = pools.find((each) => each.tryTake(claim, now));
        if (pool) return { pool, claim };
        if (pools.some(({ waitingCount }) => waitingCount > WAITING_MAX)) break;
        await new Promise<void>((resolve) => this.clock.alarm(WAIT_POLL_MS, resolve));
      }
      throw busy();
    } finally {
      for (const pool of pools) pool.leave(claim);
      this.waitedMs += this.clock.now() - askedAt;
    }
  }

  private giveBack(): void {
    for (const { pool, claim } of this.reserved) pool.giveBack(claim);
    this.reserved = [];
  }

  /** Time until the body is late if nothing more arrives. */
  private msUntilLate(): number {
    const isLarge = (this.declared ?? this.received) > SMALL_BYTES_MAX;
    const deadline = isLarge ? LARGE_DEADLINE_MS : SMALL_DEADLINE_MS;
    const behindPaceAt = Math.max(PACE_AFTER_MS, this.received / PACE_BYTES_PER_MS);
    const tookMs = this.clock.now() - this.startedAt - this.waitedMs;
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

function busy(): AppError {
  return new AppError('busy', 'Many large requests are under way. Send this one again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
