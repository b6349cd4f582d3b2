import { asc, gt, sql } from 'drizzle-orm';
import { orm } from '../../platform/data/statements';
import { hasNotLeft, isSettled } from '../../tenants/tables';
import { orderRequests } from '../tables';
import { asSubmitted } from './store';

/** One page of all requests by id, with what their fingerprints are made of. */
export function selectSubmitted(after: string, limit: number) {
  return orm
    .select({
      id: orderRequests.id,
      isSettled: sql<number>`${isSettled(orderRequests.orgId)}`.as('settled'),
      hasLeft: sql<number>`not ${hasNotLeft(orderRequests.orgId)}`.as('has_left'),
      ...asSubmitted,
    })
    .from(orderRequests)
    .where(gt(orderRequests.id, after))
    .orderBy(asc(orderRequests.id))
    .limit(limit);
}

export interface FingerprintChange {
  id: string;
  from: string;
  to: string;
}

/** Leaves out what has changed since it was read, and organizations that are being moved. */
export function updateFingerprints(changes: readonly FingerprintChange[]) {
  return orm.run(sql`update ${orderRequests} set fingerprint = changed.value ->> '$.to'
    from json_each(${JSON.stringify(changes)}) as changed
    where ${orderRequests.id} = changed.value ->> '$.id' and ${orderRequests.fingerprint} = changed.value ->> '$.from'
      and ${isSettled(orderRequests.orgId)}`);
}
