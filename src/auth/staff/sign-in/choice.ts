import type { BatchEntry } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { newId } from '../../../platform/ids';
import { isMac, mac } from '../../../platform/mac';
import { MINUTE_MS } from '../../../platform/time';
import { findLink, newLink } from './links';
import { atHomeOf, type Person, readPeople } from './people';
import { withIds } from './store-memberships';
import { insertWaiting, selectWaiting, useWaitingRow } from './store-waiting';

/** How long a person has time to choose. */
const CHOICE_MS = 5 * MINUTE_MS;

/** What is stored of each membership that has the password that was entered. */
interface Kept {
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
  const { db } = atHomeOf(ctx, first);
  const { token, hash } = await newLink(ctx, 'pharmacy choice', first.orgId);
  const now = ctx.now();
  const kept: Kept[] = await Promise.all(
    people.map(async (person) => ({
      id: person.id,
      shard: person.shard,
      proof: await mac(ctx, 'password of a choice', person.password),
    })),
  );
  const row = {
    id: newId(),
    identifier: identifierOf(hash),
    value: JSON.stringify(kept),
    expiresAt: now + CHOICE_MS,
    now,
  };
  await db.run({ choice: insertWaiting(row) });
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
export async function findChoice(anywhere: Context, token: string): Promise<OpenChoice | null> {
  const link = await findLink(anywhere, 'pharmacy choice', token);
  if (!link) return null;
  const { ctx } = link;
  const identifiers = link.hashes.map(identifierOf);
  const { choice } = await ctx.db.run({ choice: selectWaiting(identifiers, ctx.now()) });
  if (!choice[0]) return null;
  // SAFETY: keepChoice wrote this value.
  const kept = JSON.parse(choice[0].value) as Kept[];
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

function identifierOf(hash: string): string {
  return `choice-${hash}`;
}
