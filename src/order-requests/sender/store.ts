import { and, sql } from 'drizzle-orm';
import { selectReservationsIn } from '../../inventory/store-reservations';
import { selectOrderOfRequest } from '../../orders/store';
import { selectOpenQuestion } from '../../orders/timeline/store';
import { has } from '../../platform/data/columns';
import { updateOneRow } from '../../platform/data/db';
import { type Condition, type Named, orm, preparedEach } from '../../platform/data/statements';
import { selectPrescriptionsOf } from '../../prescriptions/store';
import { isOneOwnHost } from '../intake/store';
import { openQuestionOf, type RequestRow } from '../store';
import { orderRequests, type Supplement } from '../tables';

/** The platform that sent a request, and the shop that the request is for. Only this platform can read the request. */
export interface Sender {
  shopId: string;
  /** Id that is common to an API key and the keys that it was rotated from and to. */
  familyId: string;
}

/** Selects a request by its id, with its order. */
export const selectSent = preparedEach((of: Named<Sender & { id: string }>) =>
  withOrder(sql`(select id from ${orderRequests} where id = ${of.id} and ${isFrom(of)})`),
);

interface Reference {
  externalReference: string;
  /** Null matches every source. */
  source: string | null;
}

/** Selects the newest request with a reference, with its order. */
export const selectSentAs = preparedEach((of: Named<Sender & Reference>) =>
  withOrder(sql`(select id from ${orderRequests} where external_reference = ${of.externalReference} and ${isFrom(of)}
    and (${of.source} is null or source = ${of.source}) order by id desc limit 1)`),
);

function isFrom({ shopId, familyId }: Named<Sender>): Condition {
  return sql`shop_id = ${shopId} and integration_id = ${familyId}`;
}

/** Returns the queries for a request with its order and its reservations. @param id a subquery */
function withOrder(id: Condition) {
  return {
    requests: orm.select().from(orderRequests).where(sql`${orderRequests.id} = ${id}`),
    orders: selectOrderOfRequest(id),
    reserved: selectReservationsIn(id),
  };
}

/**
 * Returns the queries that a supplement needs besides those that read its request.
 * @param hosts the hosts of the supplement's links
 */
export function selectForSupplement(orgId: string, id: string, hosts: readonly string[]) {
  return {
    prescriptions: selectPrescriptionsOf(orgId, { orderRequestId: id }),
    open: selectOpenQuestion(id),
    own: orm.select({ isOwn: sql<number>`${isOneOwnHost(hosts)}`.as('is_own_host') }).from(sql`(select 1)`),
  };
}

/**
 * Adds a supplement to a request. The batch is undone unless the request is pending and still has the supplements that
 * were read.
 */
export function addSupplement({ orgId, id, supplements }: RequestRow, supplement: Supplement) {
  const count = sql`coalesce(json_array_length(${orderRequests.supplements}), 0)`;
  return updateOneRow(
    orderRequests,
    { supplements: [...(supplements ?? []), supplement], ...openQuestionOf(id), updatedAt: supplement.at },
    and(has(orderRequests, { id, orgId, status: 'pending' }), sql`${count} = ${supplements?.length ?? 0}`),
  );
}
