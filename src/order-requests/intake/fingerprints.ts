import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { isOld } from '../../platform/crypto/crypto';
import { isMac, macs } from '../../platform/mac';
import { insertOnlyCursor, moveCursor, selectCursor } from '../store';
import { type Compared, comparableText } from './rules';
import { type FingerprintChange, selectSubmitted, updateFingerprints } from './store';

/**
 * Computes the fingerprints of a submission: MACs that reveal nothing of its content. A repetition of the submission
 * has the same fingerprints. A different submission with the same reference has different ones.
 * @param prescription the text that `filesOf` returns for its prescriptions
 * @returns one fingerprint for each root secret, that of the current secret first. Only the first one is stored
 */
export function fingerprintsOf(
  ctx: Context,
  submission: Compared,
  prescription: string | null,
): Promise<[string, ...string[]]> {
  return macs(ctx, 'order request', comparableText(submission, prescription));
}

/**
 * Replaces a fingerprint that was made under an old root secret. Does so after the response, and ignores a failure,
 * because the job `rewriteFingerprints` tries again.
 */
export function rewriteFingerprint(
  ctx: Context,
  { id, fingerprint }: { id: string; fingerprint: string | null },
  to: string,
): void {
  if (fingerprint === null) return;
  const changes = [{ id, from: fingerprint, to }];
  ctx.defer(ctx.db.run({ anew: updateFingerprints(changes) }).catch(() => undefined));
}

/** The most requests that one read returns, and the most reads of one run. */
const PAGE = 200;
const PAGES_MAX = 10;
const KIND = 'fingerprints ';

/**
 * Returns the name of the cursor for one round through all requests of the database. The name contains the ids of the
 * root secrets. A change of these secrets therefore begins another round.
 */
export function fingerprintRound({ config }: Pick<Context, 'config'>): string {
  return KIND + [...config.roots.byId.keys()].join(',');
}

/**
 * Recomputes fingerprints that were made under old root secrets, from the stored requests. Each run continues where the
 * last one stopped. A complete round is repeated on later days, because requests may arrive from another database.
 */
export async function rewriteFingerprints(ctx: Context): Promise<void> {
  requireSystem(ctx);
  for (let pages = 0; pages < PAGES_MAX; pages += 1) if (await isRoundOver(ctx)) return;
}

/**
 * Rewrites the fingerprints of one page of requests.
 * @returns whether the round is over
 */
async function isRoundOver(ctx: Context): Promise<boolean> {
  const { db } = ctx;
  const name = fingerprintRound(ctx);
  const today = new Date(ctx.now()).toISOString().slice(0, 10);
  const [cursor] = await db.rows(selectCursor(name));
  if (cursor?.position === '' && cursor.doneNight === today) return true;
  const { position, hasMore } = cursor ?? { position: '', hasMore: false };
  const { page } = await db.run({
    begun: cursor ? undefined : insertOnlyCursor(KIND, name),
    page: selectSubmitted(position, PAGE),
  });
  const changes = (await Promise.all(page.map((row) => changeOf(ctx, row)))).filter((change) => change !== undefined);
  const isLeft = hasMore || changes.includes('left');
  const isLast = page.length < PAGE;
  const rewritten = changes.filter((change) => change !== 'left');
  await db.run({
    requests: rewritten.length > 0 ? updateFingerprints(rewritten) : undefined,
    cursor: moveCursor(
      name,
      position,
      isLast
        ? { position: '', hasMore: false, doneNight: isLeft ? null : today }
        : { position: page.at(-1)?.id ?? '', hasMore: isLeft },
    ),
  });
  return isLast;
}

type Submitted = Awaited<ReturnType<typeof selectSubmitted>>[number];

/**
 * Returns the change of a request's fingerprint. Undefined if the fingerprint needs no change; `left` if this run
 * cannot recompute it.
 */
async function changeOf(ctx: Context, row: Submitted): Promise<FingerprintChange | 'left' | undefined> {
  const { id, fingerprint, prescription } = row;
  if (fingerprint === null || row.hasLeft || !isOld(ctx.config.roots, fingerprint)) return undefined;
  const isTheirs = await isMac(ctx, fingerprint, 'order request', comparableText(row, prescription));
  if (!row.isSettled || !isTheirs) return 'left';
  const [to] = await fingerprintsOf(ctx, row, prescription);
  return { id, from: fingerprint, to };
}
