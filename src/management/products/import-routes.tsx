import { Hono } from 'hono';
import {
  continueImport,
  type Figures,
  keepImport,
  type LinePreview,
  listImports,
  namesInImport,
  type ReadImport,
  readFailedLines,
  readImport,
  stepOf,
} from '../../inventory/imports/imports';
import { IMPORT_BYTES_MAX, IMPORT_KEPT_DAYS, IMPORT_LINES_MAX, IMPORT_PART_LINES } from '../../inventory/limits';
import { STOCK_REASONS } from '../../inventory/tables';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { FORM_ID_FIELD, newFormId } from '../http/form-data';
import type { Reader } from '../http/language';
import { INVENTORY_IMPORT, idOf, importPath, PRODUCTS, withQuery } from '../http/paths';
import { IMPORT_LINES_SHOWN } from '../limits';
import { Form, Labeled, Submit } from '../ui/fields';
import { formatCount, formatDate, formatMoney, kept } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, Facts, Icon, Notice, Panel, Wrapping } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, respondPage, useView, type View } from '../ui/view';
import { readImportFile } from './import-file';
import { importMessages } from './import-messages';
import { messages } from './messages';
import { ReasonSelect } from './product-table';

/** Routes that import stocks and prices of many products from a file: first a preview, then the import in parts. */
export const importRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondImport(c))
  .post('/', keepFile)
  .get('/:id', async (c) => {
    const read = await readImport(c.var.ctx, idOf(c));
    const shown = read.step === 'running' ? null : await shownOf(c, read);
    return respondPage(c, <ImportStatePage read={read} shown={shown} />);
  })
  // Each request runs the next part, if any is left. No part runs twice.
  .post('/:id/run', async (c) => {
    const id = idOf(c);
    await continueImport(c.var.ctx, id);
    return c.redirect(importPath(id), 303);
  })
  .get('/:id/failed', async (c) => {
    const { header, failed } = await readFailedLines(c.var.ctx, idOf(c));
    const i = importMessages(c.var);
    async function* rows() {
      yield [...header, i.importLine, i.importWhy];
      for await (const { fields, line, fault, column } of failed) {
        yield [...header.map((_, index) => cellOf(fields[index] ?? '')), line, whyOf(c.var, { fault, column })];
      }
    }
    return respondCsv(c, i.importFailedFile, rows());
  });

/**
 * The CSV cell for a field of the imported file. A number with a sign becomes a number cell, because spreadsheets may
 * run such a text as a formula. Any other field stays text.
 */
function cellOf(field: string): Cell {
  return /^[+-][1-9]\d{0,8}$/.test(field) ? Number(field) : field;
}

async function keepFile(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const t = importMessages(c.var).importFaults;
  const pasted = form.secret(TEXT_FIELD);
  const refuse = (fieldErrors: FieldErrors) => respondImport(c, { fieldErrors, pasted });
  if (form.isTooLarge) return refuse({ [FILE_FIELD]: t.size });
  const typed = form.text('reason');
  const reason = STOCK_REASONS.find((each) => each === typed);
  if (typed !== '' && !reason) return refuse({ reason: sharedMessages(c.var).fieldErrors.reason_required });
  const file = await form.file(FILE_FIELD);
  const bytes = file ?? (pasted.trim() === '' ? null : utf8(pasted.trim()));
  if (!bytes) return refuse({ [FILE_FIELD]: t.none });
  const field = file ? FILE_FIELD : TEXT_FIELD;
  if (bytes.length > IMPORT_BYTES_MAX) return refuse({ [field]: t.size });
  const read = readImportFile(bytes, reason);
  if (read.refused) return refuse({ [field]: t[read.refused] });
  const id = await importId(form.text(FORM_ID_FIELD) || newFormId(), bytes);
  await keepImport(ctx, { id, ...read });
  return c.redirect(importPath(id), 303);
}

/**
 * The id of an import: a hash of the form's id and the file. If the same form sends the same file again, the id is the
 * same. Nobody can guess it without the form's id.
 */
async function importId(formId: string, bytes: Uint8Array): Promise<string> {
  const of = new Uint8Array([...utf8(formId), ...(await sha256(bytes))]);
  return toHex(await sha256(of)).slice(0, 32);
}

async function respondImport(c: ManageContext, refused: Omit<ImportProps, 'newest'> = {}): Promise<Response> {
  const newest = await listImports(c.var.ctx);
  return respondPage(c, <ImportPage newest={newest} {...refused} />, refused.fieldErrors ? 400 : 200, INVENTORY_IMPORT);
}

const FILE_FIELD = 'stock_file';
const TEXT_FIELD = 'stock_text';

interface ImportProps {
  newest: Awaited<ReturnType<typeof listImports>>;
  fieldErrors?: FieldErrors;
  pasted?: string;
}

function ImportPage({ newest, fieldErrors = {}, pasted = '' }: ImportProps) {
  const [t, i] = [messages(), importMessages()];
  return (
    <Page title={t.importTitle} fieldErrors={fieldErrors} back={{ path: PRODUCTS, label: t.back }}>
      <div class="halves">
        <div>
          <Panel title={i.importFile}>
            <p class="quiet">{i.importLead(formatCount(IMPORT_LINES_MAX), IMPORT_BYTES_MAX / 1024 / 1024)}</p>
            <Form action={INVENTORY_IMPORT} withFile once>
              <Labeled
                name={FILE_FIELD}
                label={i.importFile}
                error={fieldErrors[FILE_FIELD]}
                control={(attributes) => <input {...attributes} type="file" accept="text/csv,.csv,.txt" />}
              />
              <Labeled
                name={TEXT_FIELD}
                label={i.importPaste}
                error={fieldErrors[TEXT_FIELD]}
                control={(attributes) => (
                  <textarea {...attributes} rows={4} spellcheck={false} placeholder={i.importExample}>
                    {pasted}
                  </textarea>
                )}
              />
              <ReasonSelect fieldErrors={fieldErrors} />
              <Submit>{i.importLook}</Submit>
            </Form>
          </Panel>
        </div>
        <aside>
          {newest.length > 0 && <Newest newest={newest} />}
          <Panel title={i.importColumns}>
            <Facts
              entries={Object.values(i.importColumnOf).map(([column, says]) => [
                <code>{column}</code>,
                <Wrapping text={says} />,
              ])}
            />
            <p class="quiet">{i.importHeadings}</p>
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

/** Recent imports, with links to continue them or to open their reports. */
function Newest({ newest }: Pick<ImportProps, 'newest'>) {
  const i = importMessages();
  return (
    <Panel title={i.importNewest}>
      <ul class="history">
        {newest.map(({ id, lineCount, createdAt, partCount, doneCount }) => (
          <li>
            <a href={importPath(id)}>{i.importLines(formatCount(lineCount))}</a>{' '}
            <span class="quiet">
              <Time at={createdAt} />
              {': '}
              {
                { preview: i.importNotYet, running: i.importUnderWay, report: i.importDone }[
                  stepOf(doneCount, partCount)
                ]
              }
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">{i.importKept(IMPORT_KEPT_DAYS)}</p>
    </Panel>
  );
}

/** The outcomes in the order of their tabs: failures come first. */
const SHOWN = ['failed', 'updated', 'created', 'unchanged'] as const;

interface StateProps {
  read: ReadImport;
  /** Null while the import is running. */
  shown: Awaited<ReturnType<typeof shownOf>> | null;
}

/**
 * The lines of each outcome, and the tab to show, with its first lines and the names of their products by p1_id. It is
 * the requested tab, else the first one with lines.
 */
async function shownOf(c: ManageContext, { outcomes, step }: ReadImport) {
  const by = Map.groupBy(outcomes, ({ status }) => status);
  const asked = c.req.query('show');
  const first = step === 'preview' ? (['updated', 'created'] as const) : SHOWN;
  const tab =
    SHOWN.find((each) => each === asked) ?? [...first, ...SHOWN].find((status) => by.has(status)) ?? 'updated';
  const lines = (by.get(tab) ?? []).slice(0, IMPORT_LINES_SHOWN);
  return { by, tab, lines, names: await namesInImport(c.var.ctx, lines) };
}

/** The preview, progress, or report of an import. */
function ImportStatePage({ read, shown }: StateProps) {
  const i = importMessages();
  const { lineCount, expiresAt, step } = read;
  const lines = formatCount(lineCount);
  const title = { preview: i.importPreviewTitle, running: i.importRunningTitle, report: i.importReportTitle }[step];
  return (
    <Page
      title={title}
      lead={i.importLines(lines)}
      back={{ path: INVENTORY_IMPORT, label: i.importAnother }}
      acts={
        step === 'report' && (
          <>
            <ButtonLink path={INVENTORY_IMPORT} label={i.importAnother} />
            <ButtonLink path={PRODUCTS} tone="primary" label={i.importToProducts} />
          </>
        )
      }
    >
      {step === 'preview' && <Preview read={read} />}
      {step === 'running' && <Running read={read} />}
      {step === 'report' && <Report read={read} />}
      {shown && <Lines {...{ read, shown }} isPreview={step === 'preview'} />}
      <p class="quiet page-end">{i.importUntil(formatDate(expiresAt))}</p>
    </Page>
  );
}

function Preview({ read }: Pick<StateProps, 'read'>) {
  const i = importMessages();
  const count = read.outcomes.filter(({ status }) => status === 'created' || status === 'updated').length;
  return (
    <>
      {read.ignored.length > 0 && <Notice tone="wait">{i.importIgnored(read.ignored.join(', ').slice(0, 500))}</Notice>}
      {count > 0 ? (
        <>
          <Notice tone="note">{i.importNothingYet}</Notice>
          <RunForm id={read.id} count={count} />
        </>
      ) : (
        <Notice tone="wait">
          <p>{i.importNothing}</p>
          <FailedFile read={read} />
        </Notice>
      )}
    </>
  );
}

function Running({ read }: Pick<StateProps, 'read'>) {
  const i = importMessages();
  const { id, lineCount, doneCount } = read;
  const says = i.importProgress(formatCount(doneCount), formatCount(lineCount));
  return (
    <section class="panel wide">
      <p role="status">{says}</p>
      <progress class="meter" max={lineCount} value={doneCount} aria-label={says}></progress>
      <p class="quiet">{i.importGoesOn(IMPORT_PART_LINES)}</p>
      <RunForm id={id} />
    </section>
  );
}

/**
 * The form that runs the next part of an import. A person submits it for the first part. The script submits it for all
 * further parts.
 */
function RunForm({ id, count }: { id: string; count?: number }) {
  const i = importMessages();
  return (
    <Form action={`${importPath(id)}/run`} goesOn={count === undefined}>
      <Submit>{count === undefined ? i.importNext : i.importAct(formatCount(count))}</Submit>
    </Form>
  );
}

function Report({ read }: Pick<StateProps, 'read'>) {
  const isWhole = read.outcomes.every(({ status }) => status !== 'failed');
  return (
    <Notice tone={isWhole ? 'good' : 'wait'} role="status" isFocused>
      <p>{countsOf(useView(), read.outcomes)}</p>
      <FailedFile read={read} />
    </Notice>
  );
}

/** The link to a file with the refused lines and the reasons, so that people can correct it and import it again. */
function FailedFile({ read }: Pick<StateProps, 'read'>) {
  if (!read.outcomes.some(({ status }) => status === 'failed')) return null;
  return <ButtonLink path={`${importPath(read.id)}/failed`} icon="download" label={importMessages().importFailedAct} />;
}

function countsOf(view: View, outcomes: readonly LinePreview[]): string {
  const told = (['created', 'updated', 'unchanged', 'failed'] as const).flatMap((status) => {
    const count = outcomes.filter((each) => each.status === status).length;
    return count > 0 ? [`${formatCount(count, view)} ${importMessages(view).importCounts[status]}`] : [];
  });
  return told.join(', ');
}

type LinesProps = { read: ReadImport; shown: NonNullable<StateProps['shown']>; isPreview: boolean };

function Lines({ read, shown: { by, tab, lines, names }, isPreview }: LinesProps) {
  const [t, i] = [messages(), importMessages()];
  const left = (by.get(tab)?.length ?? 0) - lines.length;
  const says = isPreview ? i.importWould : i.importBecame;
  return (
    <>
      <nav class="tabs import-tabs" aria-label={i.importResult}>
        {SHOWN.map((status) => (
          <a href={withQuery(importPath(read.id), { show: status })} aria-current={status === tab ? 'page' : undefined}>
            {says[status]} <span class="count">{formatCount(by.get(status)?.length ?? 0)}</span>
          </a>
        ))}
      </nav>
      {lines.length === 0 ? (
        <p class="quiet">{i.importNone}</p>
      ) : (
        <Table
          class="import-lines"
          rows={lines}
          columns={[
            { label: i.importLine, kind: 'number', class: 'line', cell: ({ line }) => line },
            {
              label: t.product,
              cell: ({ name, p1Id = '' }) => (
                <>
                  <bdi>{kept(names.get(p1Id) ?? name)}</bdi>
                  {names.has(p1Id) && <small>{name}</small>}
                </>
              ),
            },
            tab === 'failed'
              ? { label: i.importWhy, cell: (each) => <bdi>{whyOf(useView(), each)}</bdi> }
              : { label: isPreview ? i.importChange : i.importChanged, cell: (each) => <Change {...each} /> },
          ]}
        />
      )}
      {left > 0 && <p class="quiet">{i.importMore(formatCount(left))}</p>}
    </>
  );
}

/** Why a line is refused, after the heading of the column that cannot be read. */
function whyOf(reader: Reader, { fault, column }: Pick<LinePreview, 'fault' | 'column'>): string {
  return [column, fault && importMessages(reader).itemFaults[fault]].filter(Boolean).join(': ');
}

/** The changes of a line, with old and new values. */
function Change({ before, after }: Pick<LinePreview, 'before' | 'after'>) {
  const [t, i] = [messages(), importMessages()];
  if (!after) return null;
  const text = (name: keyof Figures, figures: Figures | undefined) => {
    const value = figures?.[name];
    if (value === undefined || value === null) return t.none;
    return name === 'priceCents' ? formatMoney(value) : formatCount(value);
  };
  const names = (Object.keys(i.importFigures) as (keyof Figures)[]).filter((name) =>
    before ? before[name] !== after[name] : after[name] !== null,
  );
  return (
    <>
      {names.map((name, index) => (
        <>
          {index > 0 && ' · '}
          <span class="quiet">{i.importFigures[name]}</span>{' '}
          {before && (
            <>
              <s>{text(name, before)}</s> <Icon name="right" />
              <span class="unseen">{i.importTo}</span>{' '}
            </>
          )}
          <strong>{text(name, after)}</strong>
        </>
      ))}
      {names.length === 0 && `${i.importFigures.onHand} ${text('onHand', after)}`}
    </>
  );
}
