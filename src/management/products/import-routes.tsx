import { Hono } from 'hono';
import { IMPORT_BYTES_MAX } from '../../inventory/limits';
import {
  continueImport,
  keepImport,
  listImports,
  readFailedLines,
  readImport,
  STOCK_REASONS,
} from '../../inventory/service';
import { sha256, toHex, utf8 } from '../../platform/crypto';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { FORM_ID_FIELD, newFormId } from '../http/form-data';
import { INVENTORY_IMPORT, idOf, importPath } from '../http/paths';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import { readImportFile } from './import-file';
import { importMessages } from './import-messages';
import { FILE_FIELD, ImportPage, TEXT_FIELD } from './import-page';
import { ImportStatePage, isShown } from './import-state-page';

/** Stocks and prices of many products from a file: seen first, then carried out part by part. */
export const importRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondImport(c))
  .post('/', keepFile)
  .get('/:id', async (c) => {
    const read = await readImport(c.var.ctx, idOf(c));
    const asked = c.req.query('show');
    const shown = asked !== undefined && isShown(asked) ? asked : undefined;
    return respondPage(c, <ImportStatePage view={await viewOf(c)} read={read} shown={shown} />);
  })
  // Sent again, it carries out the next part, if there is one: no part twice.
  .post('/:id/run', async (c) => {
    const id = idOf(c);
    await continueImport(c.var.ctx, id);
    return c.redirect(importPath(id), 303);
  })
  .get('/:id/failed', async (c) => {
    const { header, failed } = await readFailedLines(c.var.ctx, idOf(c));
    const i = importMessages(c.var);
    const rows = failed.map(({ fields, line, fault, column }): Cell[] => [
      ...header.map((_, index) => cellOf(fields[index] ?? '')),
      line,
      [column, fault && i.itemFaults[fault]].filter(Boolean).join(': '),
    ]);
    return respondCsv(c, i.importFailedFile, [[...header, i.importLine, i.importWhy], ...rows]);
  });

/** A number with a sign is none that a spreadsheet would run; one that begins with zeros is a PZN. */
function cellOf(field: string): Cell {
  return /^[+-][1-9]\d{0,8}$/.test(field) ? Number(field) : field;
}

async function keepFile(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const t = importMessages(c.var).importFaults;
  const refuse = (fieldErrors: FieldErrors) => respondImport(c, { fieldErrors });
  if (form.isTooLarge) return refuse({ [FILE_FIELD]: t.size });
  const typed = form.text('reason');
  const reason = STOCK_REASONS.find((each) => each === typed);
  if (typed !== '' && !reason) return refuse({ reason: sharedMessages(c.var).fieldErrors.reason_required });
  const pasted = form.secret(TEXT_FIELD).trim();
  const bytes = (await form.file(FILE_FIELD)) ?? (pasted === '' ? null : utf8(pasted));
  if (!bytes) return refuse({ [FILE_FIELD]: t.none });
  if (bytes.length > IMPORT_BYTES_MAX) return refuse({ [FILE_FIELD]: t.size });
  const read = readImportFile(bytes, reason);
  if (read.refused) return refuse({ [FILE_FIELD]: t[read.refused] });
  const id = await importId(form.text(FORM_ID_FIELD) || newFormId(), bytes);
  await keepImport(ctx, { id, ...read });
  return c.redirect(importPath(id), 303);
}

/** Nobody guesses it, and the same file of the same form has the same one. */
async function importId(formId: string, bytes: Uint8Array): Promise<string> {
  const of = new Uint8Array([...utf8(formId), ...(await sha256(bytes))]);
  return toHex(await sha256(of)).slice(0, 32);
}

interface ImportState {
  fieldErrors?: FieldErrors;
}

async function respondImport(c: ManageContext, { fieldErrors }: ImportState = {}): Promise<Response> {
  const newest = await listImports(c.var.ctx);
  const page = <ImportPage view={await viewOf(c, INVENTORY_IMPORT)} newest={newest} fieldErrors={fieldErrors} />;
  return respondPage(c, page, fieldErrors ? 400 : 200);
}
