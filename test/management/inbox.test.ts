import { askQuestion } from '../../src/order-requests/review/decisions';
import { PAGE_BYTES_MAX, sentBytes, textOf } from '../support/html';
import { de } from '../support/messages';
import { approve, openApprovable, openPrescribed, openRequest, staffContext } from '../support/order-flow';
import { test as base, expect } from '../support/test';
import { PDF_BASE64 } from '../support/world';
import { enter } from './browser';

const REQUESTS = '/manage/requests';

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

/** What the rows of a page say, each cell with its class. */
function rowsOf(page: string): Record<string, string>[] {
  return [...page.matchAll(/<tr><td.*?(?=<tr|<\/table>)/gs)].map(([row]) =>
    Object.fromEntries(
      [...row.matchAll(/<td class="(\w+)[^>]*>(.*?)(?=<td|$)/gs)].map(([, name = '', cell = '']) => [
        name,
        textOf(cell),
      ]),
    ),
  );
}

test('says first what blocks, then what asks for a look, each once, and how many more there are', async ({
  api,
  browser,
}) => {
  const { product } = await openApprovable(api, { stock: 3 });
  const { p1_id, name, price } = product;
  const item = { p1_id, name, price, quantity: 1 };
  const other = { ...item, price: price + 40 };
  await openRequest(api, { items: [other, other, { ...item, quantity: 4 }] });
  await openRequest(api, { items: [other] });
  await openRequest(api, { items: [other, { ...item, name: 'Cetirizin 10 mg Filmtabletten' }] });
  const rows = rowsOf((await browser.get(REQUESTS)).text);
  expect(rows.map(({ settle }) => settle)).toEqual([
    '',
    'Bestand reicht nicht + 1 weitere',
    'Preis weicht ab',
    'Anderer Wirkstoff + 1 weitere',
  ]);
});

test('says in the row what is asked, and nothing of a request that only waits for its prescription', async ({
  api,
  browser,
}) => {
  const { id } = await openPrescribed(api);
  const settleOf = async (path: string) => rowsOf((await browser.get(path)).text)[0]?.settle;
  expect(await settleOf(REQUESTS)).toBe('');
  await askQuestion(staffContext(api.orgId).ctx, { id, code: 'dosage', text: 'Einnahme?' });
  expect(await settleOf(`${REQUESTS}?tab=needs_info`)).toBe(de.requests.questionCodes.dosage);
});

test('with 50 requests of many items each, with a prescription and more to settle, it has 15 KB at most', async ({
  api,
  browser,
}) => {
  const items = Array.from({ length: 30 }, (_, place) => ({
    name: `Artikel ${place} 500 mg Filmtabletten, 20 St`,
    quantity: 1,
    price: 5,
  }));
  const sent = {
    items,
    total_amount: 1,
    payment_status: 'paid',
    shipping_option: 'Versand',
    prescription_pdf_base64: PDF_BASE64,
  };
  for (let count = 0; count < 51; count += 1) {
    await openRequest(api, { ...sent, customer_name: `Maximiliane von Hohenstein ${count}` });
  }
  const { text } = await browser.get(REQUESTS);
  expect(rowsOf(text)).toHaveLength(50);
  expect(await sentBytes(text)).toBeLessThan(PAGE_BYTES_MAX);
});

test('when empty leads on to what is to be packed and to open questions', async ({ api, browser }) => {
  const { id } = await openApprovable(api);
  await approve(api, id);
  const asked = await openRequest(api);
  await askQuestion(staffContext(api.orgId).ctx, { id: asked, code: 'other', text: 'Wohin?' });
  const { text } = await browser.get(REQUESTS);
  expect(text).toContain(
    `href="/manage/orders"><svg class="i" aria-hidden="true"><use href="#i-box"/></svg>${de.requests.pack(1)}`,
  );
  expect(text).toContain(`href="${REQUESTS}?tab=needs_info">${de.requests.openQuestions(1)}`);
  expect(text).not.toContain('href="/manage/welcome"');
});
