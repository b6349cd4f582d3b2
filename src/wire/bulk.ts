import * as z from 'zod';
import { type InventoryResult, ITEM_FAULTS, type ItemFault } from '../inventory/service';
import { p1IdSchema } from './schemas';

const ITEM_STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;
// SAFETY: the keys of the table.
const ITEM_CODES = Object.keys(ITEM_FAULTS) as [ItemFault, ...ItemFault[]];

const count = (description: string, example: number) => z.int().min(0).meta({ description, example });

const itemResultSchema = z
  .object({
    p1_id: p1IdSchema.nullable().meta({ description: 'null: the PZN names no product, or several.' }),
    status: z.enum(ITEM_STATUSES).meta({ description: 'failed: nothing of the item was written.', example: 'updated' }),
    stock_quantity: count('What can be promised now.', 20).optional(),
    on_hand: count('What lies in the house now.', 24).optional(),
    shortage: count('Promised pieces that were not found; missing where none is.', 0).optional(),
    stock_version: count('The version of the stock now.', 7).optional(),
    code: z.enum(ITEM_CODES).optional().meta({ description: 'Why it failed.', example: 'version_mismatch' }),
    detail: z.string().optional().meta({ description: 'What to change.' }),
  })
  .meta({ id: 'ItemResult', description: 'What became of one item.' });

export const bulkResultSchema = z
  .object({
    results: z.array(itemResultSchema).meta({ description: 'One for each item, in their order.' }),
    summary: z
      .object({
        created: count('Products that entered the inventory.', 1),
        updated: count('Products that changed.', 497),
        unchanged: count('Products that were so already.', 1),
        failed: count('Items of which nothing was written.', 1),
      })
      .meta({ description: 'How many items had each status.' }),
  })
  .meta({ id: 'BulkResult', description: 'What became of the items of a bulk command.' });

interface BulkResult {
  results: readonly InventoryResult[];
  summary: z.input<typeof bulkResultSchema>['summary'];
}

export function wireBulkResult({ results, summary }: BulkResult): z.input<typeof bulkResultSchema> {
  return { results: results.map(wireItemResult), summary };
}

function wireItemResult(result: InventoryResult): z.input<typeof itemResultSchema> {
  const { p1Id, status, fault, shortage, stockQuantity, onHand, stockVersion } = result;
  return {
    p1_id: p1Id,
    status,
    ...(stockVersion !== undefined && { stock_quantity: stockQuantity, on_hand: onHand }),
    ...(shortage && { shortage }),
    ...(stockVersion !== undefined && { stock_version: stockVersion }),
    ...(fault && { code: fault, detail: ITEM_FAULTS[fault] }),
  };
}
