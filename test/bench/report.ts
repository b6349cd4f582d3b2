import type { Judged } from './goals.ts';
import type { Machine } from './machine.ts';

/** What the tables for people have in common. */

export function lineOf({ versions, cpus, load_average }: Machine): string {
  const made = `Node ${versions.node}, wrangler ${versions.wrangler}, ${cpus} CPUs`;
  return `${made}, load average at the start ${load_average.join(' ')}`;
}

export function goalLines(goals: readonly Judged[]): string[] {
  return goals.length > 0 ? ['', columns(goals.map(goalRow))] : [];
}

function goalRow({ name, measured, bound, unit, isMet }: Judged): string[] {
  const wanted = 'atMost' in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`;
  return [isMet ? 'met' : 'MISSED', name, `${measured}${unit === 'ms' ? ' ms' : ''}`, wanted];
}

export function columns(rows: readonly string[][]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
