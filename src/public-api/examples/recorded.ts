import recorded from './recorded.generated.json';

/** A call as it was recorded (`npm run examples`): what was sent and what the service answered. */
export interface Recorded {
  status: number;
  request?: unknown;
  answer: unknown;
}

// SAFETY: scripts/examples.ts writes it; a test compares it with the operations of the document.
const ALL = recorded as unknown as Record<string, Recorded>;

/** The recorded example of an operation; undefined when `npm run examples` has not run since it exists. */
export function recordedOf(operationId: string): Recorded | undefined {
  return ALL[operationId];
}
