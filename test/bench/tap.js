// Stands between a bundled Worker and its bindings, and logs each call of D1 and of a rate limiter with what it cost. Used
// for one publish only, never while anything is timed.
import worker from './index.js';

const environments = new WeakMap();

export default {
  fetch: (request, env, ctx) => worker.fetch(request, tapped(env), ctx),
  queue: (batch, env, ctx) => worker.queue(batch, tapped(env), ctx),
};

function tapped(env) {
  const known = environments.get(env);
  if (known) return known;
  const databases = Object.keys(env).filter((name) => /^DB(_\d+)?$/.test(name));
  const limiters = Object.keys(env).filter((name) => name.startsWith('RATE_'));
  const made = {
    ...env,
    ...Object.fromEntries(databases.map((name) => [name, database(env[name])])),
    ...Object.fromEntries(limiters.map((name) => [name, limiter(name, env[name])])),
  };
  environments.set(env, made);
  return made;
}

function database(db) {
  return { prepare: (query) => db.prepare(query), batch: (statements) => batch(db, statements) };
}

async function batch(db, statements) {
  const results = await db.batch(statements);
  const sum = (field) => results.reduce((total, { meta }) => total + meta[field], 0);
  const rows = { rows_read: sum('rows_read'), rows_written: sum('rows_written') };
  tell({ statements: results.length, ...rows, sql_ms: sum('duration') });
  return results;
}

function limiter(name, real) {
  return {
    limit(options) {
      tell({ limiter: name });
      return real.limit(options);
    },
  };
}

function tell(call) {
  console.log(JSON.stringify({ event: 'tap', ...call }));
}
