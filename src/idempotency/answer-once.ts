import { SCOPES } from '../platform/access';
import { KeyTaken } from '../platform/commit';
import { conflict, isLostRace } from '../platform/conflict';
import { actingAs, type Context, type KeyedCommand } from '../platform/context';
import { decrypt, encrypt, fromBase64, toBase64, utf8 } from '../platform/crypto';
import { AppError } from '../platform/errors';
import { addressIn } from '../platform/http/validation';
import { describeError } from '../platform/log';
import { isMac, mac, macs } from '../platform/mac';
import { insertKey, insertKeyIfNew, type KeyRow, keepAnswer, ONE_ROW_A_KEY, selectKey } from './store';

/** A request that may have an `Idempotency-Key`. */
interface Repeated {
  key: string | null;
  method: string;
  /** Its host and path count. */
  url: string;
  /** SHA-256 of the body. */
  digest: string;
  /** The id of what the path names. */
  about: string | null;
}

type KeyedRequest = Repeated & { key: string };

/** A response that went through. */
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: object;
}

interface Answering<A extends Answer> {
  /** Carries the command out. Its first batch uses the key up (`commit`). */
  first: (ctx: Context) => Promise<A>;
  /**
   * The response to a repetition where none is kept, from what stands: it writes nothing.
   * @param about what the command was about; empty where only its body says it
   */
  again: (ctx: Context, about: string) => Promise<A>;
}

/**
 * Carries a command out, once for its `Idempotency-Key` if it has one, and answers its repetitions with the first response. The key costs a
 * statement in the command's batch; it is looked up only when the command has lost it, was refused or had nothing to change.
 * A command that is refused leaves no key behind.
 * @throws AppError `idempotency_key_reused`, and as the command
 */
export async function answerOnce<A extends Answer>(
  ctx: Context,
  { key, ...sent }: Repeated,
  { first, again }: Answering<A>,
): Promise<A> {
  if (key === null) return first(ctx);
  const request = { ...sent, key };
  const { row, keys } = await rowOf(ctx, request);
  // While roots are rotated, what was sent under an older one is looked for first: its MAC would violate nothing.
  const [before] = keys.length > 1 ? await ctx.db.rows(selectKey({ ...row, keys: keys.slice(1) })) : [];
  if (before) return answerAgain(ctx, request, before, again);
  const keyed: KeyedCommand = {
    state: 'open',
    claim: (about, onlyIf) => insertKey({ ...row, about: about ?? row.about }, onlyIf),
    takenConstraint: ONE_ROW_A_KEY,
  };
  let answer: A;
  try {
    answer = await first({ ...ctx, keyed });
  } catch (error) {
    const isUndecided = keyed.state === 'open' && mayBeRepetition(error);
    keyed.state = 'over';
    const [earlier] = isUndecided ? await ctx.db.rows(selectKey({ ...row, keys })) : [];
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
  const { kept } = await ctx.db.run({ key: insertKeyIfNew(unchanged), kept: selectKey({ ...row, keys }) });
  const [earlier] = kept;
  if (!earlier || earlier.requestId === ctx.requestId) return answer;
  return answerAgain(ctx, request, earlier, again);
}

/** The row that uses the key up, and the key's MACs under each root, its own first. */
async function rowOf(ctx: Context, request: KeyedRequest): Promise<{ row: KeyRow; keys: readonly string[] }> {
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
  return [method, addressIn(url), digest];
}

/** Whether the command may have failed because it has been carried out already, which the key then tells. */
function mayBeRepetition(error: unknown): boolean {
  if (error instanceof AppError) return !['unavailable', 'moving', 'rate_limited'].includes(error.kind);
  return error instanceof KeyTaken || isLostRace(error);
}

async function answerAgain<A extends Answer>(
  ctx: Context,
  request: KeyedRequest,
  earlier: KeyRow,
  again: Answering<A>['again'],
): Promise<A> {
  if (!(await isMac(ctx, earlier.fingerprint, 'idempotency key', ...fingerprinted(request)))) throw reused();
  const kept = await opened<A>(ctx, earlier);
  const answer = kept ?? (await again(withReadScopes(ctx), earlier.about ?? ''));
  // D1 was sent the batch twice: this very request has carried the command out.
  if (earlier.requestId === ctx.requestId) {
    ctx.defer(keep(ctx, earlier, answer));
    return answer;
  }
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

/** The id of what a response shows, by which an erasure finds it: of a command that changed nothing, no batch has told. */
function idIn(body: object): string | null {
  return 'id' in body && typeof body.id === 'string' ? body.id : null;
}

/** Whoever may send a command may see what it answers; the first answer has of health what the key's own scopes allow. */
function withReadScopes(ctx: Context): Context {
  const { actor } = ctx;
  if (actor.kind !== 'api_key') return ctx;
  const reading = SCOPES.filter((scope) => scope.endsWith('.read') && scope !== 'prescriptions.read');
  return actingAs(ctx, { ...actor, scopes: [...actor.scopes, ...reading] });
}

/** If this fails, or never happens, repetitions are answered with what stands. */
async function keep(ctx: Context, row: KeyRow, answer: Answer): Promise<void> {
  try {
    const kept = { ...row, status: answer.status ?? 200, answer: await sealed(ctx, row, answer) };
    await ctx.db.run({ kept: keepAnswer(kept) });
  } catch (error) {
    ctx.log('warn', 'answer_not_kept', describeError(error));
  }
}

async function sealed(ctx: Context, row: KeyRow, { headers, body }: Answer): Promise<string> {
  return encrypt(ctx.config.roots, 'kept answer', await packed(JSON.stringify({ headers, body })), contextOf(row));
}

/** The response that is kept; null where there is none, or where the key that encrypted it is gone. */
async function opened<A extends Answer>(ctx: Context, row: KeyRow): Promise<A | null> {
  if (!row.answer || row.status === null) return null;
  try {
    const text = await unpacked(await decrypt(ctx.config.roots, 'kept answer', row.answer, contextOf(row)));
    // SAFETY: it was encrypted as a response of the same command.
    return { ...JSON.parse(text), status: row.status } as A;
  } catch (error) {
    ctx.log('warn', 'answer_not_opened', describeError(error));
    return null;
  }
}

/** The context to which the ciphertext is bound, so that it cannot be moved to another row. */
function contextOf({ orgId, requestId }: KeyRow): string {
  return `answer to ${requestId} of ${orgId}`;
}

function reused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key belongs to another request: its method, path or body differ. Send a new key with a new request.',
  );
}

/** From so many characters on, which only responses of bulk commands have, compressing is worth its time. */
const LONG = 4_096;
/** A response itself begins with `{`. */
const COMPRESSED = 'gzip:';

/** A response to keep: one of a bulk command takes a tenth, and a day's worth of them would else outweigh everything else. */
async function packed(text: string): Promise<string> {
  if (text.length < LONG) return text;
  const bytes = await through(new CompressionStream('gzip'), utf8(text)).arrayBuffer();
  return COMPRESSED + toBase64(new Uint8Array(bytes));
}

/** What `packed` was given. */
async function unpacked(text: string): Promise<string> {
  if (!text.startsWith(COMPRESSED)) return text;
  return through(new DecompressionStream('gzip'), fromBase64(text.slice(COMPRESSED.length))).text();
}

function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream));
}
