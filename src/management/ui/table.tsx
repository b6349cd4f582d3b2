interface TableHeadProps {
  /** What stands over each column; with the class of its cells where it has one. */
  columns: (string | { label: string; class: string })[];
  /** Names a last column of links and buttons, which speak for themselves: for screen readers alone. */
  actions?: string;
}

/** The heads of a table's columns. */
export function TableHead({ columns, actions }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" class={typeof column === 'string' ? undefined : column.class}>
            {typeof column === 'string' ? column : column.label}
          </th>
        ))}
        {actions && (
          <th scope="col">
            <span class="unseen">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
