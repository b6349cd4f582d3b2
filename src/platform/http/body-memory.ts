import { AppError } from '../errors/errors';
import { BODY_BYTES_MAX } from '../limits';

/**
 * A body's claim for the bytes of one buffer. The claim waits for the bytes or holds them. Its bytes are taken once and
 * given back once.
 */
export class Claim {
  /**
   * The time when the claim last asked for its bytes, epoch ms. A waiting claim asks again and again. It is dropped if
   * it stops asking.
   */
  askedAt = 0;

  /**
   * @param principal the organization, or another kind of caller, whose share the claim uses
   * @param bytes the size of the buffer. Equal to `wholeBytes` once the claim has the pool's kept part (`MemoryPool`)
   * @param wholeBytes the most bytes that the body can take
   * @param since when the body began, in epoch ms
   */
  constructor(
    readonly principal: string,
    public bytes: number,
    readonly wholeBytes = bytes,
    readonly since = 0,
  ) {}
}

/**
 * A waiting claim is dropped if it does not ask again within this time. Its request has then ended without giving up
 * the claim.
 */
const FORGOTTEN_MS = 2_000;
/**
 * The time after which reserved memory is freed. No request runs that long, so its request has ended without giving the
 * memory back.
 */
const RESERVED_MS_MAX = 180_000;

/**
 * Shares a limited number of bytes among all bodies in this isolate, with a lower limit for each principal. Waiting
 * claims are served in the order in which their bodies began. A claim that waits only because of its own principal's
 * limit does not block others.
 *
 * Besides the shared bytes, the pool may have a kept part, which only one body at a time may have. Of the waiting
 * bodies, the one that began first takes the kept part for its whole size, and then needs no more memory. Without the
 * kept part, bodies that each hold half of their memory could block each other.
 *
 * This class has no timers and no promises, because on Workers a promise that another request resolves may never
 * continue. Each request asks again from its own timer instead.
 */
export class MemoryPool {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** The claim that has the kept part. */
  private keptBy: Claim | undefined;
  /**
   * The claims that hold their bytes, oldest first. The value is the time at which a claim took its bytes, in epoch ms.
   */
  private readonly taken = new Map<Claim, number>();
  /** Waiting claims, in the order in which their bodies began. */
  private readonly waiting: Claim[] = [];

  constructor(
    private readonly sharedBytes: number,
    private readonly principalBytesMax: number,
    private readonly keptBytes = 0,
  ) {}

  get reservedBytes(): number {
    return this.used + (this.keptBy?.bytes ?? 0);
  }

  /**
   * Returns the number of waiting claims of one principal, or of all principals. It includes abandoned claims that are
   * not dropped yet.
   */
  waitingCount(principal?: string): number {
    return principal === undefined
      ? this.waiting.length
      : this.waiting.filter((each) => each.principal === principal).length;
  }

  /**
   * Takes the bytes if it is the claim's turn and there is room.
   * @param now epoch ms
   * @returns whether the bytes were taken. If not, ask again with the same claim, or call `leave`
   */
  tryTake(claim: Claim, now: number): boolean {
    claim.askedAt = now;
    this.dropOld(now);
    this.queue(claim);
    if (this.isTurn(claim)) {
      this.count(claim.principal, claim.bytes);
    } else if (this.mayTakeKept(claim)) {
      claim.bytes = claim.wholeBytes;
      this.keptBy = claim;
    } else {
      return false;
    }
    this.leave(claim);
    this.taken.set(claim, now);
    return true;
  }

  /** Ends the waiting of a claim. Does nothing for a claim that does not wait. */
  leave(claim: Claim): void {
    const at = this.waiting.indexOf(claim);
    if (at >= 0) this.waiting.splice(at, 1);
  }

  /** Gives the bytes of a claim back. Does nothing if the claim has none. */
  giveBack(claim: Claim): void {
    if (!this.taken.delete(claim)) return;
    if (this.keptBy === claim) this.keptBy = undefined;
    else this.count(claim.principal, -claim.bytes);
  }

  /**
   * Whether another claim waits for the bytes that this claim holds. A claim that is over its principal's limit waits
   * only for claims of the same principal.
   */
  isWaitedFor(claim: Claim, now: number): boolean {
    this.dropOld(now);
    const isKept = this.keptBy === claim;
    return this.waiting.some((each) => isKept || each.principal === claim.principal || this.hasShare(each));
  }

  private queue(claim: Claim): void {
    if (this.waiting.includes(claim)) return;
    const after = this.waiting.findLastIndex(({ since }) => since <= claim.since);
    this.waiting.splice(after + 1, 0, claim);
  }

  /** Whether there is room for this claim once all claims before it are served. */
  private isTurn(claim: Claim): boolean {
    let room = this.sharedBytes - this.used;
    const ahead = new Map<string, number>();
    for (const each of this.waiting) {
      if (each === claim) break;
      const before = ahead.get(each.principal) ?? 0;
      ahead.set(each.principal, before + each.bytes);
      if (!this.hasShare(each, before)) continue;
      if (each.bytes > room) return false;
      room -= each.bytes;
    }
    return this.hasShare(claim, ahead.get(claim.principal)) && claim.bytes <= room;
  }

  /**
   * Whether the claim is within its principal's limit.
   * @param before the bytes of the same principal's claims that are served before this one
   */
  private hasShare({ principal, bytes }: Claim, before = 0): boolean {
    return before + (this.usedBy.get(principal) ?? 0) + bytes <= this.principalBytesMax;
  }

  private mayTakeKept(claim: Claim): boolean {
    return this.waiting[0] === claim && this.keptBy === undefined && claim.wholeBytes <= this.keptBytes;
  }

  private count(principal: string, bytes: number): void {
    this.used += bytes;
    const left = (this.usedBy.get(principal) ?? 0) + bytes;
    if (left === 0) this.usedBy.delete(principal);
    else this.usedBy.set(principal, left);
  }

  private dropOld(now: number): void {
    for (const [claim, takenAt] of this.taken) {
      if (takenAt + RESERVED_MS_MAX > now) break;
      this.giveBack(claim);
    }
    for (const claim of this.waiting.filter(({ askedAt }) => askedAt + FORGOTTEN_MS < now)) this.leave(claim);
  }
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bodies up to this size count as small. */
export const SMALL_BYTES_MAX = 256 * KIB;
/**
 * The sizes of the two pools. They are far below the 128 MB that an isolate has for everything, because a body costs
 * several times its size while it is parsed and decoded.
 */
const SMALL_POOL_BYTES = 4 * MIB;
const LARGE_POOL_BYTES = 28 * MIB;
/** The kept part of the large pool. Only one body at a time may have it. The largest body fits into it. */
const KEPT_BYTES = BODY_BYTES_MAX.connector;
const SHARED_BYTES = LARGE_POOL_BYTES - KEPT_BYTES;
/**
 * The share of a pool's shared bytes that one principal may have. One principal may also have this share of the waiting
 * bodies (`WAITING_MAX`).
 */
const PRINCIPAL_SHARE = 1 / 2;

/**
 * The principal of all callers whose key or session is not verified before the body is read. All of them together have
 * one principal's share, and use only the small pool.
 */
const STRANGERS = 'strangers';

/**
 * The longest time for which a body waits for memory. The body is not read during this time, which slows its sender
 * down. If there is still no memory then, the response is 429.
 */
const WAIT_MS_MAX = 10_000;
const WAIT_POLL_MS = 50;
/**
 * The most bodies that may wait in a pool. Further bodies are refused at once, because each waiting body asks again
 * every 50 ms. One principal may have half of the waiting bodies.
 */
const WAITING_MAX = 200;

/** `now` returns the time in epoch ms. `alarm` sets a timer, and returns the function that cancels it. */
export interface Clock {
  now: () => number;
  alarm: (ms: number, ring: () => void) => () => void;
}

/** The memory of bodies in this isolate. */
export class BodyMemory {
  readonly small = new MemoryPool(SMALL_POOL_BYTES, SMALL_POOL_BYTES * PRINCIPAL_SHARE);
  readonly large = new MemoryPool(SHARED_BYTES, SHARED_BYTES * PRINCIPAL_SHARE, KEPT_BYTES);
}

interface Reservation {
  pool: MemoryPool;
  claim: Claim;
}

/** The memory that is reserved for one body: one buffer, or two while bytes are copied to a larger one. */
export class BodyReservation {
  /** The time for which the body waited for memory, in ms. */
  waitedMs = 0;
  private former: Reservation | undefined;
  private latest: Reservation | undefined;
  private readonly since: number;

  /**
   * @param principal the principal whose share of the memory the body uses; null for a caller whose key or session is
   *   not verified
   * @param wholeBytes the most bytes that the body can take
   */
  constructor(
    private readonly memory: BodyMemory,
    private readonly clock: Clock,
    private readonly principal: string | null,
    private readonly wholeBytes: number,
  ) {
    this.since = clock.now();
  }

  /** The size of the buffer, in bytes. */
  get bytes(): number {
    return this.latest?.claim.bytes ?? 0;
  }

  /**
   * Reserves a larger buffer. The former buffer stays reserved until `giveBackFormer`.
   * @returns the reserved bytes: `bytes`, or the size of the whole body if the kept part was taken
   * @throws AppError `busy` if no pool had room for ten seconds
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

  /** Whether another body waits for the memory of this body. */
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
