/** Bytes that a principal waits for or holds. Each claim is taken once and given back once. */
export class Claim {
  /** Epoch ms. A waiting claim asks again and again; one that stopped asking is dropped. */
  askedAt = 0;
  takenAt = 0;

  constructor(
    readonly principal: string,
    public bytes: number,
  ) {}
}

/** A claim that did not ask again within this time is dropped: its request ended without giving up the claim. */
const FORGOTTEN_MS = 2_000;
/** Longer than any request runs: memory that is reserved longer was never given back, and is freed. */
const RESERVED_MS_MAX = 180_000;

/**
 * A limited number of bytes for everybody in this isolate, and a smaller limit for each principal (a key, a member, an
 * address); a principal that holds nothing gets one claim of any size. Waiting claims are served in order, but a claim
 * that waits only for its own principal's limit does not block others.
 *
 * This class has no timers and no promises: each request asks again from its own timer, since on Workers a promise that
 * another request resolves may never continue.
 */
export class MemoryPool {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** Both in order of age, the oldest first. */
  private readonly taken = new Set<Claim>();
  private readonly waiting = new Set<Claim>();

  constructor(
    private readonly bytesMax: number,
    private readonly principalBytesMax: number,
  ) {}

  get reservedBytes(): number {
    return this.used;
  }

  /** How many claims wait, including those that nobody asks for any more. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /**
   * Takes the bytes if it is this claim's turn and there is room.
   * @param now epoch ms
   * @returns whether they were taken; if not, ask again with the same claim, or call `leave`
   */
  tryTake(claim: Claim, now: number): boolean {
    claim.askedAt = now;
    this.dropOld(now);
    this.waiting.add(claim);
    if (!this.isTurn(claim)) return false;
    this.waiting.delete(claim);
    claim.takenAt = now;
    this.taken.add(claim);
    this.count(claim.principal, claim.bytes);
    return true;
  }

  /** Stops waiting. Does nothing for a claim that was taken. */
  leave(claim: Claim): void {
    this.waiting.delete(claim);
  }

  /** Gives a taken claim's bytes back. Does nothing the second time. */
  giveBack(claim: Claim): void {
    if (this.taken.delete(claim)) this.count(claim.principal, -claim.bytes);
  }

  /** Gives back the bytes of a taken claim above this number. */
  shrink(claim: Claim, bytes: number): void {
    if (!this.taken.has(claim) || bytes >= claim.bytes) return;
    this.count(claim.principal, bytes - claim.bytes);
    claim.bytes = bytes;
  }

  /** Whether there is room for this claim after all claims that came before it. */
  private isTurn(claim: Claim): boolean {
    let room = this.bytesMax - this.used;
    const ahead = new Map<string, number>();
    for (const each of this.waiting) {
      const before = ahead.get(each.principal) ?? 0;
      const reserved = before + (this.usedBy.get(each.principal) ?? 0);
      const hasShare = reserved === 0 || reserved + each.bytes <= this.principalBytesMax;
      if (each === claim) return hasShare && each.bytes <= room;
      ahead.set(each.principal, before + each.bytes);
      if (!hasShare) continue;
      if (each.bytes > room) return false;
      room -= each.bytes;
    }
    return false;
  }

  private count(principal: string, bytes: number): void {
    this.used += bytes;
    const left = (this.usedBy.get(principal) ?? 0) + bytes;
    if (left > 0) this.usedBy.set(principal, left);
    else this.usedBy.delete(principal);
  }

  private dropOld(now: number): void {
    for (const claim of this.taken) {
      if (claim.takenAt + RESERVED_MS_MAX > now) break;
      this.giveBack(claim);
    }
    for (const claim of this.waiting) if (claim.askedAt + FORGOTTEN_MS < now) this.waiting.delete(claim);
  }
}
