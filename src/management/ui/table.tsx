interface TableHeadProps {
  /** Column headings; each optionally with a class. */
  columns: (string | { label: string; class: string })[];
  /** Heading of a last column of links and buttons; only screen readers need it. */
  actions?: string;
}

/** The header row of a table. */
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
