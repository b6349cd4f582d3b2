import { expect, test } from 'vitest';
import { de } from '../support/messages';
import { openApprovable } from '../support/order-flow';
import { openSeller } from '../support/seller';
import { enter } from './browser';
import { saidOn } from './page-forms';

test('a form that the script sends is told where to go, and only the page that the reader sees there tells what was done', async () => {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'owner');
  const { id } = await openApprovable(seller);
  const path = `/manage/requests/${id}`;
  const { token } = await browser.get(path);
  const fetched = (fields: Record<string, string>) =>
    browser.send(`${path}/reject`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Dest': 'empty' },
      body: new URLSearchParams({ form_token: token, ...fields }),
    });

  const refused = await fetched({ reason_code: '' });
  expect([refused.status, refused.location]).toEqual([400, null]);

  const done = await fetched({ reason_code: 'test' });
  expect([done.status, done.text, done.location]).toEqual([204, '', expect.stringMatching(/^\/manage\/requests/)]);
  await browser.get(done.location ?? '', { 'Sec-Fetch-Dest': 'empty' });
  expect(saidOn(await browser.get(done.location ?? ''))).toContain(de.shared.decided.did.request_rejected);
});
