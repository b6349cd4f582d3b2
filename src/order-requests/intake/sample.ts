import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { requireIntake } from '../../platform/switches';
import { createOrderRequest, type SubmittedRequest } from './intake';

/** The platform of a sample, as lists and filters show it. */
const SOURCE = 'probe';

/**
 * Sends a request on trial through the same intake as every other one. Its reference, source, name and note say that it is one. Sent
 * again by the same person for the same shop it is known, whatever became of it; once deleted it may be sent anew.
 * @throws AppError `shop_not_found`, `shop_inactive`, `intake_off`
 */
export async function sendSample(ctx: Context, { shopId }: { shopId: string }): Promise<SubmittedRequest> {
  requireRole(ctx, ['owner']);
  await requireIntake(ctx);
  const payload = {
    customer_name: 'PROBE Erika Mustermann',
    note: 'Zur Probe gesendet, keine echte Bestellung. / Sent on trial, no real order.',
    items: [{ name: 'Ibuprofen 400 mg (Probe)', quantity: 1, price: 4.95 }],
  };
  return createOrderRequest(ctx, { shopId, body: { external_reference: `PROBE-${shopId}`, source: SOURCE, payload } });
}
