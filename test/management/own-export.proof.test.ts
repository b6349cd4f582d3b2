import { env as bound } from 'cloudflare:workers';
import { Decrypter } from 'age-encryption';
import { filesOf } from '../../src/restore/organization/tar';
import { writeExports } from '../../src/restore/organization/write';
import { allKeys } from '../support/files';
import { rowsOf } from '../support/rows';
import { openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { codeOf, nextCodeOf } from '../support/totp';
import { BASE, call, systemContext } from '../support/world';
import { turnOn } from './authenticator';
import { type Browser, enter } from './browser';

const PAGE = '/manage/settings/organization';
const EXPORT = `${PAGE}/export`;
const PASSPHRASE = 'birne fahrrad leuchtturm';

const ask = (browser: Browser, passphrase: string, code: string) => browser.submit(EXPORT, { passphrase, code }, PAGE);

async function ownerWithFactor(orgId: string) {
  const { browser } = await enter(orgId, 'owner');
  const { secret } = await turnOn(browser);
  return { browser, secret };
}

test('an owner gets a file by the second factor, which the passphrase opens and nothing else', async ({ seller }) => {
  const { orgId } = seller;
  const order = await placeOrder(seller);
  const { browser, secret } = await ownerWithFactor(orgId);
  expect(await ask(browser, PASSPHRASE, await nextCodeOf(secret))).toMatchObject({ status: 303, location: PAGE });
  expect((await browser.get(PAGE)).text).toContain('Wird geschrieben');
  for (let minute = 0; minute < 4; minute += 1) {
    await writeExports(systemContext({ now: () => Date.now() + minute * 60_000 }).ctx);
  }
  const { text } = await browser.get(PAGE);
  const [path = ''] = new RegExp(`${EXPORT}/[\\da-f-]{36}`).exec(text) ?? [];
  const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const fetched = await call(BASE + path, { headers: { Cookie: cookies } });
  expect(fetched.status).toBe(200);
  const archive = new Uint8Array(await fetched.arrayBuffer());
  expect(fetched.headers.get('Content-Length')).toBe(String(archive.length));
  const [[first, key] = ['', new Uint8Array()], [second, manifest] = ['', new Uint8Array()], ...parts] =
    filesOf(archive);
  expect([first, second]).toEqual(['key.age', 'manifest.json.age']);

  const wrong = new Decrypter();
  wrong.addPassphrase(`${PASSPHRASE}!`);
  await expect(wrong.decrypt(key)).rejects.toThrow();
  const byPassphrase = new Decrypter();
  byPassphrase.addPassphrase(PASSPHRASE);
  const decrypter = new Decrypter();
  decrypter.addIdentity(await byPassphrase.decrypt(key, 'text'));
  expect(JSON.parse(await decrypter.decrypt(manifest, 'text'))).toMatchObject({ org_id: orgId });
  const orders = parts.find(([name]) => /^\d+-orders-/.test(name))?.[1] ?? new Uint8Array();
  expect(await decrypter.decrypt(orders, 'text')).toContain(order.id);
  // Neither the passphrase nor the identity is anywhere else.
  for (const stored of await allKeys('exports/')) {
    expect(await (await bound.FILES.get(stored))?.text()).not.toMatch(/birne|AGE-SECRET/);
  }
  const actions = (await rowsOf('audit_log', { org_id: orgId })).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['organization.export_begun', 'organization.rows_read']));
});

test('refuses a wrong or used code, a short passphrase, and whoever has no second factor', async ({ orgId }) => {
  const { browser, secret } = await ownerWithFactor(orgId);
  const used = await codeOf(secret);
  expect((await ask(browser, PASSPHRASE, used)).text).toContain('Der Code stimmt nicht');
  expect((await ask(browser, PASSPHRASE, '')).text).toContain('Der Code stimmt nicht');
  expect((await ask(browser, 'kurz', await nextCodeOf(secret))).text).toContain('Bitte 16 bis 200 Zeichen');
  const without = await enter(orgId, 'owner');
  expect((await without.browser.get(PAGE)).text).toContain('Dafür brauchen Sie den zweiten Faktor');
  expect((await ask(without.browser, PASSPHRASE, '123456')).text).toContain('Der Code stimmt nicht');
  expect(await allKeys(`exports/records/${orgId}/`)).toEqual([]);
});

test('only owners of the organization see or fetch it, and one is written at a time', async ({ orgId }) => {
  const { browser, secret } = await ownerWithFactor(orgId);
  await ask(browser, PASSPHRASE, await nextCodeOf(secret));
  const [record = ''] = await allKeys(`exports/records/${orgId}/`);
  const path = `${EXPORT}/${record.split('/').at(-1)}`;
  const pharmacist = await enter(orgId, 'pharmacist');
  expect((await pharmacist.browser.get(path)).status).toBe(403);
  const other = await enter((await openSeller()).orgId, 'owner');
  expect((await other.browser.get(path)).status).toBe(404);
  const second = await ownerWithFactor(orgId);
  expect((await ask(second.browser, PASSPHRASE, await nextCodeOf(second.secret))).status).toBe(409);
  expect(await allKeys(`exports/records/${orgId}/`)).toHaveLength(1);
});
