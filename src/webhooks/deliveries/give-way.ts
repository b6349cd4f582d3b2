import type { Context } from '../../platform/context';

/** Posts of one isolate under way at once, beyond which commands give way to them. */
const GIVE_WAY_BEYOND = 16;
/** So often a command gives way, a millisecond each time. */
const TURNS = 4;
const TURN_MS = 1;

/** Posts that this isolate has begun and that have not ended. */
let underWay = 0;

/** Counts a post as under way until it has ended. */
export async function countedAsPost<T>(post: Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await post;
  } finally {
    underWay -= 1;
  }
}

/**
 * Lets posts that are under way go on before a command writes new events. An isolate has one thread, and in a burst new
 * requests would take all of it: what was accepted would be delivered seconds later, although both together last as long in
 * either order. It waits for no receiver, so receivers that hang delay a command by a few milliseconds at most.
 */
export async function giveWayToPosts(ctx: Pick<Context, 'wait'>): Promise<void> {
  for (let turn = 0; turn < TURNS && underWay > GIVE_WAY_BEYOND; turn += 1) await ctx.wait(TURN_MS);
}
