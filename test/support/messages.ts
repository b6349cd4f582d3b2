import { messages as account } from '../../src/management/account/messages';
import { messages as audit } from '../../src/management/audit/messages';
import { messages as keys } from '../../src/management/keys/messages';
import { messages as members } from '../../src/management/members/messages';
import { messages as orders } from '../../src/management/orders/messages';
import { messages as organization } from '../../src/management/organization/messages';
import { messages as products } from '../../src/management/products/messages';
import { messages as reports } from '../../src/management/reports/messages';
import { messages as requests } from '../../src/management/requests/messages';
import { messages as search } from '../../src/management/search/messages';
import { messages as shops } from '../../src/management/shops/messages';
import { messages as signIn } from '../../src/management/sign-in/messages';
import { sharedMessages as shared } from '../../src/management/ui/messages';
import { messages as webhooks } from '../../src/management/webhooks/messages';

/** The texts of each area; `shared` is what areas say alike. */
const AREAS = {
  shared,
  account,
  audit,
  keys,
  members,
  orders,
  organization,
  products,
  reports,
  requests,
  search,
  shops,
  signIn,
  webhooks,
};

type Texts = { [Area in keyof typeof AREAS]: ReturnType<(typeof AREAS)[Area]> };

/** Everything that the pages say in a language. */
function textsIn(language: 'de' | 'en'): Texts {
  const texts = Object.entries(AREAS).map(([area, of]) => [area, of({ language })]);
  // SAFETY: each area has its own.
  return Object.fromEntries(texts) as Texts;
}

export const de = textsIn('de');
export const en = textsIn('en');
