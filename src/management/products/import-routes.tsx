import { Hono } from 'hono';
import { ITEMS_MAX } from '../../inventory/limits';
import { changeInventory, type ItemStatus, STOCK_REASONS } from '../../inventory/service';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { once, showOnce, takeMade } from '../http/once';
import { INVENTORY_IMPORT } from '../http/paths';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import { type ImportLine, type LineFault, readImport } from './import-file';
import { importMessages } from './import-messages';
import { FAULTS_SHOWN, FILE_FIELD, type Imported, ImportPage } from './import-page';

/** Stocks of many products from a file: the command of the organization API, 500 lines at a time. */
export const importRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondImport(c, { imported: await takeMade<Imported>(c) }))
  .post('/', once(INVENTORY_IMPORT, importFile));

async function importFile(c: ManageContext): Promise<Response> {
  const { form } = c.var;
  const t = importMessages(c.var).importFaults;
  const refuse = (fieldErrors: FieldErrors) => respondImport(c, { fieldErrors });
  if (form.isTooLarge) return refuse({ [FILE_FIELD]: t.size });
  const reason = STOCK_REASONS.find((each) => each === form.text('reason'));
  if (!reason) return refuse({ reason: sharedMessages(c.var).fieldErrors.reason_required });
  const bytes = await form.file(FILE_FIELD);
  if (!bytes) return refuse({ [FILE_FIELD]: t.none });
  const read = readImport(bytes);
  if (read.refused) return refuse({ [FILE_FIELD]: t[read.refused] });
  const lines = read.lines.map((each) => ({ ...each, item: { ...each.item, reason } }));
  return showOnce(c, INVENTORY_IMPORT, await importLines(c.var.ctx, lines, read.faults));
}

/** Each chunk is one command, so what a failing one leaves undone is told by its first line. */
async function importLines(
  ctx: Context,
  lines: readonly ImportLine[],
  unread: readonly LineFault[],
): Promise<Imported> {
  const counts: Record<ItemStatus, number> = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const faults = [...unread];
  let stoppedAt: number | undefined;
  for (let start = 0; start < lines.length && stoppedAt === undefined; start += ITEMS_MAX) {
    const chunk = lines.slice(start, start + ITEMS_MAX);
    try {
      const { results } = await changeInventory(
        withFormId(ctx, start),
        chunk.map(({ item }) => item),
      );
      for (const [index, { status, fault }] of results.entries()) {
        counts[status] += 1;
        const { line, name } = chunk[index] as ImportLine;
        if (fault) faults.push({ line, name, fault });
      }
    } catch (error) {
      if (start === 0 || !(error instanceof AppError)) throw error;
      stoppedAt = chunk[0]?.line;
    }
  }
  const shown = faults.toSorted((a, b) => a.line - b.line).slice(0, FAULTS_SHOWN);
  return { counts: { ...counts, failed: faults.length }, faults: shown, stoppedAt };
}

/** A form that is sent again repeats none of its commands: each has an id of its own. */
function withFormId(ctx: Context, start: number): Context {
  return ctx.formId === undefined || start === 0 ? ctx : { ...ctx, formId: `${ctx.formId}:${start}` };
}

interface ImportState {
  fieldErrors?: FieldErrors;
  imported?: Imported | 'gone';
}

async function respondImport(c: ManageContext, state: ImportState = {}): Promise<Response> {
  const page = <ImportPage view={await viewOf(c, INVENTORY_IMPORT)} {...state} />;
  return respondPage(c, page, state.fieldErrors ? 400 : 200);
}
