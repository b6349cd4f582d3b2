import * as z from 'zod';
import { type HttpContext, queryOf } from '../platform/http/http';
import { parseInput } from '../platform/http/validation';

export const noQuerySchema = z.strictObject({});

/** The query parameters, checked; the key may be one of them (contract 2.4). */
export function readQuery<T extends z.ZodType>(c: HttpContext, schema: T): z.output<T> {
  const { apikey: _, ...query } = queryOf(c);
  return parseInput(schema, query);
}
