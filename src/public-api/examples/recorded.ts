import recorded from './recorded.generated.json';

/** A call as `npm run examples` recorded it: the request and the response of the service. */
interface Recorded {
  status: number;
  request?: unknown;
  answer: unknown;
}

/** The recorded example of an operation; undefined if `npm run examples` has not run since the operation was added. */
export function recordedOf(operationId: string): Recorded | undefined {
  return (recorded as Record<string, Recorded>)[operationId];
}
