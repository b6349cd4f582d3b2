import { de as accountDe } from '../../src/management/account/messages.de';
import { en as accountEn } from '../../src/management/account/messages.en';
import { de as auditDe } from '../../src/management/audit/messages.de';
import { en as auditEn } from '../../src/management/audit/messages.en';
import { de as keysDe } from '../../src/management/keys/messages.de';
import { en as keysEn } from '../../src/management/keys/messages.en';
import { de as membersDe } from '../../src/management/members/messages.de';
import { en as membersEn } from '../../src/management/members/messages.en';
import { de as ordersDe } from '../../src/management/orders/messages.de';
import { en as ordersEn } from '../../src/management/orders/messages.en';
import { de as organizationDe } from '../../src/management/organization/messages.de';
import { en as organizationEn } from '../../src/management/organization/messages.en';
import { de as productsDe } from '../../src/management/products/messages.de';
import { en as productsEn } from '../../src/management/products/messages.en';
import { de as reportsDe } from '../../src/management/reports/messages.de';
import { en as reportsEn } from '../../src/management/reports/messages.en';
import { de as requestsDe } from '../../src/management/requests/messages.de';
import { en as requestsEn } from '../../src/management/requests/messages.en';
import { de as searchDe } from '../../src/management/search/messages.de';
import { en as searchEn } from '../../src/management/search/messages.en';
import { de as shopsDe } from '../../src/management/shops/messages.de';
import { en as shopsEn } from '../../src/management/shops/messages.en';
import { de as signInDe } from '../../src/management/sign-in/messages.de';
import { en as signInEn } from '../../src/management/sign-in/messages.en';
import { de as sharedDe } from '../../src/management/ui/messages.de';
import { en as sharedEn } from '../../src/management/ui/messages.en';
import { de as webhooksDe } from '../../src/management/webhooks/messages.de';
import { en as webhooksEn } from '../../src/management/webhooks/messages.en';

/** Everything that the pages say, by area; `shared` is what areas say alike. */
export const de = {
  shared: sharedDe,
  account: accountDe,
  audit: auditDe,
  keys: keysDe,
  members: membersDe,
  orders: ordersDe,
  organization: organizationDe,
  products: productsDe,
  reports: reportsDe,
  requests: requestsDe,
  search: searchDe,
  shops: shopsDe,
  signIn: signInDe,
  webhooks: webhooksDe,
};

export const en = {
  shared: sharedEn,
  account: accountEn,
  audit: auditEn,
  keys: keysEn,
  members: membersEn,
  orders: ordersEn,
  organization: organizationEn,
  products: productsEn,
  reports: reportsEn,
  requests: requestsEn,
  search: searchEn,
  shops: shopsEn,
  signIn: signInEn,
  webhooks: webhooksEn,
};
