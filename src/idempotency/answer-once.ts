import { requireSystem, SCOPES } from '../platform/access';
import { KeyTaken } from '../platform/commit';
import { conflict, isLostRace } from '../platform/conflict';
import { actingAs, type Context, type KeyedCommand } from '../platform/context';
import { decrypt, encrypt, fromBase64, toBase64, utf8 } from '../platform/crypto/crypto';
import type { ErrorKind } from '../platform/errors/error-codes';
import { AppError } from '../platform/errors/errors';
import { logged } from '../platform/log';
import { isMac, mac, macs } from '../platform/mac';
import { HOUR_MS } from '../platform/time';
import { KEY_HOURS } from './limits';
import * as store from './store';

/** A request that may have an `Idempotency-Key`. */
interface Repeated {
  key: string | null;
  method: string;
  /** The address of the request. Only its host and path identify the command. */
  url: URL;
  /** SHA-256 of the body. */
  digest: string;
  /** The id in the path. */
  about: string | null;
}

type KeyedRequest = Repeated & { key: string };

/** The response of a successful command. */
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: object;
}

interface Answering<A extends Answer> {
  /** Carries the command out. Its first batch uses the key up (`commit`). */
  first: (ctx: Context) => Promise<A>;
  /**
   * Makes the response to a repetition from stored rows, if no response is kept. Writes nothing.
   * @param about the id of the command's entity; empty if only its body names it
   */
  again: (ctx: Context, about: string) => Promise<A>;
}

/**
 * Runs a command. With an `Idempotency-Key`, the command runs once for this key, and repetitions get the first
 * response. A refused command does not use the key up.
 *
 * One more statement in the command's batch stores the key, and fails if the key was used before. A separate query
 * reads the key only if the command failed or changed nothing, or if root secrets are being rotated.
 * @throws AppError `idempotency_key_reused`, and the errors of the command
 */
export async function answerOnce<A extends Answer>(
  ctx: Context,
  { key, ...sent }: Repeated,
  { first, again }: Answering<A>,
): Promise<A> {
  if (key === null) return first(ctx);
  const request = { ...sent, key };
  const { row, keys } = await rowOf(ctx, request);
  // While roots are rotated, a row under an older root is looked for first: the unique constraint would not find it,
  // because its MAC differs.
  const [before] = keys.length > 1 ? await ctx.db.rows(store.selectKey({ ...row, keys: keys.slice(1) })) : [];
  if (before) return answerAgain(ctx, request, before, again);
  const keyed: KeyedCommand = {
    state: 'open',
    claim: (about, onlyIf) => store.insertKey({ ...row, about: about ?? row.about }, onlyIf),
    takenConstraint: store.ONE_ROW_A_KEY,
  };
  let answer: A;
  try {
    answer = await first({ ...ctx, keyed });
  } catch (error) {
    const isUndecided = keyed.state === 'open' && mayBeRepetition(error);
    keyed.state = 'over';
    const [earlier] = isUndecided ? await ctx.db.rows(store.selectKey({ ...row, keys })) : [];
    if (earlier) return answerAgain(ctx, request, earlier, again);
    throw error instanceof KeyTaken ? conflict() : error;
  }
  const isCommitted = keyed.state === 'committed';
  keyed.state = 'over';
  if (isCommitted) {
    ctx.defer(keep(ctx, row, answer));
    return answer;
  }
  const about = row.about ?? idIn(answer.body);
  const unchanged = { ...row, about, status: answer.status ?? 200, answer: await sealed(ctx, row, answer) };
  const { kept } = await ctx.db.run({ key: store.insertKeyIfNew(unchanged), kept: store.selectKey({ ...row, keys }) });
  const [earlier] = kept;
  if (!earlier || earlier.requestId === ctx.requestId) return answer;
  return answerAgain(ctx, request, earlier, again);
}

/**
 * Returns the row that marks the key as used, and the key's MACs under every root secret, that of the current one
 * first.
 */
async function rowOf(ctx: Context, request: KeyedRequest): Promise<{ row: store.KeyRow; keys: readonly string[] }> {
  const { actor, requestId } = ctx;
  if (actor.kind !== 'api_key') throw new Error('only API keys send an Idempotency-Key');
  const { orgId, familyId } = actor;
  const keys = await macs(ctx, 'name of an idempotency key', orgId, familyId, request.key);
  const row = {
    orgId,
    familyId,
    key: keys[0],
    fingerprint: await mac(ctx, 'idempotency key', ...fingerprinted(request)),
    requestId,
    status: null,
    answer: null,
    createdAt: ctx.now(),
    about: request.about,
  };
  return { row, keys };
}

function fingerprinted({ method, url, digest }: KeyedRequest): string[] {
  return [method, url.host + url.pathname, digest];
}

/** After an error of these kinds the key is not looked up, because the caller is asked to send the command again. */
const CALLER_REPEATS: readonly ErrorKind[] = ['unavailable', 'not_now', 'rate_limited'];

/**
 * Whether the command may have failed because an earlier request had already run it. The key's row then shows whether
 * an earlier request did run it.
 */
function mayBeRepetition(error: unknown): boolean {
  if (error instanceof AppError) return !CALLER_REPEATS.includes(error.kind);
  return error instanceof KeyTaken || isLostRace(error);
}

async function answerAgain<A extends Answer>(
  ctx: Context,
  request: KeyedRequest,
  earlier: store.KeyRow,
  again: Answering<A>['again'],
): Promise<A> {
  if (!(await isMac(ctx, earlier.fingerprint, 'idempotency key', ...fingerprinted(request)))) throw reused();
  const kept = await opened<A>(ctx, earlier);
  const answer = kept ?? (await again(withReadScopes(ctx), earlier.about ?? ''));
  // D1 ran the batch twice: this request itself ran the command.
  if (earlier.requestId === ctx.requestId) {
    ctx.defer(keep(ctx, earlier, answer));
    return answer;
  }
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

/**
 * Returns the id in the response of a command that changed nothing; null if the response has none. An erasure finds the
 * stored response by this id. Other commands store the id in their batch.
 */
function idIn(body: object): string | null {
  return 'id' in body && typeof body.id === 'string' ? body.id : null;
}

/**
 * Returns the context with read scopes, because a key that may send a command may also see the command's response.
 * Health data still needs the key's own scopes.
 */
function withReadScopes(ctx: Context): Context {
  const { actor } = ctx;
  if (actor.kind !== 'api_key') return ctx;
  const reading = SCOPES.filter((scope) => scope.endsWith('.read') && scope !== 'prescriptions.read');
  return actingAs(ctx, { ...actor, scopes: [...actor.scopes, ...reading] });
}

/** Stores the response for repetitions. If this fails, repetitions are answered from stored rows (`again`). */
async function keep(ctx: Context, row: store.KeyRow, answer: Answer): Promise<void> {
  await logged(ctx, ['warn', 'answer_not_kept'], async () => {
    const kept = { ...row, status: answer.status ?? 200, answer: await sealed(ctx, row, answer) };
    await ctx.db.run({ kept: store.keepAnswer(kept) });
  });
}

async function sealed(ctx: Context, row: store.KeyRow, { headers, body }: Answer): Promise<string> {
  return encrypt(ctx.config.roots, 'kept answer', await packed(JSON.stringify({ headers, body })), contextOf(row));
}

/** Returns the kept response; null if there is none or its encryption key is gone. */
async function opened<A extends Answer>(ctx: Context, row: store.KeyRow): Promise<A | null> {
  const { answer: kept, status } = row;
  if (!kept || status === null) return null;
  const answer = await logged(ctx, ['warn', 'answer_not_opened'], async () => {
    const text = await unpacked(await decrypt(ctx.config.roots, 'kept answer', kept, contextOf(row)));
    // SAFETY: it was encrypted as a response of the same command.
    return { ...JSON.parse(text), status } as A;
  });
  return answer ?? null;
}

/** Returns the context to which the ciphertext is bound, so that a ciphertext in another row cannot be decrypted. */
function contextOf({ orgId, requestId }: store.KeyRow): string {
  return `answer to ${requestId} of ${orgId}`;
}

function reused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key belongs to another request: its method, path or body differ. Send a new key with a new request.',
  );
}

/** A response with at least this many characters is compressed. Only responses of bulk commands are so long. */
const LONG = 4_096;
/** Prefix of compressed responses. Others begin with `{`. */
const COMPRESSED = 'gzip:';

/** Compresses a long response to about a tenth. A day of bulk responses would otherwise fill most of the database. */
async function packed(text: string): Promise<string> {
  if (text.length < LONG) return text;
  const bytes = await through(new CompressionStream('gzip'), utf8(text)).arrayBuffer();
  return COMPRESSED + toBase64(new Uint8Array(bytes));
}

/** Returns the text that `packed` compressed; the inverse of `packed`. */
async function unpacked(text: string): Promise<string> {
  if (!text.startsWith(COMPRESSED)) return text;
  return through(new DecompressionStream('gzip'), fromBase64(text.slice(COMPRESSED.length))).text();
}

function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream));
}

/**
 * The most keys that one run deletes. The job runs each minute, so it deletes up to seven million keys a day in each
 * database. Eight API keys that always use their whole rate limit need fewer.
 */
const PAGE = 5_000;

/** Deletes keys that are older than a day. */
export async function sweepKeys(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ forgotten: store.deleteKeysBefore(ctx.now() - KEY_HOURS * HOUR_MS, PAGE) });
}
