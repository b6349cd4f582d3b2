import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { mac, macs } from '../platform/mac';
import { replaceMark, selectKnownMark, selectMarksUnder } from './store';

/**
 * Returns the mark of a file or of a signature value: a MAC that reveals a second redemption. If the organization
 * already has a mark of the same hash under an old root secret, that mark is returned. Otherwise, the mark is made with
 * the current root secret. If there is only one root secret, the function makes no round trip.
 * @param hash SHA-256, hex
 */
export async function markOf(ctx: Context, orgId: string, hash: string): Promise<string> {
  const [mark, ...older] = await macs(ctx, 'prescription file', orgId, hash);
  const known = older.length === 0 ? [] : await ctx.db.rows(selectKnownMark(orgId, older));
  return known[0]?.mark ?? mark;
}

const PAGE = 200;

/**
 * Replaces marks that were made under an old root secret with marks under the current one. For each of the two columns
 * of marks, one call reads at most `PAGE` prescriptions whose file is stored. A new mark also replaces the old mark in
 * the other prescriptions of the organization, including erased ones.
 * @param rootId the id of the old root secret
 */
export async function rewriteMarks(ctx: Context, rootId: string): Promise<void> {
  requireSystem(ctx);
  for (const column of ['fileMark', 'signatureMark'] as const) {
    const page = await ctx.db.rows(selectMarksUnder(column, rootId, PAGE));
    const anew = page.map(async ({ orgId, from, hash }) => {
      if (from === null || hash === null) return [];
      // In a list: a statement that an async function returns would be run.
      return [replaceMark(column, { orgId, from, to: await mac(ctx, 'prescription file', orgId, hash) })];
    });
    await ctx.db.batch((await Promise.all(anew)).flat());
  }
}
