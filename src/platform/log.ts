/**
 * The fields of a log line. They are a closed list of ids, codes and numbers, and each text is limited to a narrow
 * alphabet: no body, header, URL with a query, error message, key or health data can get in. Only this module writes
 * log lines.
 */
export interface LogFields {
  request_id?: string;
  method?: string;
  route?: string;
  status?: number;
  code?: string;
  org_id?: string;
  shop_id?: string;
  key_id?: string;
  order_request_id?: string;
  prescription_id?: string;
  delivery_id?: string;
  subscription_id?: string;
  queue?: string;
  /** The number of a database. */
  shard?: number;
  count?: number;
  /** The total of which `count` is a part. */
  total?: number;
  duration_ms?: number;
  d1_round_trips?: number;
  d1_statements?: number;
  d1_rows_read?: number;
  d1_rows_written?: number;
  /** How D1 failed (data/db.ts). */
  d1_failure?: string;
  /** Class and place of an unexpected error, never its message: Drizzle's messages contain the bound parameters. */
  error_class?: string;
  error_at?: string;
}

export type LogLevel = 'info' | 'warn' | 'error';

const SAFE_TEXT = /^[\w\-./:{}* ()[\]@<>,]{0,200}$/;
const SECRET = /ofz_|whsec_|eyJ/;
/** Matches a frame of a stack, with the function's name if the frame has one. */
const FRAME = /^\s+at (?:async )?(?:([\w.<>]+) )?/;
/** Matches the part of a frame after the last folder: file, line and column. */
const PLACE = /^((?:[\w-]+\.)+\w+:\d+:\d+)\)?$/;

/** Writes one JSON line. */
export function log(level: LogLevel, event: string, fields: LogFields): void {
  const line: Record<string, unknown> = { level, event };
  for (const [name, value] of Object.entries(fields)) line[name] = safe(value);
  console[level](JSON.stringify(line));
}

/** An unexpected error's class, and the place of the first frame on its stack. The message is left out. */
export function describeError(error: unknown): Pick<LogFields, 'error_class' | 'error_at'> {
  if (!(error instanceof Error)) return { error_class: typeof error };
  const frame = framesOf(error).find((line) => FRAME.test(line)) ?? '';
  const last = frame.split(/[/\\( ]/).at(-1);
  const [, place] = last?.match(PLACE) ?? [];
  const [, caller = ''] = frame.match(FRAME) ?? [];
  return { error_class: error.name, error_at: place && `${caller} ${place}`.trim() };
}

/** Runs work whose error is logged instead of thrown. @returns undefined after an error */
export async function logged<T>(
  at: { log: typeof log },
  [level, event, fields]: readonly [level: LogLevel, event: string, fields?: LogFields],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    at.log(level, event, { ...fields, ...describeError(error) });
    return undefined;
  }
}

/** The stack without the message at its start, because a line of the message may look like a frame. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  return start < 0 ? [] : stack.slice(start + message.length).split('\n');
}

function safe(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return SAFE_TEXT.test(value) && !SECRET.test(value) ? value : '[withheld]';
}
