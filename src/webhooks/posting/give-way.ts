import type { Context } from '../../platform/context';

/** Posts of one isolate under way at once, beyond which commands give way to them. */
const GIVE_WAY_BEYOND = 16;
/** So often a command gives way, a millisecond each time. */
const TURNS = 4;
const TURN_MS = 1;
/** A post that takes longer waits for its receiver, not for the isolate. */
const WAITS_FOR_RECEIVER_MS = 250;

/** When the posts began that this isolate has begun and that have not ended, epoch ms. */
const underWay = new Set<{ since: number }>();

/** Counts a post as under way until it has ended. */
export async function countedAsPost<T>(ctx: Pick<Context, 'now'>, post: Promise<T>): Promise<T> {
  const counted = { since: ctx.now() };
  underWay.add(counted);
  try {
    return await post;
  } finally {
    underWay.delete(counted);
  }
}

/**
 * Lets posts that are under way go on before a command writes new events. An isolate has one thread, and in a burst new
 * requests would take all of it: what was accepted would be delivered seconds later, although both together last as long in
 * either order. Receivers that hang delay no command.
 */
export async function giveWayToPosts(ctx: Pick<Context, 'now' | 'wait'>): Promise<void> {
  for (let turn = 0; turn < TURNS && waitingForIsolate(ctx.now()) > GIVE_WAY_BEYOND; turn += 1) await ctx.wait(TURN_MS);
}

function waitingForIsolate(now: number): number {
  return [...underWay].filter(({ since }) => now - since < WAITS_FOR_RECEIVER_MS).length;
}
