/**
 * The fields of a log line. Only ids, codes and numbers are among them, and each text is limited to a narrow alphabet.
 * Therefore no body, header, URL with a query, error message, key or health data gets into the log. Only this module
 * writes log lines.
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
  /** The class of D1's failure (data/db.ts). */
  d1_failure?: string;
  /**
   * The class of an unexpected error and its place in the code. The message is left out, because Drizzle's messages
   * contain the bound parameters.
   */
  error_class?: string;
  error_at?: string;
}

export type LogLevel = 'info' | 'warn' | 'error';

const SAFE_TEXT = /^[\w\-./:{}* ()[\]@<>,]{0,200}$/;
const SECRET = /ofz_|whsec_|eyJ/;
/** Matches a frame of a stack, with the function's name if the frame has one. */
const FRAME = /^\s+at (?:async )?(?:([\w.<>]+) )?/;
/** Matches the end of a frame, after the last folder: file, line and column. */
const PLACE = /^((?:[\w-]+\.)+\w+:\d+:\d+)\)?$/;

/** Writes one JSON line. */
export function log(level: LogLevel, event: string, fields: LogFields): void {
  const line: Record<string, unknown> = { level, event };
  for (const [name, value] of Object.entries(fields)) line[name] = safe(value);
  console[level](JSON.stringify(line));
}

/** Returns the class of an unexpected error, and the place of the first frame on its stack. The message is left out. */
export function describeError(error: unknown): Pick<LogFields, 'error_class' | 'error_at'> {
  if (!(error instanceof Error)) return { error_class: typeof error };
  const frame = framesOf(error).find((line) => FRAME.test(line)) ?? '';
  const last = frame.split(/[/\\( ]/).at(-1);
  const [, place] = last?.match(PLACE) ?? [];
  const [, caller = ''] = frame.match(FRAME) ?? [];
  return { error_class: error.name, error_at: place && `${caller} ${place}`.trim() };
}

/** Runs work, and logs its error instead of throwing it. @returns the work's result; undefined after an error */
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

/**
 * Returns the frames of an error's stack. The message at its start is left out, because a line of it may look like a
 * frame.
 */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  return start < 0 ? [] : stack.slice(start + message.length).split('\n');
}

function safe(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return SAFE_TEXT.test(value) && !SECRET.test(value) ? value : '[withheld]';
}
