import recorded from './recorded.generated.json';

/** A call as `npm run examples` recorded it: the request and the response of the service. */
export interface Recorded {
  status: number;
  request?: unknown;
  answer: unknown;
}

// SAFETY: scripts/examples.ts writes this file; a test compares it with the operations of the document.
const ALL = recorded as unknown as Record<string, Recorded>;

/** The recorded example of an operation; undefined if `npm run examples` has not run since the operation was added. */
export function recordedOf(operationId: string): Recorded | undefined {
  return ALL[operationId];
}
