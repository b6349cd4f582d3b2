/**
 * The floor of `npm run bench`: the least that a Worker can do for the same answer. All it knows are recordings of what the
 * service asked of its bindings for one request of each route (recording.ts). For each request it makes exactly these
 * calls, in this order and as much at once: the same D1 batches with the same statements, the same calls of the rate
 * limiters, of R2 and of the queues, and the same log line. It reads the body and parses it, and leaves out everything else:
 * no router, no validation, no ORM, no check of a key or a token, no mapping of rows, no signature, no decoding of base64.
 *
 * Two things are not as recorded. Every id that was made for the recorded request is made anew, the order request's unique
 * reference among them (the bench uses ids as references), and times are shifted to now. And a GET is answered with the rows of
 * its last batch, serialized once: the recorded text would spare the floor what every Worker that answers with what it has
 * read must do. Other answers hold next to nothing that was read, and are the recorded ones.
 *
 * test/node/bench.extended.test.ts holds that round trips, statements, rows, R2 and queue operations equal the service's.
 */
import { type Call, newId, type RecordedBytes, type RecordedStatement, type Recording, timeOfId } from './recording';

interface FloorEnv {
  /** JSON: `Recording` by route. */
  RECORDINGS: string;
  [binding: string]: unknown;
}

/** Names the recording that answers. */
const ROUTE_HEADER = 'X-Bench-Route';

export default {
  async fetch(request, env, executionCtx) {
    const { steps, afterAnswer, answer } = replays(env).get(request.headers.get(ROUTE_HEADER) ?? '') as Replay;
    if (request.method !== 'GET') parse(await request.text());
    const fresh: Fresh = { now: Date.now(), ids: new Map() };
    const rows = await run(steps, env, fresh);
    executionCtx.waitUntil(run(afterAnswer, env, fresh));
    if (request.method === 'GET' && answer.status === 200) return Response.json(rows);
    return new Response(answer.body(fresh), { status: answer.status, headers: answer.headers });
  },
} satisfies ExportedHandler<FloorEnv>;

/** A recording with a function for everything that differs from one request to the next. */
interface Replay {
  steps: readonly (readonly Run[])[];
  afterAnswer: readonly (readonly Run[])[];
  answer: { status: number; headers: Record<string, string>; body: (fresh: Fresh) => string | null };
}

/** @returns the rows of a batch */
type Run = (env: FloorEnv, fresh: Fresh) => unknown;

/** What is new with each request. */
interface Fresh {
  /** Epoch ms. */
  now: number;
  /** By the recorded id that each stands for. */
  ids: Map<string, string>;
}

type Value = (fresh: Fresh) => unknown;

let known: Map<string, Replay> | undefined;

function replays({ RECORDINGS }: FloorEnv): Map<string, Replay> {
  known ??= new Map(Object.entries(JSON.parse(RECORDINGS)).map(([name, each]) => [name, replayOf(each as Recording)]));
  return known;
}

/** @returns the rows of the last batch */
async function run(steps: Replay['steps'], env: FloorEnv, fresh: Fresh): Promise<unknown> {
  let last: unknown;
  for (const step of steps) {
    const results = await Promise.all(step.map((call) => call(env, fresh)));
    last = results.findLast((rows) => rows !== undefined) ?? last;
  }
  return last;
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

function replayOf({ recordedAt, steps, afterAnswer, answer }: Recording): Replay {
  const runsOf = (calls: Recording['steps']) => calls.map((step) => step.map((call) => runOf(call, recordedAt)));
  const body = valueFrom(answer.body, recordedAt);
  return {
    steps: runsOf(steps),
    afterAnswer: runsOf(afterAnswer),
    answer: {
      status: answer.status,
      headers: answer.contentType === null ? {} : { 'Content-Type': answer.contentType },
      // A 304 must not have a body, not even an empty one.
      body: (fresh) => (answer.body === '' ? null : String(body(fresh))),
    },
  };
}

function runOf({ binding, method, args }: Call, recordedAt: number): Run {
  if (method === 'batch') return batchOf(binding, args as RecordedStatement[], recordedAt);
  if (method === 'put') return putOf(binding, args, recordedAt);
  const values = args.map((arg) => valueFrom(arg, recordedAt));
  // Nothing but the rows of a batch is of use to an answer.
  return async (env, fresh) => {
    // SAFETY: the bindings are those of the service, and this is one of their methods.
    const target = (binding === 'console' ? console : env[binding]) as Record<string, (...args: unknown[]) => unknown>;
    await target[method]?.(...values.map((value) => value(fresh)));
  };
}

/** Whoever stores a file that R2 is to check has to compute its checksum: a call of the platform like the others. */
function putOf(binding: string, [key, bytes, options]: readonly unknown[], recordedAt: number): Run {
  const [keyOf, file] = [valueFrom(key, recordedAt), bytesFrom(bytes as RecordedBytes)];
  return async (env, fresh) => {
    const sha256 = await crypto.subtle.digest('SHA-256', file);
    await (env[binding] as R2Bucket).put(String(keyOf(fresh)), file, { ...(options as R2PutOptions), sha256 });
  };
}

function batchOf(binding: string, statements: readonly RecordedStatement[], recordedAt: number): Run {
  const made = statements.map(({ sql, params }) => ({
    sql,
    values: params.map((param) => valueFrom(param, recordedAt)),
  }));
  return async (env, fresh) => {
    const db = env[binding] as D1Database;
    const results = await db.batch(
      made.map(({ sql, values }) => db.prepare(sql).bind(...values.map((value) => value(fresh)))),
    );
    return results.map((each) => each.results);
  };
}

/** Epoch ms from 2020 to 2033. */
const TIME = /(?<![\w.-])1[6-9]\d{11}(?![\w.-])/;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const CHANGING = new RegExp(`(${ID.source}|${ISO_TIME.source}|${TIME.source})`);

/** What stands for a recorded value in later requests. What does not change is the same value each time. */
function valueFrom(recorded: unknown, recordedAt: number): Value {
  if (typeof recorded === 'string') return textFrom(recorded, recordedAt);
  if (typeof recorded === 'number' && TIME.test(String(recorded))) return ({ now }) => recorded + now - recordedAt;
  if (typeof recorded !== 'object' || recorded === null) return () => recorded;
  if ('base64' in recorded) {
    const bytes = bytesFrom(recorded as RecordedBytes);
    return () => bytes;
  }
  if (Array.isArray(recorded)) {
    const values = recorded.map((each) => valueFrom(each, recordedAt));
    return (fresh) => values.map((value) => value(fresh));
  }
  const entries = Object.entries(recorded).map(([name, each]) => [name, valueFrom(each, recordedAt)] as const);
  return (fresh) => Object.fromEntries(entries.map(([name, value]) => [name, value(fresh)]));
}

function textFrom(recorded: string, recordedAt: number): (fresh: Fresh) => string {
  // Split by a pattern in brackets: every second part is what it found.
  const parts = recorded
    .split(CHANGING)
    .map((part, index) => (index % 2 === 0 ? () => part : foundIn(part, recordedAt)));
  if (parts.length === 1) return () => recorded;
  return (fresh) => parts.reduce((text, part) => text + part(fresh), '');
}

function foundIn(text: string, recordedAt: number): (fresh: Fresh) => string {
  if (ISO_TIME.test(text)) return ({ now }) => new Date(Date.parse(text) + now - recordedAt).toISOString();
  if (!ID.test(text)) return ({ now }) => String(Number(text) + now - recordedAt);
  if (timeOfId(text) < recordedAt) return () => text;
  return ({ now, ids }) => {
    const made = ids.get(text) ?? newId(now);
    ids.set(text, made);
    return made;
  };
}

function bytesFrom({ base64 }: RecordedBytes): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
