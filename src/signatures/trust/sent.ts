import { requireOperator } from '../../platform/access';
import type { Context } from '../../platform/context';
import { SENT, trustListsIn } from './kept';

/** A message about a list that the operator has sent; others on its queue name prescriptions. */
export interface ListMessage {
  trustList: string;
}

/**
 * Stores a list that the operator sends, for the Worker that verifies it.
 * @param signedBy the SHA-256 of a certificate that may have signed it, beside the pinned ones and those that the list of
 *   lists names
 * @throws R2's error
 */
export async function sendList(
  ctx: Context,
  { territory, bytes, signedBy = '' }: { territory: string; bytes: Uint8Array; signedBy?: string },
): Promise<void> {
  requireOperator(ctx);
  await ctx.files.put(`${SENT}${territory}`, bytes, { customMetadata: { signedBy } });
  // The clock of the other Worker finds the file, should the message be lost.
  await ctx.queues.signatureChecks.send({ trustList: territory } satisfies ListMessage).catch(() => undefined);
}

/** The lists that are kept, and why the last attempt to keep one failed. @throws R2's error */
export async function tellLists(ctx: Context) {
  requireOperator(ctx);
  const { kept, tried } = await trustListsIn(ctx.files);
  const territories = new Set([...kept, ...tried].map(({ territory }) => territory));
  const isoOf = (time: number | null = null) => (time === null ? null : new Date(time).toISOString());
  return [...territories].sort().map((territory) => {
    const list = kept.find((each) => each.territory === territory);
    const last = tried.find((each) => each.territory === territory);
    return {
      territory,
      sequence: list?.sequence ?? null,
      next_update: isoOf(list?.nextUpdate),
      tried_at: isoOf(last?.at),
      failure: last?.failure ?? null,
    };
  });
}
