import { expect, test } from 'vitest';
import { approve, openApprovable } from '../support/order-flow';
import { openSeller } from '../support/seller';
import { rows } from '../support/world';
import { Browser, enter } from './browser';

const PAGES = ['/manage/requests', '/manage/orders', '/manage/products', '/manage/reports', '/manage/account'];

test('every page says how many orders wait to be packed, whoever looks, and what another organization has is not among them', async () => {
  const [seller, other] = [await openSeller(), await openSeller()];
  const people = [await enter(seller.orgId, 'staff'), await enter(seller.orgId, 'owner')];
  const { browser: elsewhere } = await enter(other.orgId, 'owner');
  const saidTo = async (browser: Browser, path: string) => toPackOn((await browser.get(path)).text);
  for (const packed of [0, 1, 2]) {
    if (packed > 0) await approve(seller, (await openApprovable(seller)).id);
    for (const { browser } of people) {
      for (const path of PAGES.slice(0, 3)) expect([path, await saidTo(browser, path)]).toEqual([path, packed || '']);
    }
  }
  for (const path of PAGES) expect([path, await saidTo(elsewhere, path)]).toEqual([path, '']);
  await rows(`update orders set status = 'ready_pickup' where org_id = ?`, seller.orgId);
  for (const { browser } of people) expect(await saidTo(browser, '/manage/orders')).toBe('');
});

test('a page brings each picture that it shows, once', async () => {
  const seller = await openSeller();
  await openApprovable(seller);
  const { browser } = await enter(seller.orgId, 'owner');
  for (const [visitor, path] of [
    ...[...PAGES, '/manage/settings/members', '/manage/nowhere'].map((path) => [browser, path] as const),
    [new Browser(), '/manage/sign-in'] as const,
  ]) {
    const { text } = await visitor.get(path);
    const used = new Set(Array.from(text.matchAll(/<use href="#([\w-]+)"/g), ([, id]) => id));
    const brought = Array.from(text.matchAll(/<symbol id="([\w-]+)"/g), ([, id]) => id);
    expect([path, [...used].filter((id) => !brought.includes(id))]).toEqual([path, []]);
    expect(new Set(brought).size).toBe(brought.length);
    expect(text).not.toMatch(/ style=|<style/);
  }
});

/** The number beside Orders in the navigation; the empty text for none. */
function toPackOn(text: string): number | string {
  const said = /<span class="count" id="to-pack"[^>]*>(\d*)/.exec(text)?.[1];
  return said === '' ? said : Number(said);
}
