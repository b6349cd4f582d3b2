import { hostOf } from '../../src/platform/http/outgoing';
import { Browser, enter, signIn } from '../management/browser';
import { PRODUCTION_BASE } from '../management/doubles';
import { ADDRESSES, type Address, ONE_OF_EACH_KIND, OWN_SHOP_HOST, SHOP_HOST } from '../support/addresses';
import { askInProduction, PRODUCTION } from '../support/operator';
import { type Call, outsideAnswers } from '../support/outbound';
import { fetchPrescriptions, pdfAnswer, prescriptionRow, submitLink } from '../support/prescriptions';
import { accepted } from '../support/probe';
import { rounds } from '../support/rounds';
import { expect, test, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliveriesOf,
  deliveryRow,
  openSubscribed,
  PRODUCTION_SCHEDULE,
} from '../support/webhooks';
import { call, envelope, json, openPharmacy, type Pharmacy, rows, submit } from '../support/world';

/**
 * Every door that an address comes in or goes out by, with every address: none that is refused is ever called, and each
 * of the others is, so that no door merely refuses everything.
 */
const TRIED = rounds(ONE_OF_EACH_KIND, ADDRESSES);
const WEBHOOKS = '/manage/settings/webhooks';
const env = { ...PRODUCTION, ...PRODUCTION_SCHEDULE };

/** Tries all addresses at one door and compares what it said. @param isTaken what has to become of each */
async function tryAll(
  door: (address: Address) => Promise<unknown>,
  isTaken = ({ refusal }: Address) => refusal === null,
) {
  const said: unknown[] = [];
  for (const address of TRIED) said.push([address.kind, address.url, await door(address)]);
  const expected = TRIED.map((address) => [address.kind, address.url, isTaken(address) ? 'taken' : 'refused']);
  expect(said).toEqual(expected);
}

/** A pharmacy whose shop has the host that is ours, and its owner in a browser. */
async function openOwner(): Promise<{ pharmacy: Pharmacy; browser: Browser; token: string }> {
  const pharmacy = await openPharmacy();
  await ownShopHost(pharmacy);
  const { email } = await enter(pharmacy.orgId, 'owner');
  const browser = new Browser(PRODUCTION_BASE);
  await signIn(browser, email);
  return { pharmacy, browser, token: (await browser.get(WEBHOOKS)).token };
}

async function ownShopHost({ orgId, shopId }: Pharmacy): Promise<void> {
  const host = hostOf(new URL(`https://${OWN_SHOP_HOST}`));
  await rows('delete from shop_hosts where host = ?', host);
  await rows("delete from directory where kind = 'host' and key = ?", host);
  await askInProduction(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  expect(await rows('select host from shop_hosts where host = ?', host)).toHaveLength(1);
}

function hostColumn(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? hostOf(parsed) : '';
}

/** A subscription that is allowed. @returns its id */
async function subscribed({ orgId }: Pharmacy): Promise<string> {
  const body = { url: 'https://before.example.com/', event_types: ['order_created'] };
  const made = await askInProduction(`/organizations/${orgId}/subscriptions`, body);
  return (await made.json<{ subscription_id: string }>()).subscription_id;
}

/** Whether a subscription was saved; it is gone afterwards, because an organization has five at most. */
async function takenAway({ orgId }: Pharmacy): Promise<string> {
  const saved = await rows('delete from subscriptions where org_id = ? returning id', orgId);
  return saved.length > 0 ? 'taken' : 'refused';
}

/** Whether it went out, and there alone. */
function outcome(calls: readonly Call[], url: string): string {
  if (calls.length === 0) return 'refused';
  return calls.length === 1 && calls[0]?.url === url ? 'taken' : `called ${calls.map((call) => call.url)}`;
}

/** A page drops NUL from what was typed, so that another address is checked and saved. */
const isTakenByPage = ({ url, refusal }: Address) => refusal === null || url.includes('\0');

test('no subscription to one is saved by the operator API', async ({ posts: calls }) => {
  const { pharmacy } = await openOwner();
  await tryAll(async ({ url, refusal }) => {
    const body = { url, event_types: ['order_created'] };
    const answer = await askInProduction(`/organizations/${pharmacy.orgId}/subscriptions`, body);
    const { errors } = await answer.json<{ errors?: { pointer: string; code: string }[] }>();
    if (refusal !== null) {
      const code = url.includes('\0') ? 'control_character' : refusal;
      expect([url, answer.status, errors?.[0]]).toMatchObject([url, 400, { pointer: '/url', code }]);
    }
    return takenAway(pharmacy);
  });
  expect(calls).toEqual([]);
});

test('no subscription to one is saved by the page', async ({ posts: calls }) => {
  const { pharmacy, browser, token } = await openOwner();
  await tryAll(async (address) => {
    const { url } = address;
    const page = await browser.post(WEBHOOKS, { form_token: token, url, order_created: 'on' });
    expect([url, page.status]).toEqual([url, isTakenByPage(address) ? 303 : 400]);
    return takenAway(pharmacy);
  }, isTakenByPage);
  expect(calls).toEqual([]);
});

test('no subscription is moved to one by the page', async ({ posts: calls }) => {
  const { pharmacy, browser, token } = await openOwner();
  const id = await subscribed(pharmacy);
  const stored = async () => {
    const [row] = await rows('select url, updated_at from subscriptions where id = ?', id);
    return row as { url: string; updated_at: number };
  };
  await tryAll(async (address) => {
    const { url } = address;
    await rows("update subscriptions set url = 'https://before.example.com/' where id = ?", id);
    const before = await stored();
    const fields = { form_token: token, seen_at: String(before.updated_at), url, order_created: 'on' };
    const page = await browser.post(`${WEBHOOKS}/${id}/edit`, fields);
    expect([url, page.status]).toEqual([url, isTakenByPage(address) ? 303 : 400]);
    return (await stored()).url === before.url ? 'refused' : 'taken';
  }, isTakenByPage);
  expect(calls).toEqual([]);
});

test('no callback of an integration leads to one', async ({ posts: calls }) => {
  const { pharmacy, browser, token } = await openOwner();
  const path = `/manage/settings/keys/${pharmacy.integrationKey.split('_')[1]}/callback`;
  await tryAll(async (address) => {
    const { url } = address;
    const page = await browser.post(path, { form_token: token, url });
    expect([url, page.status]).toEqual([url, isTakenByPage(address) ? 303 : 400]);
    return takenAway(pharmacy);
  }, isTakenByPage);
  expect(calls).toEqual([]);
});

test('no test event goes to one that stands in the database all the same', async () => {
  const { pharmacy, browser, token } = await openOwner();
  const id = await subscribed(pharmacy);
  const calls = outsideAnswers();
  vi.useFakeTimers({ toFake: ['Date'] });
  await tryAll(async ({ url, refusal }) => {
    calls.length = 0;
    // A subscription gets so many test events a minute.
    vi.setSystemTime(Date.now() + 61_000);
    await rows('update subscriptions set url = ?, host = ? where id = ?', url, hostColumn(url), id);
    const answer = await browser.post(`${WEBHOOKS}/${id}/test`, { form_token: token, event_type: 'order_created' });
    expect([url, answer.status]).toEqual([url, 303]);
    const [attempt] = await attemptsOf(answer.location?.split('/').at(-1) ?? '');
    expect([url, attempt?.failure_class]).toEqual([url, refusal === null ? null : 'blocked']);
    return outcome(calls, url);
  });
});

/** What became a shop's host after it was saved is called: the request comes in through the front door. */
const isSentTo = ({ kind, refusal }: Address) => refusal === null || kind === SHOP_HOST;

test.each([
  ['right after the commit', 1],
  ['by the queue', 0],
])('no event is sent %s to one that is stored all the same, and none costs an attempt', async (_, isHealthy) => {
  await ownShopHost(await openPharmacy());
  const calls = outsideAnswers();
  await tryAll(async (address) => {
    const { url } = address;
    const { pharmacy, subscriptionId } = await openSubscribed();
    const changes = 'update subscriptions set url = ?, host = ?, is_healthy = ? where id = ?';
    await rows(changes, url, hostColumn(url), isHealthy, subscriptionId);
    calls.length = 0;
    expect((await submit(pharmacy, envelope(), env)).status).toBe(200);
    const [delivery] = await deliveriesOf(pharmacy.orgId);
    const id = delivery?.id ?? '';
    if (!isHealthy) {
      expect(calls).toEqual([]);
      await deliver([id], { env });
    }
    const { status, attempt_count } = await deliveryRow(id);
    const sent = isSentTo(address) ? ['succeeded', 1] : ['held', 0];
    expect([url, status, attempt_count]).toEqual([url, ...sent]);
    expect([url, (await attemptsOf(id)).length]).toEqual([url, isSentTo(address) ? 1 : 0]);
    return outcome(calls, url);
  }, isSentTo);
});

/** A field of the connector is one line, without control characters. */
const isTakenByConnector = ({ url, refusal }: Address) => refusal === null && !/[\t\n]/.test(url.trim());

test('no supplement is taken with one as its link', async ({ pharmacy, posts: calls }) => {
  await ownShopHost(pharmacy);
  await tryAll(async ({ url, refusal }) => {
    const { id } = await accepted(await submit(pharmacy, envelope(), env));
    const body = json({ prescription_pdf_url: url }, { apikey: pharmacy.integrationKey });
    const answer = await call(`${pharmacy.url.replace('http:', 'https:')}/${id}/supplement`, body, env);
    const { code, errors } = await answer.json<{ code?: string; errors?: { pointer: string }[] }>();
    if (refusal !== null)
      expect([url, errors?.[0]?.pointer, code]).toEqual([url, '/prescription_pdf_url', expect.anything()]);
    return answer.status === 200 ? 'taken' : answer.status === 400 ? 'refused' : answer.status;
  }, isTakenByConnector);
  expect(calls).toEqual([]);
});

test('no prescription is taken with one as its link, or fetched from one that is stored', async ({ pharmacy }) => {
  await ownShopHost(pharmacy);
  const calls = outsideAnswers(pdfAnswer);
  await tryAll(async ({ url, refusal }) => {
    const answer = await submit(pharmacy, envelope({ prescription_pdf_url: url }), env);
    const { code, errors } = await answer.json<{ code?: string; errors?: { pointer: string }[] }>();
    if (refusal !== null)
      expect([url, errors?.[0]?.pointer, code]).toEqual([url, '/payload/prescription_pdf_url', expect.anything()]);
    return answer.status === 200 ? 'taken' : answer.status === 400 ? 'refused' : answer.status;
  }, isTakenByConnector);
  expect(calls).toEqual([]);

  await tryAll(async ({ url, refusal }) => {
    const { id } = await submitLink();
    await rows('update prescriptions set source_url = ?, source_host = ? where id = ?', url, hostColumn(url), id);
    calls.length = 0;
    await fetchPrescriptions([id], { env });
    const { status, fetch_failure } = await prescriptionRow(id);
    const fetched = refusal === null ? ['stored', null] : ['fetch_failed', 'blocked'];
    expect([url, status, fetch_failure]).toEqual([url, ...fetched]);
    return outcome(calls, url);
  });
});
