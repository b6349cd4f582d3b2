import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { newId } from '../../platform/ids';
import { MINUTE_MS } from '../../platform/time';
import { hashKey } from '../keys/format';
import { hashOfLink, newLink } from './links';
import { type Person, readPeople } from './people';
import { insertChoice, selectChoice, useChoiceRow, withIds } from './store-memberships';

/** How long a person has time to choose. */
const CHOICE_MS = 5 * MINUTE_MS;

/** What is stored when several memberships have the password that was entered. */
interface Kept {
  ids: string[];
  /** HMAC of the stored password: when the password changes, the choice becomes invalid. */
  proof: string;
}

/**
 * Stores a sign-in whose password several memberships have, until a pharmacy is chosen.
 * @returns a token that finds it again, once, within five minutes; only its hash is stored
 */
export async function keepChoice(ctx: Context, people: readonly Person[]): Promise<string> {
  const { token, hash } = await newLink(ctx);
  const now = ctx.now();
  const kept: Kept = { ids: people.map(({ id }) => id), proof: await proofOf(ctx, people[0]) };
  const row = {
    id: newId(),
    identifier: identifierOf(hash),
    value: JSON.stringify(kept),
    expiresAt: now + CHOICE_MS,
    now,
  };
  await ctx.db.run({ choice: insertChoice(ctx.db, row) });
  return token;
}

/**
 * The memberships that a token may choose from, and the statements that use the token up in the batch that creates the
 * session.
 */
export interface OpenChoice {
  people: Person[];
  useUp: BatchEntry[];
}

/** @returns null for a token that is wrong, used or expired */
export async function findChoice(ctx: Context, token: string): Promise<OpenChoice | null> {
  const hash = await hashOfLink(ctx, token);
  if (!hash) return null;
  const identifier = identifierOf(hash);
  const { choice } = await ctx.db.run({ choice: selectChoice(ctx.db, identifier, ctx.now()) });
  if (!choice[0]) return null;
  // SAFETY: keepChoice wrote this value.
  const { ids, proof } = JSON.parse(choice[0].value) as Kept;
  const people = await readPeople(ctx, withIds(ids));
  const proofs = await Promise.all(people.map((person) => proofOf(ctx, person)));
  return {
    people: people.filter((_, index) => proofs[index] === proof),
    useUp: [useChoiceRow(ctx.db, identifier, ctx.now())],
  };
}

function proofOf(ctx: Context, person: Person | undefined): Promise<string> {
  return hashKey(ctx.config.keyPepper, `password ${person?.password}`);
}

function identifierOf(hash: string): string {
  return `choice-${hash}`;
}
