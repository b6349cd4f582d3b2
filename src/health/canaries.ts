import * as z from 'zod';
import type { Context } from '../platform/context';
import { ifUnchanged } from '../platform/files';
import { fingerprintsOfRings } from '../platform/mac';

/** The fingerprints of each secret's keys, by ring and id, since the deployment was first seen. */
const KEY = 'operations/canaries';
const knownSchema = z.record(z.string(), z.record(z.string(), z.string()));
type Fingerprints = z.infer<typeof knownSchema>;

export interface Canaries {
  /** The rings of which a key differs from the one that was once seen under its id, or that have none that was seen before. */
  wrong: string[];
  /** What was seen, with what is new in rings that are right, where that is to be stored. */
  anew: { known: Fingerprints; etag: string | null } | null;
}

/** Compares the secrets with those that the deployment had before. @throws R2's error */
export async function readCanaries(ctx: Context): Promise<Canaries> {
  const object = await ctx.files.get(KEY);
  const known = object ? knownSchema.parse(await object.json()) : {};
  const rings = await fingerprintsOfRings(ctx);
  const wrong = Object.keys(rings).filter((name) => !isRight(known[name], rings[name] ?? {}));
  const right = Object.entries(rings).filter(([name]) => !wrong.includes(name));
  const isNew = right.some(([name, keys]) => Object.keys(keys).some((id) => known[name]?.[id] === undefined));
  const all = Object.fromEntries(right.map(([name, keys]) => [name, { ...known[name], ...keys }]));
  return { wrong, anew: isNew ? { known: { ...known, ...all }, etag: object?.etag ?? null } : null };
}

/** A new key is right where an older one stands beside it that was seen. */
function isRight(known: Record<string, string> | undefined, keys: Record<string, string>): boolean {
  if (!known) return true;
  const seen = Object.entries(keys).filter(([id]) => known[id] !== undefined);
  return seen.length > 0 && seen.every(([id, fingerprint]) => known[id] === fingerprint);
}

/** Notes what is new. @throws R2's error */
export async function keepCanaries(ctx: Context, { anew }: Canaries): Promise<void> {
  if (!anew) return;
  await ctx.files.put(KEY, JSON.stringify(anew.known), { onlyIf: ifUnchanged(anew.etag) });
}
