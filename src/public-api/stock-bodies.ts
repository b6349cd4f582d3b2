import * as z from 'zod';
import { COUNTED_DAYS_MAX, REFERENCE_MAX, STOCK_MAX } from '../inventory/limits';
import { faultOfCount, STOCK_REASONS, type StockChange } from '../inventory/service';
import type { FieldError } from '../platform/errors';
import { all, has, none } from '../platform/http/json-schema';
import { textOf } from '../platform/http/validation';
import { momentSchema } from '../wire/schemas';

const pieces = z.int().min(0).max(STOCK_MAX);

/** What bodies say of the stock of one product, without defaults. */
export const stockMembers = {
  stock_quantity: pieces.optional().meta({ description: 'What can be promised from now on.', example: 20 }),
  on_hand: pieces.optional().meta({ description: 'What lies in the house, promised pieces included.', example: 24 }),
  delta: z
    .int()
    .min(-STOCK_MAX)
    .max(STOCK_MAX)
    .optional()
    .meta({ description: 'Pieces that came (above 0) or went; of these three send one.', example: -2 }),
  counted_at: momentSchema.optional().meta({
    description: `When \`on_hand\` was counted: at most ${COUNTED_DAYS_MAX} days ago; ISO 8601 with an offset.`,
  }),
  if_stock_version: pieces
    .optional()
    .meta({ description: 'Changes nothing unless `stock_version` is this: version_mismatch.' }),
  reason: z.enum(STOCK_REASONS).optional().meta({ description: 'Why the stock changes.' }),
  reference: textOf(REFERENCE_MAX)
    .optional()
    .meta({ description: 'Your own word for it, for the log. No personal data.' }),
  low_stock_threshold: pieces.nullable().optional().meta({ description: "null: the organization's threshold." }),
};

export const STOCK_CHANGES = ['stock_quantity', 'on_hand', 'delta'] as const;

export interface StockBody {
  stock_quantity?: number;
  on_hand?: number;
  delta?: number;
  counted_at?: number;
}

interface StockRule {
  holds: (body: StockBody) => boolean;
  path: string[];
  message: string;
  params: { code: string };
}

/** Rules between these members, for `refine`. */
export const STOCK_RULES: readonly [StockRule, StockRule] = [
  {
    holds: (body: StockBody) => STOCK_CHANGES.filter((name) => body[name] !== undefined).length < 2,
    path: ['delta'],
    message: 'Send one of stock_quantity, on_hand and delta.',
    params: { code: 'stock_or_delta' },
  },
  {
    holds: ({ counted_at, on_hand }: StockBody) => counted_at === undefined || on_hand !== undefined,
    path: ['counted_at'],
    message: 'Send it together with on_hand.',
    params: { code: 'invalid_value' },
  },
];

/** The same rules as JSON schemas of what is refused. */
export const STOCK_REFUSED = [
  ...STOCK_CHANGES.flatMap((one, index) =>
    STOCK_CHANGES.slice(index + 1).map((other) => all(has(one, {}), has(other, {}))),
  ),
  all(has('counted_at', {}), none(has('on_hand', {}))),
];

/** What a body asks of the stock. @returns a fault at this pointer for a time that cannot be that of a count */
export function stockChangeOf(body: StockBody, now: number, pointer = ''): StockChange | FieldError | undefined {
  if (body.delta !== undefined) return { delta: body.delta };
  if (body.stock_quantity !== undefined) return { to: body.stock_quantity };
  if (body.on_hand === undefined) return undefined;
  if (body.counted_at === undefined) return { onHand: body.on_hand };
  const countedAt = body.counted_at;
  const fault = faultOfCount(countedAt, now);
  if (fault) return { pointer: `${pointer}/counted_at`, code: 'invalid_value', message: fault };
  return { onHand: body.on_hand, countedAt };
}
