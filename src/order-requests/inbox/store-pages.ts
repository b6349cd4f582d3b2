import { sql } from 'drizzle-orm';
import { selectOrderable } from '../../inventory/service';
import type { Condition } from '../../platform/data/db';
import { type Named, preparedEach, type Value } from '../../platform/data/statements';
import { selectPrescriptionStates, selectPrescriptionsOfRequests } from '../../prescriptions/service';
import type { Sought } from '../../search/service';
import { productsNamedBy, selectRequests, shopsOf } from '../store-requests';
import { foundPage, type InboxFilter, type InboxPage, inboxPage, isQueue, pageOfInbox, selectInboxRows } from './store';
import {
  areLookedThrough,
  type ChangesPage,
  changesPage,
  isLookedThrough,
  type RequestFilter,
  type RequestPage,
  requestPage,
  selectLookedChange,
  selectLookedEnd,
} from './store-list';

/** A page of requests, with their prescriptions and the products that they name. */
export function selectRequestPage(page: RequestPage, filter: RequestFilter) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    ...(isFiltered ? requestsIn(page.orgId, requestPage(page, filter)) : allRequests(page)),
    end: isLookedThrough(filter) ? selectLookedEnd(page, filter) : undefined,
  };
}

/** The same of requests by their last changes, the oldest first. */
export function selectChangesPage(page: ChangesPage, filter: RequestFilter) {
  return {
    ...requestsIn(page.orgId, changesPage(page, filter), sql`change_number`),
    end: areLookedThrough(page, filter) ? selectLookedChange(page) : undefined,
  };
}

const allRequests = preparedEach((page: Named<RequestPage>) => requestsIn(page.orgId, requestPage(page)));

/** @param ids a subquery, as below */
function requestsIn(orgId: Value<string>, ids: Condition, order = sql`id desc`) {
  return {
    rows: selectRequests(ids, order),
    prescriptions: selectPrescriptionsOfRequests(orgId, ids),
    products: productsOf(orgId, ids),
  };
}

/**
 * A page of the inbox, with what the lines and labels of its requests come from.
 * @param sought what the filter's text finds; null without one
 * @param limit rows of the page
 */
export function selectInboxPage(orgId: string, filter: InboxFilter, sought: Sought | null, limit: number) {
  const page = pageOfInbox(orgId, filter, limit);
  const inQueue = isQueue(filter.tab);
  if (sought) return entriesIn(orgId, foundPage(page, filter.tab, sought), inQueue);
  if (!inQueue && filter.shopId !== undefined) return entriesIn(orgId, inboxPage(page, inQueue), inQueue);
  return inQueue ? waiting(page) : decided(page);
}

// Everybody who has the inbox open reads these every few seconds.
const waiting = preparedEach((page: Named<InboxPage>) => entriesIn(page.orgId, inboxPage(page, true), true));
const decided = preparedEach((page: Named<InboxPage>) => entriesIn(page.orgId, inboxPage(page, false), false));

function entriesIn(orgId: Value<string>, ids: Condition, inQueue: boolean) {
  return {
    rows: selectInboxRows(ids, inQueue),
    prescriptions: selectPrescriptionStates(orgId, ids),
    products: productsOf(orgId, ids),
  };
}

function productsOf(orgId: Value<string>, requestIds: Condition) {
  return selectOrderable(orgId, shopsOf(requestIds), productsNamedBy(requestIds));
}
