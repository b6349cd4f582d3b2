import { expect } from 'vitest';
import type { Actor, Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { readBody } from '../../src/platform/http/body';
import { BodyMemory, Claim, type Clock } from '../../src/platform/http/body-memory';

export const KIB = 1024;
export const MIB = 1024 * KIB;
/** The largest body. */
export const LIMIT = 15 * MIB;

/** A clock that moves when the test says so. */
export class TestClock implements Clock {
  private time = 1_000_000;
  private readonly alarms = new Set<{ at: number; ring: () => void }>();
  readonly now = () => this.time;
  readonly alarm = (ms: number, ring: () => void) => {
    const alarm = { at: this.time + ms, ring };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  };

  get pending(): number {
    return this.alarms.size;
  }

  /** As `pass`, but the isolate is busy with something else until the end: no alarm rings before. */
  async passBusy(ms: number): Promise<void> {
    this.time += ms;
    await this.pass(0);
  }

  /** Lets this much time pass, an alarm at a time, with everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (;;) {
      const [next] = [...this.alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.alarms.delete(next);
      this.time = Math.max(this.time, next.at);
      next.ring();
      await settled();
    }
    this.time = end;
  }
}

/** Everything that waits for no clock has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

export const keyed = (keyId: string, orgId = `of ${keyId}`): Actor => ({
  kind: 'api_key',
  keyId,
  familyId: keyId,
  orgId,
  scopes: [],
});
export const STRANGER: Actor = { kind: 'anonymous' };

/** One isolate's memory and clock, and bodies that the test sends piece by piece. */
export function isolate() {
  const [memory, clock] = [new BodyMemory(), new TestClock()];
  /** What outlives the answers. */
  const deferred: Promise<unknown>[] = [];
  const open = (declared: number | null, { key = 'a', actor = keyed(key), limit = LIMIT } = {}) => {
    // Nothing else of a context is asked for.
    const ctx = { actor, defer: (work: Promise<unknown>) => deferred.push(work) } as unknown as Context;
    // SAFETY: `start` is called at once.
    let sender = null as unknown as ReadableByteStreamController;
    const stream = new ReadableStream({
      type: 'bytes',
      start(controller) {
        sender = controller;
      },
    });
    const headers: HeadersInit = declared === null ? {} : { 'Content-Length': String(declared) };
    // Node wants to be told that it need not wait for an answer while it sends.
    const init = { method: 'POST', headers, body: stream, duplex: 'half' };
    const body = readBody(ctx, new Request('https://shop.example/', init), limit, { memory, clock });
    const outcome = body.then(
      ({ bytes }) => bytes.length,
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
    return {
      body,
      outcome,
      /** How many bytes the read that waits has room for. */
      room: () => sender.byobRequest?.view?.byteLength,
      async send(bytes: number, fill = 0) {
        sender.enqueue(new Uint8Array(bytes).fill(fill));
        await settled();
      },
      async end() {
        sender.close();
        // A read that waits for bytes is told that there are no more.
        sender.byobRequest?.respond(0);
        await settled();
        return outcome;
      },
      async breakOff() {
        sender.error(new Error('gone'));
        await settled();
        return outcome;
      },
    };
  };
  return { memory, clock, deferred, open };
}

export const heldBy = ({ small, large }: BodyMemory) => [small.reservedBytes, large.reservedBytes];

/** Takes all memory for large bodies. @returns the claims: the halves of two organizations, and the kept part */
export function fillLarge({ memory, clock }: Pick<ReturnType<typeof isolate>, 'memory' | 'clock'>): Claim[] {
  const half = 6.5 * MIB;
  const claims = [new Claim('full-1', half), new Claim('full-2', half), new Claim('full-3', 1, LIMIT)];
  for (const claim of claims) expect(memory.large.tryTake(claim, clock.now())).toBe(true);
  return claims;
}

/** Whether it ended before any time passes. */
export function isOver(work: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.race([Promise.resolve(work).then(() => true), settled().then(() => false)]);
}
