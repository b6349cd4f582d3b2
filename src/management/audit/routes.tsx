import { Hono } from 'hono';
import { AUDIT_KINDS, type AuditKind } from '../../audit/service';
import { type AuditSearch, exportAuditLog, readAuditLog } from '../../reports/service';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { actorText } from '../ui/actor';
import { type DateFilter, readDateFilter } from '../ui/date-filter';
import { hasFieldErrors } from '../ui/form-errors';
import { formatSecond } from '../ui/format';
import { respondForm, viewOf } from '../ui/view';
import { fieldTexts, sentenceOf } from './labels';
import { AuditPage, type AuditQuery, auditPath, TABS } from './log-page';
import { messages } from './messages';

const ID_MAX = 100;
const AUDIT_ID = /^[\da-f-]{36}$/;

/** For owners only: the use cases refuse everybody else. */
export const auditRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { query, dates, search } = read(c);
    const log = await readAuditLog(c.var.ctx, search);
    const view = await viewOf(c);
    return respondForm(c, <AuditPage {...{ view, query, dates, log }} />, dates.fieldErrors);
  })
  .get('/export.csv', async (c) => {
    const { query, dates, search } = read(c);
    if (hasFieldErrors(dates.fieldErrors)) return c.redirect(auditPath(query, dates), 303);
    const { rows, names, isCut } = await exportAuditLog(c.var.ctx, { ...search, before: undefined });
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
function read(c: ManageContext): { query: AuditQuery; dates: DateFilter; search: AuditSearch } {
  const asked = (name: string) => (c.req.query(name) ?? '').trim().slice(0, ID_MAX);
  const kind = kindNamed(asked('kind'));
  const [q, actor, entity] = [asked('q'), asked('actor'), asked('entity')];
  const before = AUDIT_ID.test(asked('before')) ? asked('before') : '';
  // Whoever asks for one thing wants all about it.
  const usual = q !== '' || entity !== '' || kind !== undefined ? 'all' : 'decisions';
  const tab = TABS.find((name) => name === asked('tab')) ?? usual;
  const dates = readDateFilter(c);
  const { createdAfter, createdBefore } = dates.period;
  const search = {
    part: tab === 'all' ? undefined : tab,
    q: q || undefined,
    kind,
    actor: actor || undefined,
    entityId: entity || undefined,
    from: createdAfter === undefined ? undefined : createdAfter + 1,
    to: createdBefore,
    before: before || undefined,
  };
  return { query: { tab, q, kind: kind ?? '', actor, entity, before }, dates, search };
}

function kindNamed(text: string): AuditKind | undefined {
  return AUDIT_KINDS.find((kind) => kind === text);
}
