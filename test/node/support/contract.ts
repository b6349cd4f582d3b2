import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

export const contract = readFileSync(resolve(import.meta.dirname, '../../../docs/contract.md'), 'utf8');

/** Their numbers, in the order of the document. */
export const sections = [...contract.matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)].map(([, number = '']) => number);

/** The rows of a section's first table, without its head and without the marks of code. */
export function tableOf(section: string): string[][] {
  const text = contract.split(/^#{2,3} /m).find((each) => each.startsWith(`${section} `)) ?? '';
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows, section).not.toEqual([]);
  return rows.map((row) =>
    row
      .replaceAll('`', '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What the first column of a section's table names. */
export function namesIn(section: string): string[] {
  return tableOf(section).flatMap(([names = '']) => names.split(', '));
}
