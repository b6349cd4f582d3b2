import { Hono } from 'hono';
import type { HttpEnv } from '../platform/http/http';
import { pepperIds } from '../platform/mac';
import { DATABASE_BYTES_MAX } from '../tenants/limits';
import { type DatabaseState, probeDatabases } from '../tenants/service';
import { authenticateOperator } from './authenticate';
import { oldAuthSecrets, oldPeppers } from './peppers';

/** Whether the deployment can do its work, for the operator's monitoring: 503 when something cannot be reached. */
export const readyRoutes = new Hono<HttpEnv>().get('/readyz', authenticateOperator, async (c) => {
  const { ctx } = c.var;
  const databases = await probeDatabases(ctx);
  const statuses = databases.map(({ status }) => status);
  const status = statuses.includes('unreachable') ? 'error' : statuses.includes('warning') ? 'warning' : 'ok';
  const isDown = status === 'error';
  const peppers = { current: pepperIds(ctx)[0], old: isDown ? null : await oldPeppers(ctx) };
  const authSecrets = { current: ctx.config.authSecrets.currentId, old: isDown ? null : await oldAuthSecrets(ctx) };
  c.header('Cache-Control', 'no-store');
  c.header('X-Version', ctx.config.version);
  const report = { status, databases: databases.map(databaseOf), peppers, auth_secrets: authSecrets };
  return c.json(report, isDown ? 503 : 200);
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
