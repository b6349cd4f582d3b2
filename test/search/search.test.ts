import { globalSearch, sweepSearch } from '../../src/order-requests/search/search';
import { openRequest, staffContext } from '../support/order-flow';
import { callApi, openOrganizationApi, succeeded } from '../support/organization';
import { doctoredDb } from '../support/probe';
import { moveOrder, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { rows, systemContext } from '../support/world';

/** Ids of what a text finds, as staff of the organization. */
async function find({ orgId }: { orgId: string }, text: string): Promise<string[]> {
  const { requests, orders } = await globalSearch(staffContext(orgId).ctx, text);
  return [...requests, ...orders].map(({ id }) => id);
}

async function sweep(): Promise<void> {
  const { ctx, settled } = systemContext();
  await sweepSearch(ctx);
  await settled();
}

const entriesOf = ({ orgId }: { orgId: string }) =>
  rows<{ id: string; words: string; docid: number }>(
    'select id, words, docid from search_entries where org_id = ?',
    orgId,
  );

/** Whether a text is anywhere in the index, in its own tables too. */
async function isInIndex(text: string): Promise<boolean> {
  const blocks = await rows<{ block: string }>('select hex(block) as block from search_words_data');
  const bytes = [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  const entries = await rows('select 1 from search_entries where instr(words, ?)', text);
  return entries.length > 0 || blocks.some(({ block }) => block.includes(bytes));
}

const named = (customer_name: string) => ({ customer_name });

test('what is committed is found at once, before the index has it, and afterwards by the index', async ({ seller }) => {
  const { id } = await placeOrder(seller, named('Zäzilie Quast'));
  const request = await openRequest(seller, { customer_name: 'Quast, Anton' });
  expect(await entriesOf(seller)).toEqual([]);
  for (const state of ['before', 'after']) {
    expect(await find(seller, 'quast zaezi'), state).toEqual([id]);
    expect((await find(seller, 'QUAST')).toSorted(), state).toEqual([id, request].toSorted());
    await sweep();
    expect((await entriesOf(seller)).map((entry) => entry.id).toSorted(), state).toEqual([id, request].toSorted());
  }
  // A change is found by what it says now, and no more by what it said.
  succeeded(await callApi(seller, 'PATCH', `/orders/${id}`, { body: { customer_name: 'Zenta Ybbs' } }));
  for (const state of ['before', 'after']) {
    expect([await find(seller, 'ybbs'), await find(seller, 'zazilie')], state).toEqual([[id], []]);
    await sweep();
  }
});

test('one organization finds nothing of another one, whatever is typed', async ({ seller }) => {
  const other = await openOrganizationApi();
  await placeOrder(seller, named('Fremder Mensch'));
  await openRequest(seller, { customer_name: 'Fremder Mensch' });
  const term = `${seller.orgId.slice(-12)}owfremder`;
  const typed = [
    'fremder',
    term,
    `"${term}"`,
    `x" OR "${term}`,
    `${term}*`,
    'terms:fremder',
    '{terms} : a',
    'NEAR(fremder)',
    '*',
    'f*',
    'NOT x',
  ];
  for (const state of ['before', 'after']) {
    for (const text of typed) expect(await find(other, text), `${state}: ${text}`).toEqual([]);
    expect(await find(seller, 'fremder'), state).toHaveLength(2);
    await sweep();
  }
  expect(await find(seller, `${'fremder '.repeat(7)}`)).toHaveLength(2);
  expect(await find(seller, 'x'.repeat(10_000))).toEqual([]);
});

test('what was erased or deleted leaves no trace in the index, from the batch on that does it', async ({ seller }) => {
  const { id } = await placeOrder(seller, named('Xaverine Jdyk'));
  const request = await openRequest(seller, { customer_name: 'Vqupol Hrmpf' });
  const order = await placeOrder(seller, named('Bleibtreu'));
  await sweep();
  expect([await isInIndex('jdyk'), await isInIndex('hrmpf')]).toEqual([true, true]);
  await moveOrder(seller, id, 'cancelled');
  await sweep();
  const [{ customer_id: customer } = {}] = await rows<{ customer_id: string }>(
    'select customer_id from orders where id = ?',
    id,
  );
  await moveOrder(seller, order.id, 'cancelled');
  succeeded(await callApi(seller, 'DELETE', `/customers/${customer}`));
  succeeded(await callApi(seller, 'DELETE', `/order-requests/${request}`));
  for (const state of ['before', 'after']) {
    expect([await isInIndex('jdyk'), await isInIndex('hrmpf')], state).toEqual([false, false]);
    expect([await find(seller, 'jdyk'), await find(seller, 'hrmpf')], state).toEqual([[], []]);
    await sweep();
  }
  await rows(`insert into search_words(search_words) values ('integrity-check')`);
});

test('a run that read a person before the erasure writes nothing of them', async ({ seller }) => {
  const request = await openRequest(seller, { customer_name: 'Qwaxlmu' });
  // The erasure comes between the run's read and its write.
  let batches = 0;
  const DB = doctoredDb(async (trip, send) => {
    batches = trip;
    if (trip === 3) succeeded(await callApi(seller, 'DELETE', `/order-requests/${request}`));
    return send();
  });
  const { ctx } = systemContext({ env: { DB } });
  await sweepSearch(ctx);
  expect(batches).toBeGreaterThanOrEqual(3);
  expect(await isInIndex('qwaxlmu')).toBe(false);
});

test('two runs at once write once, and the sweep catches up on any number of rows', async ({ seller }) => {
  const order = await placeOrder(seller, named('Vielfach'));
  const copies = 600;
  const columns = (await rows<{ name: string }>(`select name from pragma_table_info('orders')`)).map(
    ({ name }) => name,
  );
  const changed: Record<string, string> = {
    id: `substr(id, 1, 24) || printf('%012x', i)`,
    number: 'number + i',
    external_id: 'null',
    change_number: 'change_number + i',
    customer_name: `'Vielfach ' || i`,
  };
  await rows(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${copies})
      insert into orders (${columns.join()}) select ${columns.map((name) => changed[name] ?? name).join()} from orders, n where id = ?`,
    order.id,
  );
  await Promise.all([sweep(), sweep()]);
  for (let run = 0; run < 3; run += 1) await sweep();
  const entries = await entriesOf(seller);
  expect(entries).toHaveLength(copies + 1);
  expect(new Set(entries.map(({ docid }) => docid)).size).toBe(copies + 1);
  const { orders, counts, isBehind } = await globalSearch(staffContext(seller.orgId).ctx, 'vielfach', 'orders');
  expect([orders.length, counts.orders, isBehind]).toEqual([50, 100, false]);
  // By its name, and by its number.
  expect(await find(seller, 'vielfach 598')).toHaveLength(2);
  // Once all is in it, a run reads and writes nothing.
  const { ctx } = systemContext();
  await sweepSearch(ctx);
  expect(ctx.db.meter.roundTrips).toBe(1);
});

test('after fifty writes of an organization its isolate takes them in without the cron', async ({ seller }) => {
  for (let n = 0; n < 60; n += 1)
    await placeOrder(seller, named(`Eilig ${'abcdef'[n % 6]}${'ghijklmnop'[Math.floor(n / 6)]}`));
  expect((await entriesOf(seller)).length).toBeGreaterThan(10);
  expect(await find(seller, 'eilig fp')).toHaveLength(1);
});

test('a step of the status changes the terms of an order, and its other terms stay', async ({ seller }) => {
  const { id } = await placeOrder(seller, named('Stufen'));
  await sweep();
  await moveOrder(seller, id, 'cancelled');
  await sweep();
  const [entry] = await rows<{ state: string }>('select state from search_entries where id = ?', id);
  expect(entry?.state).toBe(`scancelled h${seller.shopId.slice(-12)}`);
  expect(await find(seller, 'stufen')).toEqual([id]);
  await rows(`insert into search_words(search_words) values ('integrity-check')`);
});
