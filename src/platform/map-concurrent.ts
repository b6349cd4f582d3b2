/** Works through items with at most `atOnce` under way, in order of their start. */
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
