import { once } from '../../platform/once';
import { anchorOf } from './document';
import text from './guides/values.md' with { type: 'text' };
import { cellsOf } from './markdown';

/** A list of values with their meanings. */
export interface Values {
  title: string;
  meanings: Map<string, string>;
}

/** The lists of the page "Values", as its text has them. */
export const valueLists = once((): Values[] =>
  text
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const rows = lines.filter((line) => line.startsWith('| `')).map(cellsOf);
      return { title, meanings: new Map(rows.map(([value = '', meaning = '']) => [value.slice(1, -1), meaning])) };
    }),
);

/** Where the page tells what these values mean: in the shortest list that has them all. */
export function valuesPath(values: readonly unknown[]): string | null {
  // An empty text and null stand for a value that is missing.
  const said = values.filter((value) => value !== '' && value !== null);
  const having = valueLists().filter(({ meanings }) => said.every((value) => meanings.has(String(value))));
  const [list] = having.toSorted((a, b) => a.meanings.size - b.meanings.size);
  return list && said.length > 1 ? `/docs/values#${anchorOf(list.title)}` : null;
}
