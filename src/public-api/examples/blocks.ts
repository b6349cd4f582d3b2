import { START_VARIABLES, variablesIn } from './literals.ts';
import type { Call, Example, Save } from './shell.ts';
import { headersOf } from './shell.ts';

/** A call of a block, in the order of its run. */
export interface Step extends Call {
  /** Shown as a comment above it. */
  why?: string;
  /** Only where a later call uses the variable, and no earlier one has set it. */
  save?: Save;
  isLast: boolean;
}

/** The calls of an example with what each of them has to store. */
export function stepsOf({ setUp = [], settleMs: _, ...last }: Example): Step[] {
  const all: (Call & { why?: string; save?: Save })[] = [...setUp, last];
  return all.map(({ save, ...call }, index): Step => {
    const isLast = index === all.length - 1;
    const isUsed = save !== undefined && usedBy(all.slice(index + 1)).has(save.variable);
    const isSet = all.slice(0, index).some((earlier) => earlier.save?.variable === save?.variable);
    return { ...call, isLast, ...(isUsed && !isSet && { save }) };
  });
}

/** What a block takes from "Getting started". */
export function startVariablesOf(example: Example): string[] {
  const used = usedBy([...(example.setUp ?? []), example]);
  return START_VARIABLES.filter((name) => used.has(name));
}

function usedBy(calls: readonly Call[]): Set<string> {
  return new Set(calls.flatMap((call) => variablesIn(JSON.stringify([call.path, call.body, headersOf(call)]))));
}

/** The second part of a call: what is sent beside method and address. */
export function sentWith(call: Call): { headers: Record<string, string>; body?: object } {
  return { headers: headersOf(call), ...(call.body && { body: call.body }) };
}
