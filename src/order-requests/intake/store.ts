import { and, asc, desc, eq, gt, type InferInsertModel, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isHostListed } from '../../directory/store';
import { reservedOf } from '../../inventory/store-reservations';
import { has, nextChange, pick } from '../../platform/data/columns';
import { insertSelect, updateOneRow } from '../../platform/data/db';
import {
  type Condition,
  columnsOf,
  jsonOf,
  type Named,
  namedAlike,
  orm,
  prepared,
  preparedCondition,
  type Value,
} from '../../platform/data/statements';
import { prescriptions } from '../../prescriptions/tables';
import { hasNotLeft, isSettled, shopHosts } from '../../tenants/tables';
import { SUBMITTED_FIELDS } from '../fields';
import { orderRequests } from '../tables';

/** The values that a new request has in the columns that a review sets. */
const UNREVIEWED = {
  approvedItems: null,
  acknowledged: null,
  draft: null,
  needsInfo: false,
  needsInfoCode: null,
  needsInfoNote: null,
  supplements: null,
  withdrawal: 'none' as const,
  decidedBy: null,
  decidedAt: null,
  reasonCode: null,
  reasonNote: null,
  overrideReason: null,
  orderId: null,
  legalHold: false,
  erasedAt: null,
};

export type NewRequest = Required<
  Omit<InferInsertModel<typeof orderRequests>, 'supersedesId' | 'changeNumber' | keyof typeof UNREVIEWED>
>;

/**
 * Condition: one of the hosts belongs to this service itself. The service never fetches a prescription from such a
 * host.
 */
export function isOneOwnHost(hosts: Value<readonly string[]>): Condition {
  return sql`exists (select 1 from json_each(${jsonOf(hosts)}) as named
    where exists (select 1 from ${shopHosts} where ${shopHosts.host} = named.value) or ${isHostListed(sql`named.value`)})`;
}

/** Condition for all other statements of the batch: the batch has inserted the request. */
export const requestExists = preparedCondition(
  ({ id }: Named<{ id: string }>) => sql`exists (select 1 from ${orderRequests} where ${orderRequests.id} = ${id})`,
);

/**
 * All fingerprints that the same submission may have in the database, joined to one text. No fingerprint can be a part
 * of another, so a stored one is found by searching the text.
 */
interface Compared {
  fingerprints: string;
}

function isSameSubmission(stored: SQL | SQLWrapper, { fingerprints }: Named<Compared>): SQL {
  return sql`instr(${fingerprints}, ${stored}) > 0`;
}

/**
 * Inserts a request. Inserts nothing if a pending or approved request has its reference (unique index). Inserts nothing
 * if the same submission was rejected before, because an automatic retry must not reopen a decision. Inserts nothing if
 * a prescription link points at a host of this service.
 */
export const insertRequest = prepared(
  (row: Named<NewRequest & Compared & { prescriptionHosts: readonly string[] }>) => {
    // Without a reference or a link, these conditions find nothing, because a comparison with null is never true.
    const isRejected = sql`earlier.shop_id = ${row.shopId} and earlier.external_reference = ${row.externalReference}
    and earlier.integration_id = ${row.integrationId} and earlier.source = ${row.source} and earlier.status = 'rejected'`;
    const supersedesId = sql`(select earlier.id from ${orderRequests} as earlier where ${isRejected}
    order by earlier.id desc limit 1)`;
    const isRejectedRepetition = sql`exists (select 1 from ${orderRequests} as earlier where ${isRejected}
    and ${isSameSubmission(sql`earlier.fingerprint`, row)})`;
    const changeNumber = nextChange(orderRequests, row.orgId, row.updatedAt);
    return insertSelect(
      orderRequests,
      { ...columnsOf(orderRequests, row), ...UNREVIEWED, supersedesId, changeNumber },
      sql`where not ${isRejectedRepetition} and not ${isOneOwnHost(row.prescriptionHosts)}`,
    ).onConflictDoNothing();
  },
);

/** The columns that a fingerprint is computed from, and the fingerprint. */
const asSubmitted = {
  fingerprint: orderRequests.fingerprint,
  ...namedAlike(pick(orderRequests, SUBMITTED_FIELDS)),
  // Names are written out, because Drizzle omits the table of a column in a one-table select.
  prescription: sql<string | null>`(select case when filed.origin = 'base64' and
      coalesce(instr(order_requests.prescription_pdf_url, char(10)), 0) = 0 then filed.sha256
      else order_requests.prescription_pdf_url end
    from ${prescriptions} as filed where filed.order_request_id = order_requests.id and filed.origin <> 'staff'
    limit 1)`.as('prescription'),
};

type Answered = Pick<NewRequest, 'id' | 'shopId' | 'externalReference' | 'integrationId' | 'source'> & Compared;

/**
 * Selects the request that the response is about. It is the new row if there is one, else the request of the same
 * submission, else the pending or approved request with the same reference.
 */
export const selectAnswering = prepared((row: Named<Answered>) => {
  const own = eq(orderRequests.id, row.id);
  const earlier = and(
    has(orderRequests, {
      shopId: row.shopId,
      externalReference: row.externalReference,
      integrationId: row.integrationId,
      source: row.source,
    }),
    sql`(${orderRequests.status} in ('pending', 'approved')
      or (${orderRequests.status} = 'rejected' and ${isSameSubmission(orderRequests.fingerprint, row)}))`,
  );
  return orm
    .select({
      id: orderRequests.id,
      status: orderRequests.status,
      reserved: reservedOf(sql`order_requests.id`).as('reserved'),
      ...asSubmitted,
    })
    .from(orderRequests)
    .where(or(own, earlier))
    .orderBy(desc(own), desc(isSameSubmission(orderRequests.fingerprint, row)))
    .limit(1);
});

/** One page of all requests, sorted by id, with the columns that their fingerprints are computed from. */
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

/**
 * Writes the new fingerprints. Skips rows that have changed since they were read, and organizations that are being
 * moved.
 */
export function updateFingerprints(changes: readonly FingerprintChange[]) {
  return orm.run(sql`update ${orderRequests} set fingerprint = changed.value ->> '$.to'
    from json_each(${JSON.stringify(changes)}) as changed
    where ${orderRequests.id} = changed.value ->> '$.id' and ${orderRequests.fingerprint} = changed.value ->> '$.from'
      and ${isSettled(orderRequests.orgId)}`);
}

/**
 * Records that a request is paid. The batch is undone unless the request is pending and unchanged since it was read.
 */
export function payRequest(
  of: Pick<NewRequest, 'orgId' | 'id' | 'paymentReference' | 'fingerprint' | 'updatedAt'> & { from: string | null },
) {
  const { orgId, id, paymentReference, fingerprint, updatedAt } = of;
  const isAsRead = has(orderRequests, { orgId, id, status: 'pending' });
  const paid = { paymentStatus: 'paid' as const, paymentReference, fingerprint, updatedAt };
  return updateOneRow(orderRequests, paid, and(isAsRead, sql`${orderRequests.fingerprint} = ${of.from}`));
}

/** The reservations of a request, as JSON (`reservedOf`). */
export function selectReserved(id: string) {
  return orm
    .select({ reserved: reservedOf(sql`order_requests.id`).as('reserved') })
    .from(orderRequests)
    .where(eq(orderRequests.id, id));
}
