import type { Answer } from '../../scripts/http.ts';
import type { Call, Recording } from './floor/recording.ts';
import type { LogLine } from './serve.ts';

/** A call of a binding, as tap.js logs it once it has ended. The figures are those of `batch`. */
interface TappedCall extends Call {
  /** Moments: of two calls or answers, the earlier one has the smaller number. */
  began: number;
  ended: number;
  statements: number;
  rows_read: number;
  rows_written: number;
}

/** Null for any other line. */
function tappedCall(line: LogLine): TappedCall | null {
  // SAFETY: tap.js logs these fields wherever it names a binding.
  return line.event === 'tap' && line.binding !== undefined ? (line as unknown as TappedCall) : null;
}

/** What a request asked of the platform. */
export interface Counts {
  round_trips: number;
  statements: number;
  rows_read: number;
  rows_written: number;
  limiter_calls: number;
  /** A message is written, read and deleted. */
  queue_operations: number;
  /** Operations that change a bucket or list it, and those that read a file. */
  r2_writes: number;
  r2_reads: number;
}

/** One request to a Worker that is served with its bindings tapped. */
export interface Observed {
  recording: Recording;
  counts: Counts;
}

/** Collects what the tap logs. */
export class Tap {
  readonly onLog = (line: LogLine) => {
    this.lines.push(line);
    if (line.event === 'tap' && line.settled) this.onSettled();
  };
  private lines: LogLine[] = [];
  private onSettled = () => {};

  /** Sends one request, while no other is under way. @returns once all is done that it left for after its answer */
  async observe(send: () => Promise<Answer>): Promise<Observed> {
    this.lines = [];
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    this.onSettled = resolve;
    const recordedAt = Date.now();
    const answer = await send();
    await settled;
    const answeredAt = Number(this.lines.find(({ answered }) => answered !== undefined)?.answered);
    const calls = timed(this.lines);
    return {
      recording: {
        recordedAt,
        steps: stepsOf(calls.filter(({ began }) => began < answeredAt)),
        afterAnswer: stepsOf(calls.filter(({ began }) => began > answeredAt)),
        answer: { status: answer.status, contentType: answer.headers['content-type'] ?? null, body: answer.body },
      },
      counts: countsOf(this.lines.map(tappedCall).filter((call) => call !== null)),
    };
  }
}

interface Timed {
  call: Call;
  began: number;
  ended: number;
}

/** Calls of bindings and lines of the log; a line was written between the moments of the tap's lines around it. */
function timed(lines: readonly LogLine[]): Timed[] {
  let last = -1;
  return lines.flatMap((line): Timed[] => {
    if (line.event !== 'tap') {
      const call = { binding: 'console', method: String(line.level), args: [JSON.stringify(line)] };
      return [{ call, began: last + 0.5, ended: last + 0.5 }];
    }
    last = Number(line.ended ?? line.answered ?? last);
    const tapped = tappedCall(line);
    if (!tapped) return [];
    const { binding, method, args, began, ended } = tapped;
    return [{ call: { binding, method, args }, began, ended }];
  });
}

/** Puts calls together that were under way at once. */
function stepsOf(calls: readonly Timed[]): Call[][] {
  const steps: Call[][] = [];
  let endsAt = -1;
  for (const { call, began, ended } of calls.toSorted((a, b) => a.began - b.began)) {
    if (began < endsAt) steps.at(-1)?.push(call);
    else steps.push([call]);
    endsAt = Math.max(endsAt, ended);
  }
  return steps;
}

const R2_READS = ['get', 'head'];

function countsOf(calls: readonly TappedCall[]): Counts {
  const batches = calls.filter(({ method }) => method === 'batch');
  const sum = (field: 'statements' | 'rows_read' | 'rows_written') =>
    batches.reduce((total, batch) => total + batch[field], 0);
  const files = calls.filter(({ binding, method }) => binding === 'FILES' && method !== 'delete');
  const reads = files.filter(({ method }) => R2_READS.includes(method));
  return {
    round_trips: batches.length,
    statements: sum('statements'),
    rows_read: sum('rows_read'),
    rows_written: sum('rows_written'),
    limiter_calls: calls.filter(({ method }) => method === 'limit').length,
    queue_operations: OPERATIONS_OF_A_MESSAGE * calls.reduce((total, call) => total + messagesOf(call), 0),
    r2_writes: files.length - reads.length,
    r2_reads: reads.length,
  };
}

const OPERATIONS_OF_A_MESSAGE = 3;

function messagesOf({ method, args: [sent] }: TappedCall): number {
  if (method === 'send') return 1;
  return method === 'sendBatch' && Array.isArray(sent) ? sent.length : 0;
}
