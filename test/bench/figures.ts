/** The value below which this share of the values lies (nearest rank). Null without values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export function median(values: readonly number[]): number | null {
  return percentile(values, 0.5);
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

export function latencyOf(values: readonly number[]): Latency {
  const at = (share: number) => rounded(percentile(values, share) ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** To three digits after the point: more is noise. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
