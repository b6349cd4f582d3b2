import type { BatchEntry } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { isMac, mac } from '../../../platform/mac';
import { MINUTE_MS } from '../../../platform/time';
import { atHomeOf, type Person, readPeople } from './people';
import { withIds } from './store-memberships';
import { selectWaiting, useWaitingRow } from './store-waiting';
import { findWaiting, newWaiting } from './waiting';

/** How long a person has time to choose. */
const CHOICE_MS = 5 * MINUTE_MS;

/** What is stored of each membership that has the password that was entered. */
interface KeptChoice {
  id: string;
  /** The number of the database on which it was found. */
  shard: number;
  /** HMAC of the stored password: when the password changes, the choice becomes invalid. */
  proof: string;
}

/**
 * Stores a sign-in whose password several memberships have, until a pharmacy is chosen; on the database of the first one.
 * @returns a token that finds it again, once, within five minutes; only its hash is stored
 */
export async function keepChoice(ctx: Context, people: readonly [Person, ...Person[]]): Promise<string> {
  const [first] = people;
  const home = atHomeOf(ctx, first);
  const kept: KeptChoice[] = await Promise.all(
    people.map(async ({ id, shard, password }) => ({
      id,
      shard,
      proof: await mac(ctx, 'password of a choice', password),
    })),
  );
  const choice = { orgId: first.orgId, value: JSON.stringify(kept), lifeMs: CHOICE_MS };
  const { token, writes } = await newWaiting(home, 'pharmacy choice', choice);
  await home.db.run({ writes });
  return token;
}

export interface OpenChoice {
  /** The memberships that may be chosen. */
  people: Person[];
  /** On the database where the choice is stored. */
  ctx: Context;
  /** The statements that use the token up; the batch is undone unless it is open. */
  useUp: (at: Context) => BatchEntry[];
}

/** @returns null for a token that is wrong, used or expired */
export async function findChoice(globalCtx: Context, token: string): Promise<OpenChoice | null> {
  const waiting = await findWaiting(globalCtx, 'pharmacy choice', token);
  if (!waiting) return null;
  const { ctx, identifiers } = waiting;
  const choice = await ctx.db.rows(selectWaiting(identifiers, ctx.now()));
  if (!choice[0]) return null;
  // SAFETY: keepChoice wrote this value.
  const kept = JSON.parse(choice[0].value) as KeptChoice[];
  const shards = new Set(kept.map(({ shard }) => shard));
  const { people } = await readPeople(ctx, [...shards], withIds(kept.map(({ id }) => id)));
  const proofs = new Map(kept.map(({ id, proof }) => [id, proof]));
  const isStill = await Promise.all(
    people.map(({ id, password }) => isMac(ctx, proofs.get(id) ?? '', 'password of a choice', password)),
  );
  return {
    people: people.filter((_, index) => isStill[index]),
    ctx,
    useUp: (at) => [useWaitingRow(identifiers, at.now())],
  };
}
