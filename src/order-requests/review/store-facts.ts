import { selectOrderable } from '../../inventory/service';
import { selectCustomer } from '../../orders/service';
import type { Condition } from '../../platform/data/db';
import { type Named, prepared, preparedEach } from '../../platform/data/statements';
import { selectPrescriptionsOf } from '../../prescriptions/service';
import { fieldOf, type Searched, selectPossibleDuplicate, selectRequest } from '../store-requests';

/** A request and everything that its decision depends on. @param p1Ids a subquery of the products to load */
export function selectFacts(of: Searched, p1Ids: Condition) {
  return {
    rows: selectRequest(of),
    ...aboutRequest(of),
    products: selectProducts(of, p1Ids),
    duplicates: selectPossibleDuplicate(of),
  };
}

const aboutRequest = preparedEach(({ orgId, id }: Named<Searched>) => ({
  prescriptions: selectPrescriptionsOf(orgId, { orderRequestId: id }),
  customer: selectCustomer(orgId, fieldOf(id, 'customer_id'), fieldOf(id, 'lower(customer_email)')),
}));

const selectProducts = prepared(({ orgId, id }: Named<Searched>, p1Ids: Condition) =>
  selectOrderable(orgId, fieldOf(id, 'shop_id'), p1Ids),
);
