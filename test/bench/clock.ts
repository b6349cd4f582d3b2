/** Milliseconds of the machine's monotonic clock, which all processes share and nobody sets. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
