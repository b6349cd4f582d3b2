import { messages as account } from '../../src/management/account/messages';
import { messages as audit } from '../../src/management/audit/messages';
import type { Language } from '../../src/management/http/language';
import { messages as keys } from '../../src/management/keys/messages';
import { messages as members } from '../../src/management/members/messages';
import {
  leavingMessages as leaving,
  messages as orders,
  otherProductMessages as otherProduct,
} from '../../src/management/orders/messages';
import { packingMessages as packing } from '../../src/management/orders/packing/messages';
import { messages as organization } from '../../src/management/organization/messages';
import { messages as products } from '../../src/management/products/messages';
import { messages as reports } from '../../src/management/reports/messages';
import { itemMessages as requestItems } from '../../src/management/requests/item-messages';
import { messages as requests } from '../../src/management/requests/messages';
import { messages as search } from '../../src/management/search/messages';
import { messages as shops } from '../../src/management/shops/messages';
import { messages as signIn } from '../../src/management/sign-in/messages';
import { actMessages as acts } from '../../src/management/ui/audit-messages';
import { sharedMessages as shared } from '../../src/management/ui/messages';
import { messages as webhooks } from '../../src/management/webhooks/messages';

/** Everything that the pages say, by area; `shared` is what areas say alike. */
export const [de, en] = [textsIn('de'), textsIn('en')];

function textsIn(language: Language) {
  const reader = { language };
  return {
    shared: shared(reader),
    account: account(reader),
    acts: acts(reader),
    audit: audit(reader),
    keys: keys(reader),
    leaving: leaving(reader),
    members: members(reader),
    orders: orders(reader),
    organization: organization(reader),
    otherProduct: otherProduct(reader),
    packing: packing(reader),
    products: products(reader),
    reports: reports(reader),
    requestItems: requestItems(reader),
    requests: requests(reader),
    search: search(reader),
    shops: shops(reader),
    signIn: signIn(reader),
    webhooks: webhooks(reader),
  };
}
