import { ITEMS_MAX } from '../../inventory/limits';
import type { Figures, LinePreview, ReadImport } from '../../inventory/service';
import { INVENTORY_IMPORT, importPath, PRODUCTS, withQuery } from '../http/paths';
import { Form } from '../ui/fields';
import { formatCount, formatDate, formatMoney } from '../ui/format';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { Say } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { importMessages } from './import-messages';
import { messages } from './messages';

/** The outcomes in the order of their tabs: what needs a look first. */
const SHOWN = ['failed', 'updated', 'created', 'unchanged'] as const;
type Shown = (typeof SHOWN)[number];
/** More than a person reads on one page. */
const LINES_SHOWN = 100;

export function isShown(text: string): text is Shown {
  return SHOWN.some((each) => each === text);
}

interface StateProps {
  view: View;
  read: ReadImport;
  /** The tab that is asked for. */
  shown?: Shown;
}

/** What an import would do, how far it is, or what became of it. */
export function ImportStatePage({ view, read, shown }: StateProps) {
  const i = importMessages(view);
  const { lineCount, doneCount, expiresAt } = read;
  const step = doneCount === 0 ? 'preview' : doneCount < lineCount ? 'running' : 'report';
  const lines = formatCount(view.language, lineCount);
  const title = { preview: i.importPreviewTitle, running: i.importRunningTitle, report: i.importReportTitle }[step];
  return (
    <Page
      view={view}
      title={title}
      lead={i.importLines(lines)}
      back={{ path: INVENTORY_IMPORT, label: i.importAnother }}
      acts={
        step === 'report' && (
          <>
            <a class="button" href={INVENTORY_IMPORT}>
              {i.importAnother}
            </a>
            <a class="button primary" href={PRODUCTS}>
              {i.importToProducts}
            </a>
          </>
        )
      }
    >
      {step === 'preview' && <Preview view={view} read={read} />}
      {step === 'running' && <Running view={view} read={read} />}
      {step === 'report' && <Report view={view} read={read} />}
      {step !== 'running' && <Lines view={view} read={read} shown={shown} isPreview={step === 'preview'} />}
      <p class="quiet">{i.importUntil(formatDate(view.language, expiresAt))}</p>
    </Page>
  );
}

function Preview({ view, read }: Omit<StateProps, 'shown'>) {
  const i = importMessages(view);
  const doesSomething = read.outcomes.some(({ status }) => status === 'created' || status === 'updated');
  return (
    <>
      {read.ignored.length > 0 && <Say tone="wait">{i.importIgnored(read.ignored.join(', ').slice(0, 500))}</Say>}
      {doesSomething ? (
        <>
          <Say tone="note">{i.importNothingYet}</Say>
          <RunForm view={view} id={read.id} isFirst />
        </>
      ) : (
        <Say tone="wait">
          <p>{i.importNothing}</p>
          <FailedFile view={view} read={read} />
        </Say>
      )}
    </>
  );
}

function Running({ view, read }: Omit<StateProps, 'shown'>) {
  const i = importMessages(view);
  const { id, lineCount, doneCount } = read;
  const says = i.importProgress(formatCount(view.language, doneCount), formatCount(view.language, lineCount));
  return (
    <section class="panel wide">
      <p role="status">{says}</p>
      <progress class="meter" max={lineCount} value={doneCount} aria-label={says}></progress>
      <p class="quiet">{i.importGoesOn(ITEMS_MAX)}</p>
      <RunForm view={view} id={id} />
    </section>
  );
}

/** Carries out the next part. The script sends it by itself once the first was asked for. */
function RunForm({ view, id, isFirst = false }: { view: View; id: string; isFirst?: boolean }) {
  const i = importMessages(view);
  return (
    <Form view={view} action={`${importPath(id)}/run`} goesOn={!isFirst}>
      <button class="primary" type="submit">
        {isFirst ? i.importAct : i.importNext}
      </button>
    </Form>
  );
}

function Report({ view, read }: Omit<StateProps, 'shown'>) {
  const isWhole = read.outcomes.every(({ status }) => status !== 'failed');
  return (
    <Say tone={isWhole ? 'good' : 'wait'} role="status" isFocused>
      <p>{countsOf(view, read.outcomes)}</p>
      <FailedFile view={view} read={read} />
    </Say>
  );
}

/** The refused lines with why, to be corrected and imported again. */
function FailedFile({ view, read }: Omit<StateProps, 'shown'>) {
  if (!read.outcomes.some(({ status }) => status === 'failed')) return null;
  return (
    <a class="button" href={`${importPath(read.id)}/failed`}>
      <Icon name="download" />
      {importMessages(view).importFailedAct}
    </a>
  );
}

function countsOf(view: View, outcomes: readonly LinePreview[]): string {
  const i = importMessages(view);
  const told = (['created', 'updated', 'unchanged', 'failed'] as const).flatMap((status) => {
    const count = outcomes.filter((each) => each.status === status).length;
    return count > 0 ? [`${formatCount(view.language, count)} ${i.importCounts[status]}`] : [];
  });
  return told.join(', ');
}

function Lines({ view, read, shown, isPreview }: StateProps & { isPreview: boolean }) {
  const [t, i] = [messages(view), importMessages(view)];
  const by = Map.groupBy(read.outcomes, ({ status }) => status);
  const tab = shown ?? SHOWN.find((status) => by.has(status)) ?? 'updated';
  const lines = by.get(tab) ?? [];
  const says = isPreview ? i.importWould : i.importBecame;
  return (
    <>
      <nav class="tabs import-tabs" aria-label={i.importResult}>
        {SHOWN.map((status) => (
          <a href={withQuery(importPath(read.id), { show: status })} aria-current={status === tab ? 'page' : undefined}>
            {says[status]} <span class="count">{formatCount(view.language, by.get(status)?.length ?? 0)}</span>
          </a>
        ))}
      </nav>
      {lines.length === 0 ? (
        <p class="quiet">{i.importNone}</p>
      ) : (
        <Table
          class="import-lines"
          rows={lines.slice(0, LINES_SHOWN)}
          columns={[
            { label: i.importLine, kind: 'number', class: 'line', cell: ({ line }) => line },
            { label: t.product, cell: ({ name }) => <bdi>{name}</bdi> },
            ...(tab === 'failed'
              ? [{ label: i.importWhy, cell: (each: LinePreview) => <Why view={view} {...each} /> }]
              : isPreview
                ? [{ label: i.importChange, cell: (each: LinePreview) => <Change view={view} {...each} /> }]
                : []),
          ]}
        />
      )}
      {lines.length > LINES_SHOWN && (
        <p class="quiet">{i.importMore(formatCount(view.language, lines.length - LINES_SHOWN))}</p>
      )}
    </>
  );
}

function Why({ view, fault, column }: { view: View } & Pick<LinePreview, 'fault' | 'column'>) {
  const i = importMessages(view);
  return (
    <>
      {column && (
        <>
          <bdi>{column}</bdi>:{' '}
        </>
      )}
      {fault && i.itemFaults[fault]}
    </>
  );
}

/** What a line changes: old and new. */
function Change({ view, before, after }: { view: View } & Pick<LinePreview, 'before' | 'after'>) {
  const [t, i] = [messages(view), importMessages(view)];
  if (!after) return null;
  const text = (name: keyof Figures, figures: Figures | undefined) => {
    const value = figures?.[name];
    if (value === undefined || value === null) return t.none;
    return name === 'priceCents' ? formatMoney(view.language, value) : formatCount(view.language, value);
  };
  const names = (Object.keys(i.importFigures) as (keyof Figures)[]).filter((name) =>
    before ? before[name] !== after[name] : after[name] !== null,
  );
  return (
    <>
      {names.map((name, index) => (
        <>
          {index > 0 && ' · '}
          <span class="quiet">{i.importFigures[name]}</span> {before && <s>{text(name, before)}</s>}
          {before && (
            <>
              {' '}
              <Icon name="right" />
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
