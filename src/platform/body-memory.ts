import { AppError } from './errors';
import { Claim, MemoryPool } from './memory-pool';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bodies up to this size count as small. */
export const SMALL_BYTES_MAX = 256 * KIB;
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

/** The time in epoch milliseconds, and a timer; `alarm` returns the function that cancels it. */
export interface Clock {
  now: () => number;
  alarm: (ms: number, ring: () => void) => () => void;
}

/** The memory that bodies take in this isolate. */
export class BodyMemory {
  readonly small = new MemoryPool(SMALL_POOL_BYTES, SMALL_POOL_BYTES * PRINCIPAL_SHARE);
  readonly large = new MemoryPool(LARGE_POOL_BYTES, LARGE_POOL_BYTES * PRINCIPAL_SHARE);
}

interface Reservation {
  pool: MemoryPool;
  claim: Claim;
}

/** The memory that one body takes. */
export class BodyReservation {
  /** Time spent on waiting for memory. */
  waitedMs = 0;
  private reserved: Reservation[] = [];

  /**
   * @param principal whose share it is
   * @param wholeBytes what the body takes at most
   */
  constructor(
    private readonly memory: BodyMemory,
    private readonly clock: Clock,
    private readonly principal: string,
    private readonly wholeBytes: number,
  ) {}

  /**
   * Reserves memory, so that it is this much in all. What a large body needs is reserved whole: nothing more is needed then.
   * @throws AppError `busy` when no pool had room for ten seconds
   */
  async reserve(bytes: number): Promise<void> {
    if (bytes <= this.bytes) return;
    const { small, large } = this.memory;
    if (bytes > SMALL_BYTES_MAX) {
      const whole = await this.take([large], this.wholeBytes);
      this.giveBack();
      this.reserved = [whole];
      return;
    }
    // Small bodies that all wait for each other would never finish, so they may also use the memory that larger bodies
    // leave free.
    this.reserved.push(await this.take([small, large], bytes - this.bytes));
  }

  /** Gives back what is reserved above this much. */
  shrink(bytes: number): void {
    const last = this.reserved.at(-1);
    last?.pool.shrink(last.claim, last.claim.bytes - (this.bytes - bytes));
  }

  giveBack(): void {
    for (const { pool, claim } of this.reserved) pool.giveBack(claim);
    this.reserved = [];
  }

  private get bytes(): number {
    return this.reserved.reduce((sum, { claim }) => sum + claim.bytes, 0);
  }

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
}

function busy(): AppError {
  return new AppError('busy', 'Many large requests are under way. Send this one again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
