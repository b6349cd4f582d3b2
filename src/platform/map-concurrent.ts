/**
 * Calls `work` for each item, with at most `atOnce` calls at the same time. The calls start in the order of the items.
 * The results are in the order in which the calls end.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/**
 * Returns a number with its digits in groups of three: 1234567 with the mark `.` becomes `1.234.567`. @param count a
 * whole number, not below zero
 */
export function grouped(count: number, mark: string): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  return [digits.slice(0, first), ...(digits.slice(first).match(/\d{3}/g) ?? [])].join(mark);
}
