import { IMPORT_BYTES_MAX, IMPORT_KEPT_DAYS, IMPORT_LINES_MAX } from '../../inventory/limits';
import type { listImports } from '../../inventory/service';
import { INVENTORY_IMPORT, importPath, PRODUCTS } from '../http/paths';
import { Form, Labeled, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatCount } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { importMessages } from './import-messages';
import { messages } from './messages';
import { ReasonSelect } from './stock';

export const FILE_FIELD = 'stock_file';
export const TEXT_FIELD = 'stock_text';

interface ImportProps {
  view: View;
  newest: Awaited<ReturnType<typeof listImports>>;
  fieldErrors?: FieldErrors;
}

export function ImportPage({ view, newest, fieldErrors = {} }: ImportProps) {
  const [t, i] = [messages(view), importMessages(view)];
  const lines = formatCount(view.language, IMPORT_LINES_MAX);
  return (
    <Page view={view} title={t.importTitle} fieldErrors={fieldErrors} back={{ path: PRODUCTS, label: t.back }}>
      <div class="two-columns">
        <div>
          <Panel title={i.importFile}>
            <p class="quiet">{i.importLead(lines, IMPORT_BYTES_MAX / 1024 / 1024)}</p>
            <Form view={view} action={INVENTORY_IMPORT} withFile once>
              <Labeled
                name={FILE_FIELD}
                label={i.importFile}
                error={fieldErrors[FILE_FIELD]}
                control={(attributes) => <input {...attributes} type="file" accept="text/csv,.csv,.txt" />}
              />
              <Labeled
                name={TEXT_FIELD}
                label={i.importPaste}
                hint={i.importPasteHint}
                control={(attributes) => (
                  <textarea {...attributes} rows={4} spellcheck={false} placeholder={i.importExample}></textarea>
                )}
              />
              <Labeled
                name="reason"
                label={sharedMessages(view).common.reason}
                error={fieldErrors.reason}
                control={(attributes) => <ReasonSelect {...{ view, attributes }} />}
              />
              <Submit>{i.importLook}</Submit>
            </Form>
          </Panel>
        </div>
        <aside>
          {newest.length > 0 && <Newest view={view} newest={newest} />}
          <Panel title={i.importColumns}>
            <Facts entries={Object.entries(i.importColumnOf).map(([column, says]) => [<code>{column}</code>, says])} />
            <p class="quiet">{i.importHeadings}</p>
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

/** What was imported lately: it goes on from here, and its report is here. */
function Newest({ view, newest }: Pick<ImportProps, 'view' | 'newest'>) {
  const i = importMessages(view);
  return (
    <Panel title={i.importNewest}>
      <ul class="history">
        {newest.map(({ id, lineCount, createdAt, partCount, doneCount }) => (
          <li>
            <a href={importPath(id)}>{i.importLines(formatCount(view.language, lineCount))}</a>{' '}
            <span class="quiet">
              <Time view={view} at={createdAt} />
              {': '}
              {doneCount === 0 ? i.importNotYet : doneCount < partCount ? i.importUnderWay : i.importDone}
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">{i.importKept(IMPORT_KEPT_DAYS)}</p>
    </Panel>
  );
}
