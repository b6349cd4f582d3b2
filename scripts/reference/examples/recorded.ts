import recorded from './recorded.generated.json';

/** A call recorded by `npm run examples`: request and response. */
interface Recorded {
  status: number;
  request?: unknown;
  answer: unknown;
}

/** The recorded example of an operation; undefined until `npm run examples` has recorded it. */
export function recordedOf(operationId: string): Recorded | undefined {
  return (recorded as Record<string, Recorded>)[operationId];
}
