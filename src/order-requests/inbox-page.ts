import { orderableProducts } from '../inventory/service';
import type { Condition } from '../platform/db';
import { type Named, prepared, type Value } from '../platform/statements';
import { prescriptionStates } from '../prescriptions/service';
import {
  foundPage,
  type InboxFilter,
  type InboxPage,
  inboxPage,
  isQueue,
  pageOfInbox,
  selectInboxRows,
} from './store-inbox';
import { productsNamedBy, shopsOf } from './store-review';

/** The statements that read a page's requests and what their lines and labels come from. @param limit rows of the page */
export function pageStatements(orgId: string, filter: InboxFilter, limit: number) {
  const page = pageOfInbox(orgId, filter, limit);
  const inQueue = isQueue(filter.tab);
  if (filter.search !== undefined) return statementsOf(orgId, foundPage(page, inQueue, filter.search), inQueue);
  if (!inQueue && filter.shopId !== undefined) return statementsOf(orgId, inboxPage(page, inQueue), inQueue);
  const { rows, prescriptions, products } = inQueue ? QUEUE : DECIDED;
  return { rows: rows(page), prescriptions: prescriptions(page), products: products(page) };
}

const QUEUE = preparedPage(true);
const DECIDED = preparedPage(false);

/** Everybody who has the inbox open reads these every few seconds. */
function preparedPage(inQueue: boolean) {
  const statements = (page: Named<InboxPage>) => statementsOf(page.orgId, inboxPage(page, inQueue), inQueue);
  return {
    rows: prepared((page: Named<InboxPage>) => statements(page).rows),
    prescriptions: prepared((page: Named<InboxPage>) => statements(page).prescriptions),
    products: prepared((page: Named<InboxPage>) => statements(page).products),
  };
}

/** @param page a subquery of ids */
function statementsOf(orgId: Value<string>, page: Condition, inQueue: boolean) {
  return {
    rows: selectInboxRows(page, inQueue),
    prescriptions: prescriptionStates(orgId, page),
    products: orderableProducts(orgId, shopsOf(page), productsNamedBy(page)),
  };
}
