import { Hono } from 'hono';
import { AUDIT_KINDS, type AuditFilter, type AuditKind } from '../../audit/service';
import { addDays, startOf } from '../../platform/pharmacy-time';
import { exportAuditLog, readAuditLog } from '../../reports/service';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { AUDIT } from '../http/paths';
import { readDays } from '../ui/filters';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { formatSecond } from '../ui/format';
import { respondForm, viewOf } from '../ui/view';
import { actorText, fieldTexts, sentenceOf } from './labels';
import { AuditPage, type AuditQuery } from './log-page';
import { messages } from './messages';

const ID_MAX = 100;
const AUDIT_ID = /^[\da-f-]{36}$/;

/** For owners only: the use cases refuse everybody else. */
export const auditRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { query, filter, fieldErrors } = read(c);
    const log = await readAuditLog(c.var.ctx, filter);
    const view = await viewOf(c);
    return respondForm(c, <AuditPage {...{ view, query, fieldErrors, log }} />, fieldErrors);
  })
  .get('/export.csv', async (c) => {
    const { filter, query, fieldErrors } = read(c);
    if (hasFieldErrors(fieldErrors)) return c.redirect(`${AUDIT}?${new URLSearchParams({ ...query })}`, 303);
    const { rows, names, isCut } = await exportAuditLog(c.var.ctx, { ...filter, before: undefined });
    const { language } = c.var;
    const t = messages(c.var);
    const table: Cell[][] = rows.map((row) => [
      row.id,
      new Date(row.at).toISOString(),
      formatSecond(language, row.at),
      actorText(c.var, row, names),
      row.actorId,
      row.action,
      sentenceOf(c.var, row.action),
      row.entityId,
      fieldTexts(c.var, row.fields, names).join(', '),
      row.reasonCode,
      row.requestId,
    ]);
    // The file itself says what it leaves out, since it is passed on without the page that it came from.
    if (isCut) table.push([t.fileCut(rows.length)]);
    return respondCsv(c, t.fileName, [[...t.columns], ...table]);
  });

/** Reads the filter from the query. Unknown values are ignored; an invalid date is an error. */
function read(c: ManageContext): { query: AuditQuery; filter: AuditFilter; fieldErrors: FieldErrors } {
  const asked = (name: string) => (c.req.query(name) ?? '').trim().slice(0, ID_MAX);
  const query = { kind: kindNamed(asked('kind')) ?? '', actor: asked('actor'), entity: asked('entity') };
  const typed = { from: asked('from'), to: asked('to') };
  const { from, to, fieldErrors } = readDays(typed, c.var);
  const before = AUDIT_ID.test(asked('before')) ? asked('before') : undefined;
  const filter = {
    kind: kindNamed(query.kind),
    actor: query.actor || undefined,
    entityId: query.entity || undefined,
    from: from === undefined ? undefined : startOf(from),
    to: to === undefined ? undefined : startOf(addDays(to, 1)),
    before,
  };
  return { query: { ...query, ...typed, before: before ?? '' }, filter, fieldErrors };
}

function kindNamed(text: string): AuditKind | undefined {
  return AUDIT_KINDS.find((kind) => kind === text);
}
