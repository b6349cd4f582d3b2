import type { Context } from '../../platform/context';
import { macs } from '../../platform/mac';
import { type Compared, comparableText } from './rules';
import { updateFingerprints } from './store-fingerprints';

/**
 * What tells the repetition of a submission from another one with its reference, and tells nothing of what it says.
 * @param prescription the SHA-256 of its PDF, or its address
 * @returns under each pepper; the first is stored
 */
export function fingerprintsOf(
  ctx: Context,
  submission: Compared,
  prescription: string | null,
): Promise<[string, ...string[]]> {
  return macs(ctx, 'order request', comparableText(submission, prescription));
}

/** Writes a fingerprint that was found under an old pepper anew, after the answer. */
export function rewriteFingerprint(
  ctx: Context,
  { id, fingerprint }: { id: string; fingerprint: string | null },
  to: string,
): void {
  if (fingerprint === null) return;
  const changes = [{ id, from: fingerprint, to }];
  ctx.defer(ctx.db.run({ anew: updateFingerprints(changes) }).catch(() => undefined));
}
