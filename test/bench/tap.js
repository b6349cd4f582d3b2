// Stands between a bundled Worker and its bindings, and logs each call with its arguments and what it cost. Used to count and
// to record, never while anything is timed.
import worker from './index.js';

const environments = new WeakMap();
/** Orders the beginnings and ends of calls and answers. */
let moment = 0;

export default {
  async fetch(request, env, ctx) {
    const deferred = [];
    const waitUntil = (work) => {
      deferred.push(work);
      ctx.waitUntil(work);
    };
    const answer = await worker.fetch(request, tapped(env), { waitUntil });
    tell({ answered: moment++ });
    ctx.waitUntil(settle(deferred));
    return answer;
  },
  queue: (batch, env, ctx) => worker.queue(batch, tapped(env), ctx),
};

/** Tells when all is done that the request left for after its answer. */
async function settle(deferred) {
  while (deferred.length > 0) await Promise.allSettled(deferred.splice(0));
  tell({ settled: true });
}

function tapped(env) {
  const known = environments.get(env);
  if (known) return known;
  const made = Object.fromEntries(
    Object.entries(env).map(([name, binding]) => [name, typeof binding === 'object' ? tap(name, binding) : binding]),
  );
  environments.set(env, made);
  return made;
}

function tap(name, binding) {
  return 'prepare' in binding ? database(name, binding) : anyBinding(name, binding);
}

/** A limiter, a bucket or a queue. */
function anyBinding(name, binding) {
  const get =
    (_, method) =>
    async (...args) => {
      const began = moment++;
      const result = await binding[method](...args);
      tell({ binding: name, method, args, began, ended: moment++ });
      return result;
    };
  return new Proxy({}, { get });
}

function database(name, db) {
  return { prepare: (sql) => statement(db.prepare(sql), sql, []), batch: (statements) => batch(name, db, statements) };
}

function statement(real, sql, params) {
  return { real, sql, params, bind: (...values) => statement(real.bind(...values), sql, values) };
}

async function batch(name, db, statements) {
  const began = moment++;
  const results = await db.batch(statements.map(({ real }) => real));
  const sum = (field) => results.reduce((total, { meta }) => total + meta[field], 0);
  const cost = {
    statements: results.length,
    rows_read: sum('rows_read'),
    rows_written: sum('rows_written'),
  };
  const args = statements.map(({ sql, params }) => ({ sql, params }));
  tell({ binding: name, method: 'batch', args, began, ended: moment++, ...cost });
  return results;
}

function tell(line) {
  console.log(JSON.stringify({ event: 'tap', ...line }, (_, value) => (isBytes(value) ? inBase64(value) : value)));
}

function isBytes(value) {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

function inBase64(bytes) {
  return { base64: new Uint8Array(bytes).toBase64() };
}
