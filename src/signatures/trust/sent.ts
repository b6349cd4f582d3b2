import { requireOperator } from '../../platform/access';
import type { Context } from '../../platform/context';
import { SENT, trustListsIn } from './kept';

/**
 * A queue message about a trusted list that the operator sent. The other messages on the queue are about prescriptions.
 */
export interface ListMessage {
  trustList: string;
}

/**
 * Stores a list that the operator sends. The Worker that checks signatures verifies it later.
 * @param signedBy the SHA-256 of one more certificate that may sign the list. The pinned certificates and those in the
 *   list of lists may sign it anyway
 * @throws R2's error
 */
export async function sendList(
  ctx: Context,
  { territory, bytes, signedBy = '' }: { territory: string; bytes: Uint8Array; signedBy?: string },
): Promise<void> {
  requireOperator(ctx);
  await ctx.files.put(`${SENT}${territory}`, bytes, { customMetadata: { signedBy } });
  // If the message is lost, the cron of the other Worker finds the file.
  await ctx.queues.signatureChecks.send({ trustList: territory } satisfies ListMessage).catch(() => undefined);
}

/** The stored lists, and why the last attempt to store each failed. @throws R2's error */
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
