/** Bytes that a principal wants or holds. Each claim is taken once and given back once. */
export class Claim {
  /** Epoch ms. Whoever waits asks again and again; one that stopped asking is gone. */
  askedAt = 0;
  takenAt = 0;

  constructor(
    readonly principal: string,
    public bytes: number,
  ) {}
}

/** A claim that was not asked for again in this time has nobody behind it: its request ended without a word. */
const FORGOTTEN_MS = 2_000;
/** Longer than any request lives: what is held longer was never given back, and is taken back. */
const HELD_MS_MAX = 180_000;

/**
 * So many bytes for everybody in this isolate, and so many of them for one principal (a key, a member, an address); a
 * principal that holds nothing gets one claim of any size. Who waits for room is served in order, except that nobody
 * waits for somebody who waits for his own share.
 *
 * Nothing here waits by itself or holds a promise: a request asks again from its own timer, since a promise that
 * another request resolves may hang on Workers.
 */
export class MemoryPool {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** Oldest first, both of them. */
  private readonly taken = new Set<Claim>();
  private readonly waiting = new Set<Claim>();

  constructor(
    private readonly bytesMax: number,
    private readonly principalBytesMax: number,
  ) {}

  /** Bytes that are held at present. */
  get heldBytes(): number {
    return this.used;
  }

  /** How many claims wait, the ones included that nobody asks for any more. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /**
   * Takes the bytes if it is this claim's turn and there is room.
   * @param now epoch ms
   * @returns whether they are taken; if not, ask again with the same claim, or `leave`
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

  /** Gives back what a taken claim has above so many bytes. */
  shrink(claim: Claim, bytes: number): void {
    if (!this.taken.has(claim) || bytes >= claim.bytes) return;
    this.count(claim.principal, bytes - claim.bytes);
    claim.bytes = bytes;
  }

  /** Whether there is room for this claim behind everybody who came before it. */
  private isTurn(claim: Claim): boolean {
    let room = this.bytesMax - this.used;
    const ahead = new Map<string, number>();
    for (const each of this.waiting) {
      const before = ahead.get(each.principal) ?? 0;
      const held = before + (this.usedBy.get(each.principal) ?? 0);
      const hasShare = held === 0 || held + each.bytes <= this.principalBytesMax;
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
      if (claim.takenAt + HELD_MS_MAX > now) break;
      this.giveBack(claim);
    }
    for (const claim of this.waiting) if (claim.askedAt + FORGOTTEN_MS < now) this.waiting.delete(claim);
  }
}
