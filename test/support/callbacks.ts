import { idOfKey } from '../../src/auth/keys/format';
import { setCallback } from '../../src/auth/keys/keys';
import { staffContext } from './order-flow';
import { openSeller, type Seller } from './seller';
import { newReceiverUrl } from './webhooks';
import { everywhere, rows } from './world';

export interface Callback {
  url: string;
  subscriptionId: string;
  signingSecret: string;
}

/** The callback of a key's integration, whose deliveries wait for the queue. */
export async function openCallback(orgId: string, integrationKey: string): Promise<Callback> {
  const url = newReceiverUrl();
  const { ctx } = staffContext(orgId, 'owner');
  const made = await setCallback(ctx, { keyId: idOfKey(integrationKey) ?? '', url });
  await everywhere('update subscriptions set is_healthy = 0 where id = ?', made.subscriptionId);
  return { url, ...made };
}

export interface Told extends Callback {
  seller: Seller;
}

/** A seller whose platform has a callback. */
export async function openTold(): Promise<Told> {
  const seller = await openSeller();
  return { seller, ...(await openCallback(seller.orgId, seller.integrationKey)) };
}

/** What was to be told to a subscription, in the order in which it happened. */
export async function toldTo({ subscriptionId }: Pick<Callback, 'subscriptionId'>) {
  const found = await rows<{ id: string; status: string; seq: number; body: string }>(
    `select deliveries.id, deliveries.status, events.seq, events.body from deliveries
     join events on events.id = deliveries.event_id where subscription_id = ? order by events.seq, deliveries.id`,
    subscriptionId,
  );
  return found.map(({ body, ...delivery }) => {
    const { event_type: type, metadata } = JSON.parse(body) as {
      event_type: string;
      metadata: Record<string, unknown>;
    };
    return { ...delivery, type, metadata };
  });
}
