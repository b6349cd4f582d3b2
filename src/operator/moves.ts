import { Hono } from 'hono';
import { copiesFrom, type MoveProgress, moveOrganization, readMove } from '../directory/service';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { moveSchema } from './schemas';

const BODY_BYTES_MAX = 1024;

/** Moving an organization to another database: POST begins and goes on, GET tells how far it is. */
export const moveRoutes = new Hono<HttpEnv>()
  .post('/organizations/:orgId/move', jsonBody(BODY_BYTES_MAX), valid('json', moveSchema), async (c) => {
    const { shard } = c.req.valid('json');
    return c.json(answerOf(await moveOrganization(c.var.ctx, c.req.param('orgId'), shard)), 202);
  })
  .get('/organizations/:orgId/move', async (c) => {
    return c.json(answerOf(await readMove(c.var.ctx, c.req.param('orgId'))));
  });

function answerOf({ orgId, shard, move }: MoveProgress) {
  const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  const home = { org_id: orgId, shard };
  if (!move) return { ...home, state: 'settled' };
  const { step, fromShard, toShard, tableName, copied, round, fencedAt, startedAt, finishedAt, failure } = move;
  return {
    ...home,
    state: finishedAt === null ? 'moving' : step === 'done' ? 'settled' : 'failed',
    step,
    from: fromShard,
    to: toShard,
    table: tableName,
    rows_copied: copied,
    round,
    started_at: isoOf(startedAt),
    fenced_at: isoOf(fencedAt),
    copies_from: isoOf(copiesFrom(move)),
    finished_at: isoOf(finishedAt),
    failure,
  };
}
