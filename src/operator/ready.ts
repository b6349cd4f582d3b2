import { Hono } from 'hono';
import { type Health, readHealth } from '../health/service';
import type { HttpEnv } from '../platform/http/http';
import { pepperIds } from '../platform/mac';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from '../tenants/limits';
import { authenticateOperator } from './authenticate';
import { oldAuthSecrets, oldPeppers } from './peppers';

/** Whether the deployment can do its work, check by check, for monitoring: 503 while one of them is failing. */
export const readyRoutes = new Hono<HttpEnv>().get(
  '/readyz',
  authenticateOperator(() => ['ready']),
  async (c) => {
    const { ctx } = c.var;
    const { status, checks, databases } = await readHealth(ctx);
    const answersAll = databases.every(({ answer }) => answer?.figures);
    const peppers = { current: pepperIds(ctx)[0], old: answersAll ? await oldPeppers(ctx) : null };
    const authSecrets = {
      current: ctx.config.authSecrets.currentId,
      old: answersAll ? await oldAuthSecrets(ctx) : null,
    };
    c.header('Cache-Control', 'no-store');
    const report = { status, checks, databases: databases.map(databaseOf), peppers, auth_secrets: authSecrets };
    return c.json(report, status === 'failing' ? 503 : 200);
  },
);

function databaseOf({ shard, durationMs, answer }: Health['databases'][number]) {
  const bytes = answer?.sizeBytes ?? null;
  return {
    shard,
    status: bytes === null ? 'unreachable' : bytes < DATABASE_BYTES_WARNING ? 'ok' : 'warning',
    size_bytes: bytes,
    size_limit_bytes: DATABASE_BYTES_MAX,
    used: bytes === null ? null : Math.round((bytes / DATABASE_BYTES_MAX) * 10_000) / 10_000,
    organizations: answer?.figures?.live ?? null,
    duration_ms: durationMs,
  };
}
