import { once } from '../../platform/once';
import recorded from './recorded.generated.json' with { type: 'text' };

/** A call as `npm run examples` recorded it: the request and the response of the service. */
export interface Recorded {
  status: number;
  request?: unknown;
  answer: unknown;
}

// SAFETY: TypeScript takes JSON for its value, and here it is its text. scripts/examples.ts writes it; a test compares it with the
// operations of the document.
const all = once(() => JSON.parse(recorded as unknown as string) as Record<string, Recorded>);

/** The recorded example of an operation; undefined if `npm run examples` has not run since the operation was added. */
export function recordedOf(operationId: string): Recorded | undefined {
  return all()[operationId];
}
