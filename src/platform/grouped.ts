/** `1.234.567` for 1234567 and a point. @param count a whole number, not below zero */
export function grouped(count: number, mark: string): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  return [digits.slice(0, first), ...(digits.slice(first).match(/\d{3}/g) ?? [])].join(mark);
}
