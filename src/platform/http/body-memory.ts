import { AppError } from '../errors';
import { BODY_BYTES_MAX } from '../limits';
import { Claim, MemoryPool } from './memory-pool';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bodies up to this size count as small. */
export const SMALL_BYTES_MAX = 256 * KIB;
/** An isolate has 128 MB for everything, and a body costs several times its size while it is parsed and decoded. */
const SMALL_POOL_BYTES = 4 * MIB;
const LARGE_POOL_BYTES = 28 * MIB;
/** The part of the large pool that is kept for one body at a time, whatever all others hold: the largest body fits. */
const KEPT_BYTES = BODY_BYTES_MAX.connector;
const SHARED_BYTES = LARGE_POOL_BYTES - KEPT_BYTES;
/** The share that one principal may have at a time: of a pool without the kept part, and of those that wait. */
const PRINCIPAL_SHARE = 1 / 2;

/** Everybody whose key or session is not verified before the body is read: one principal, in the small pool alone. */
const STRANGERS = 'strangers';

/**
 * When memory is full, a body is left unread for at most this long, which slows its sender down; then the answer is
 * 429.
 */
const WAIT_MS_MAX = 10_000;
const WAIT_POLL_MS = 50;
/**
 * Beyond this many waiting bodies, or half as many of one principal, further ones are refused at once: each waiting body asks
 * again every 50 ms.
 */
const WAITING_MAX = 200;

/** The time in epoch milliseconds, and a timer; `alarm` returns the function that cancels it. */
export interface Clock {
  now: () => number;
  alarm: (ms: number, ring: () => void) => () => void;
}

/** The memory that bodies take in this isolate. */
export class BodyMemory {
  readonly small = new MemoryPool(SMALL_POOL_BYTES, SMALL_POOL_BYTES * PRINCIPAL_SHARE);
  readonly large = new MemoryPool(SHARED_BYTES, SHARED_BYTES * PRINCIPAL_SHARE, KEPT_BYTES);
}

interface Reservation {
  pool: MemoryPool;
  claim: Claim;
}

/** The memory that one body takes: its buffer, and beside it the larger one that it is copied into. */
export class BodyReservation {
  /** Time spent on waiting for memory. */
  waitedMs = 0;
  private former: Reservation | undefined;
  private latest: Reservation | undefined;
  private readonly since: number;

  /**
   * @param principal whose share it is; null for strangers
   * @param wholeBytes what the body takes at most
   */
  constructor(
    private readonly memory: BodyMemory,
    private readonly clock: Clock,
    private readonly principal: string | null,
    private readonly wholeBytes: number,
  ) {
    this.since = clock.now();
  }

  /** The size of the buffer. */
  get bytes(): number {
    return this.latest?.claim.bytes ?? 0;
  }

  /**
   * Reserves a larger buffer. The one before is counted until `giveBackFormer`.
   * @returns its size, which is the whole body's where that was given at once
   * @throws AppError `busy` when no pool had room for ten seconds
   */
  async reserve(bytes: number): Promise<number> {
    const { small, large } = this.memory;
    // Small bodies may also use the memory that larger ones leave free.
    const known = bytes > SMALL_BYTES_MAX ? [large] : [small, large];
    const taken = await this.take(this.principal === null ? [small] : known, bytes);
    this.former = this.latest;
    this.latest = taken;
    return taken.claim.bytes;
  }

  giveBackFormer(): void {
    this.former?.pool.giveBack(this.former.claim);
  }

  giveBack(): void {
    this.giveBackFormer();
    this.latest?.pool.giveBack(this.latest.claim);
  }

  /** Whether another body waits for this one's memory. */
  isWaitedFor(): boolean {
    return this.latest?.pool.isWaitedFor(this.latest.claim, this.clock.now()) ?? false;
  }

  private async take(pools: MemoryPool[], bytes: number): Promise<Reservation> {
    const claim = new Claim(this.principal ?? STRANGERS, bytes, this.wholeBytes, this.since);
    const askedAt = this.clock.now();
    try {
      for (let now = askedAt; now - askedAt < WAIT_MS_MAX; now = this.clock.now()) {
        const pool = pools.find((each) => each.tryTake(claim, now));
        if (pool) return { pool, claim };
        if (pools.some((each) => isCrowded(each, claim))) break;
        await new Promise<void>((resolve) => this.clock.alarm(WAIT_POLL_MS, resolve));
      }
      throw busy();
    } finally {
      for (const pool of pools) pool.leave(claim);
      this.waitedMs += this.clock.now() - askedAt;
    }
  }
}

function isCrowded(pool: MemoryPool, { principal }: Claim): boolean {
  return pool.waitingCount() > WAITING_MAX || pool.waitingCount(principal) > WAITING_MAX * PRINCIPAL_SHARE;
}

function busy(): AppError {
  return new AppError('busy', 'Many large requests are under way. Send this one again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
