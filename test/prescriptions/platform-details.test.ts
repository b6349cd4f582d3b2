import { enter } from '../management/browser';
import { approve, openConnector } from '../support/order-flow';
import { attachNewProduct, callApi, createKey, succeeded, tokenFor } from '../support/organization';
import { expect, test } from '../support/test';
import { envelope, rows } from '../support/world';

/** What is as a prescription is, each with a mark. */
const HEALTH = {
  prescription_url: 'https://rx.example/r.pdf?sig=MARK1',
  attachment: `${btoa('%PDF-1.7 x')}MARK2`,
  consultation: { diagnosis: 'MARK3' },
  icd_code: 'MARK4',
  scan: `${'A'.repeat(300)}MARK5`,
  summary: 'see http://rx.example/MARK6',
};
const OPEN = { insurance: 'AOK-SEEN', doctor: 'Dr. Seen' };
const marksIn = (text: string) => [...new Set(text.match(/MARK\d/g) ?? [])].sort();

test('links, files and diagnoses of a platform need the right to see prescriptions, on pages and by the API', async ({
  api,
}) => {
  const { p1_id } = await attachNewProduct(api);
  const submit = await openConnector(api);
  const items = [{ name: 'x', p1_id, quantity: 1, price: 1, diagnosis: 'MARK7', dosage: '1-0-1' }];
  const sent = await submit(envelope({ items, ...HEALTH, ...OPEN }));
  const { id } = await sent.json<{ id: string }>();
  const all = ['MARK1', 'MARK2', 'MARK3', 'MARK4', 'MARK5', 'MARK6', 'MARK7'];
  const scopes = ['order_requests.read', 'orders.read', 'orders.write'] as const;
  const withKey = async (more: readonly ['prescriptions.read'] | readonly []) => {
    const { apiKey } = await createKey(api.orgId, [...scopes, ...more]);
    return { ...api, token: await tokenFor({ ...api, apiKey }) };
  };
  const [some, whole] = [await withKey([]), await withKey(['prescriptions.read'])];
  const read = async (at: typeof api, path: string) => JSON.stringify((await callApi(at, 'GET', path)).body);
  const paths = [`/order-requests/${id}`, '/order-requests'];
  const pages = [`/manage/requests/${id}`];
  const check = async () => {
    for (const path of paths) {
      expect([path, marksIn(await read(some, path))]).toEqual([path, []]);
      expect([path, marksIn(await read(whole, path))]).toEqual([path, all]);
      for (const seen of ['AOK-SEEN', 'Dr. Seen', '1-0-1']) expect(await read(some, path)).toContain(seen);
    }
    for (const [role, marks] of [
      ['staff', []],
      ['pharmacist', all],
    ] as const) {
      const { browser } = await enter(api.orgId, role);
      for (const path of pages) {
        const { text } = await browser.get(path);
        expect([path, role, marksIn(text)]).toEqual([path, role, marks]);
        expect(text).toContain('AOK-SEEN');
      }
    }
  };
  await check();
  const { order_id } = succeeded(await approve(api, id));
  paths.splice(0, 2, `/orders/${order_id}`, '/orders');
  pages.splice(0, 1, `/manage/orders/${order_id}`);
  await check();
  const patch = () =>
    callApi(some, 'PATCH', `/orders/${order_id}`, { body: { note: 'x' }, headers: { 'Idempotency-Key': 'one' } });
  expect(marksIn(JSON.stringify(succeeded(await patch())))).toEqual([]);
  // A repetition whose first answer is not kept is answered from what stands.
  await rows('update idempotency_keys set answer = null where org_id = ?', api.orgId);
  const repeated = await patch();
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true');
  expect(marksIn(JSON.stringify(succeeded(repeated)))).toEqual([]);
});
