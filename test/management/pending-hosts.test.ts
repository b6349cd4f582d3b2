import { expect, test } from 'vitest';
import { ask, freshHost } from '../support/operator';
import { problemOf } from '../support/probe';
import { operate, rows } from '../support/world';
import { openOwned } from './browser';

const SHOPS = '/manage/settings/shops';

interface Waiting {
  data: { org_id: string; shop_id: string; host: string }[];
  next_cursor: string | null;
}

async function waiting(query = ''): Promise<Waiting> {
  return (await ask(`/hosts?status=pending${query}`, undefined, { method: 'GET' })).json();
}

/** The operator's whole list, page by page. */
async function allWaiting(limit: number): Promise<{ pages: number; data: Waiting['data'] }> {
  const data: Waiting['data'] = [];
  let cursor: string | null = null;
  for (let pages = 1; pages < 500; pages += 1) {
    const page: Waiting = await waiting(`&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    data.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null) return { pages, data };
  }
  throw new Error('the list does not end');
}

test('ten hosts of an organization wait at most, over all its shops and at the same moment; the operator’s list holds no more', async () => {
  const { browser, orgId } = await openOwned();
  const made = await Promise.all(
    ['Süd', 'West'].map((name) => operate(`/organizations/${orgId}/shops`, { name, hosts: [] })),
  );
  const paths = made.map(({ shop_id }) => `${SHOPS}/${shop_id}`);
  const { token } = await browser.get(paths[0] ?? '');
  const add = (path: string) => browser.post(`${path}/hosts`, { form_token: token, host: freshHost() });
  const added = await Promise.all(Array.from({ length: 14 }, (_, index) => add(paths[index % 2] ?? '')));
  expect(added.map(({ status }) => status).sort()).toEqual([...Array(10).fill(303), ...Array(4).fill(400)]);
  expect(added.find(({ status }) => status === 400)?.text).toContain('Höchstens 10 Adressen warten');
  expect((await allWaiting(200)).data.filter(({ org_id }) => org_id === orgId)).toHaveLength(10);
  // Nor by way of a new shop.
  const opened = await browser.post(SHOPS, {
    form_token: token,
    name: 'Ost',
    host: freshHost(),
    deliveryServiceName: '',
  });
  expect(opened.status).toBe(400);
  expect(opened.text).toMatch(/id="host-fault">[^<]*Höchstens 10 Adressen warten/);
  expect(await rows("select id from shops where org_id = ? and name = 'Ost'", orgId)).toEqual([]);
});

test('a host that waits keeps nobody else from asking for it; once active it is one’s alone', async () => {
  const [first, second] = [await openOwned(), await openOwned()];
  const host = freshHost();
  for (const { browser, path } of [first, second]) {
    expect((await browser.submit(`${path}/hosts`, { host }, path)).status).toBe(303);
    expect((await browser.get(path)).text).toContain(`<code>${host}</code>`);
  }
  const asked = (await allWaiting(200)).data.filter((each) => each.host === host);
  expect(asked.map(({ org_id }) => org_id)).toEqual([first.orgId, second.orgId]);
  // The second time an organization asks for it says nothing new.
  expect((await second.browser.submit(`${second.path}/hosts`, { host }, second.path)).status).toBe(400);

  await operate(`/organizations/${second.orgId}/shops/${second.shopId}/hosts`, { host });
  expect((await allWaiting(200)).data.filter((each) => each.host === host)).toEqual([]);
  expect((await first.browser.get(first.path)).text).not.toContain(`<code>${host}</code>`);
  const again = await first.browser.submit(`${first.path}/hosts`, { host }, first.path);
  expect(again.text).toMatch(/id="host-fault">[^<]*schon vergeben/);
  const hosts = `/organizations/${first.orgId}/shops/${first.shopId}/hosts`;
  await problemOf(await ask(hosts, { host }), 409, 'host_taken');
});

test('a wish can be taken back by whoever made it, and by nobody else', async () => {
  const [first, second] = [await openOwned(), await openOwned()];
  const host = freshHost();
  for (const { browser, path } of [first, second]) await browser.submit(`${path}/hosts`, { host }, path);
  const removal = `${first.path}/hosts/${host}/remove`;
  const { token } = await first.browser.get(removal);
  expect((await first.browser.post(removal, { form_token: token, status: 'pending' })).status).toBe(303);
  expect((await allWaiting(200)).data.filter((each) => each.host === host)).toMatchObject([{ org_id: second.orgId }]);
});

test('the operator’s list comes in pages, the longest wait first, each host once', async () => {
  const owned = [await openOwned(), await openOwned()];
  const hosts: string[] = [];
  for (const { browser, path } of [...owned, ...owned, ...owned]) {
    const host = freshHost();
    hosts.push(host);
    await browser.submit(`${path}/hosts`, { host }, path);
  }
  const whole = await allWaiting(200);
  expect(whole.pages).toBe(1);
  expect(whole.data.map(({ host }) => host).filter((host) => hosts.includes(host))).toEqual(hosts);
  const paged = await allWaiting(2);
  expect(paged.pages).toBe(Math.ceil(whole.data.length / 2));
  expect(paged.data).toEqual(whole.data);
});

test.each(['limit=0', 'limit=201', 'limit=x', 'limit=1e2', 'cursor=x', 'cursor=-1', 'page=2'])(
  'the operator’s list asked with %s: 400',
  async (query) => {
    const response = await ask(`/hosts?status=pending&${query}`, undefined, { method: 'GET' });
    expect(response.status).toBe(400);
  },
);
