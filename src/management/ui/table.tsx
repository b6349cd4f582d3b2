import type { Child } from '../../platform/markup/markup';

/** A column of a table, and what it shows of each row. */
export interface Column<Row> {
  /** The heading; narrow screens show it above the cell. */
  label: string;
  cell: (row: Row) => Child;
  /** `name` names its row: no heading above it. `actions` are links and buttons: only screen readers need the heading. */
  kind?: 'name' | 'number' | 'actions';
  /** Class of the heading and the cells. */
  class?: string;
  /** Class of the cells alone. */
  cellClass?: string;
  /** Tooltip of the cell. */
  title?: (row: Row) => string;
  /** Small print behind the heading. */
  note?: string;
}

interface TableProps<Row> {
  class?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The HTML id of a row, if links lead to it. */
  rowId?: (row: Row) => string;
  /** The heading above the rows that have it, its day for example; they follow each other. */
  groupOf?: (row: Row) => string;
}

/** A list whose rows become cards on narrow screens. */
export function Table<Row>({ class: name, columns, rows, rowId, groupOf }: TableProps<Row>) {
  const heads = columns.map((column) => ({ label: headingOf(column), class: classOf(column) }));
  // Of what is brief no cell has its heading beside it.
  const isBrief = name?.split(' ').includes('brief') === true;
  return (
    <table class={name ? `cards ${name}` : 'cards'}>
      <TableHead columns={heads} />
      {[...Map.groupBy(rows, (row) => groupOf?.(row))].map(([group, grouped]) => (
        <tbody>
          {group && (
            <tr class="group">
              <th scope="rowgroup" colspan={columns.length}>
                {group}
              </th>
            </tr>
          )}
          {grouped.map((row) => (
            <tr id={rowId?.(row)}>{columns.map((column) => cellOf(column, row, isBrief))}</tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function headingOf<Row>({ label, kind, note }: Column<Row>): Child {
  if (kind === 'actions') return <span class="unseen">{label}</span>;
  return note ? [label, ' ', <small>{note}</small>] : label;
}

function cellOf<Row>(column: Column<Row>, row: Row, isBrief: boolean) {
  const { label, kind, title } = column;
  const isNamed = isBrief || kind === 'name' || kind === 'actions';
  const more = column.cellClass ?? (kind === 'actions' ? kind : undefined);
  return (
    <td class={classOf(column, more)} data-label={isNamed ? undefined : label} title={title?.(row)}>
      {column.cell(row)}
    </td>
  );
}

function classOf<Row>(column: Column<Row>, more?: string): string | undefined {
  return [column.kind === 'number' && 'number', column.class, more].filter(Boolean).join(' ') || undefined;
}

/** The header row of a table. @param columns headings; each optionally with a class */
export function TableHead({ columns }: { columns: (string | { label: Child; class?: string })[] }) {
  const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column));
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col" class={head.class}>
            {head.label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
