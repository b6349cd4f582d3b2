import { Hono } from 'hono';
import type { HttpEnv } from '../platform/http';
import { pepperIds } from '../platform/mac';
import { DATABASE_BYTES_MAX } from '../tenants/limits';
import { type DatabaseState, probeDatabases } from '../tenants/service';
import { authenticateOperator } from './authenticate';
import { oldPeppers } from './peppers';

/** Whether the deployment can do its work, for the operator's monitoring: 503 when something cannot be reached. */
export const readyRoutes = new Hono<HttpEnv>().get('/readyz', authenticateOperator, async (c) => {
  const { ctx } = c.var;
  const databases = await probeDatabases(ctx);
  const statuses = databases.map(({ status }) => status);
  const status = statuses.includes('unreachable') ? 'error' : statuses.includes('warning') ? 'warning' : 'ok';
  const peppers = { current: pepperIds(ctx)[0], old: status === 'error' ? null : await oldPeppers(ctx) };
  c.header('Cache-Control', 'no-store');
  return c.json({ status, databases: databases.map(databaseOf), peppers }, status === 'error' ? 503 : 200);
});

function databaseOf(state: DatabaseState) {
  const { shard, status, durationMs } = state;
  const answered = state.status === 'unreachable' ? null : state;
  return {
    shard,
    status,
    size_bytes: answered?.sizeBytes ?? null,
    size_limit_bytes: DATABASE_BYTES_MAX,
    used: answered && Math.round(answered.used * 10_000) / 10_000,
    organizations: answered?.organizations ?? null,
    duration_ms: durationMs,
  };
}
