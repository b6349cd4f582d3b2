import { IMPORT_BYTES_MAX, IMPORT_LINES_MAX } from '../../inventory/limits';
import type { ItemStatus } from '../../inventory/service';
import { INVENTORY_IMPORT, PRODUCTS } from '../http/paths';
import { Form, Labeled, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel, Say } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import type { LineFault } from './import-file';
import { importMessages } from './import-messages';
import { messages } from './messages';
import { ReasonSelect } from './stock';

export const FILE_FIELD = 'stock_file';
/** More than a person reads on one page. */
export const FAULTS_SHOWN = 200;

/** What became of the lines of a file. */
export interface Imported {
  counts: Record<ItemStatus, number>;
  /** The first of them. */
  faults: LineFault[];
  /** From this line on nothing was taken. */
  stoppedAt?: number;
}

interface ImportProps {
  view: View;
  fieldErrors?: FieldErrors;
  /** `gone`: it was shown already. */
  imported?: Imported | 'gone';
}

export function ImportPage({ view, fieldErrors = {}, imported }: ImportProps) {
  const [t, i] = [messages(view), importMessages(view)];
  return (
    <Page view={view} title={t.importTitle} fieldErrors={fieldErrors} back={{ path: PRODUCTS, label: t.back }}>
      {imported === 'gone' && <Say tone="note">{i.importGone}</Say>}
      {imported && imported !== 'gone' && <Result view={view} imported={imported} />}
      <p class="quiet">{i.importLead(IMPORT_LINES_MAX, IMPORT_BYTES_MAX / 1024)}</p>
      <Form view={view} action={INVENTORY_IMPORT} withFile once>
        <Labeled
          name={FILE_FIELD}
          label={i.importFile}
          error={fieldErrors[FILE_FIELD]}
          control={(attributes) => <input {...attributes} type="file" accept="text/csv,.csv" />}
        />
        <Labeled
          name="reason"
          label={sharedMessages(view).common.reason}
          error={fieldErrors.reason}
          control={(attributes) => <ReasonSelect {...{ view, attributes }} />}
        />
        <Submit>{i.importAct}</Submit>
      </Form>
      <Panel title={i.importColumns}>
        <dl>
          {Object.entries(i.importColumnOf).map(([column, says]) => (
            <>
              <dt>
                <code>{column}</code>
              </dt>
              <dd>{says}</dd>
            </>
          ))}
        </dl>
      </Panel>
    </Page>
  );
}

function Result({ view, imported }: { view: View; imported: Imported }) {
  const [t, i] = [messages(view), importMessages(view)];
  const { counts, faults, stoppedAt } = imported;
  const told = (Object.keys(i.importCounts) as ItemStatus[]).filter((status) => counts[status] > 0);
  return (
    <Panel title={i.importResult}>
      <Say tone={counts.failed > 0 || stoppedAt !== undefined ? 'wait' : 'good'} role="status" isFocused>
        {told.map((status) => `${counts[status]} ${i.importCounts[status]}`).join(', ')}
      </Say>
      {stoppedAt !== undefined && <Say tone="bad">{i.importStopped(stoppedAt)}</Say>}
      {faults.length > 0 && (
        <Table
          class="lines"
          rows={faults}
          columns={[
            { label: i.importLine, kind: 'number', cell: ({ line }) => line },
            { label: t.product, cell: ({ name }) => <bdi>{name}</bdi> },
            { label: i.importWhy, cell: (each) => <Why view={view} {...each} /> },
          ]}
        />
      )}
      {counts.failed > faults.length && <p class="quiet">{i.importMore(counts.failed - faults.length)}</p>}
    </Panel>
  );
}

function Why({ view, fault, column }: { view: View } & Pick<LineFault, 'fault' | 'column'>) {
  const i = importMessages(view);
  return (
    <>
      {column && (
        <>
          <code>{column}</code>{' '}
        </>
      )}
      {i.itemFaults[fault]}
    </>
  );
}
