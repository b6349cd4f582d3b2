import type { z } from 'zod';
import { Copyable } from './fields';
import type { FieldErrors } from './form-errors';
import { labelFor } from './parts';
import type { View } from './view';

/**
 * Validates typed values by a slice's own schema.
 * @param texts error text by field name
 */
export function readFields<T extends z.ZodType>(
  schema: T,
  typed: unknown,
  texts: Record<string, string>,
): { value: z.output<T>; fieldErrors?: never } | { value?: never; fieldErrors: FieldErrors } {
  const result = schema.safeParse(typed);
  if (result.success) return { value: result.data };
  const names = new Set(result.error.issues.map(({ path }) => String(path[0])));
  return { fieldErrors: Object.fromEntries([...names].map((name) => [name, texts[name] ?? ''])) };
}

interface ToCopyProps {
  view: View;
  id: string;
  label: string;
  /** What the value belongs to, for screen readers. */
  of: string;
  value: string;
}

/** A read-only value with a button that copies it. */
export function ToCopy({ view, id, label, of, value }: ToCopyProps) {
  return (
    <div class="field">
      <label for={id}>{labelFor(label, of)}</label>
      <Copyable view={view} id={id} value={value} />
    </div>
  );
}
