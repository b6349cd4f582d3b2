import { expect, test, vi } from 'vitest';
import { deleteRequest } from '../support/order-flow';
import { succeeded } from '../support/organization';
import { newPerson, reject, request } from '../support/person';
import { openSeller } from '../support/seller';
import { operate, rows, rowsIn, SHARDS } from '../support/world';

const MINUTE = 60_000;

interface Answer {
  entries: number;
  erased: { order_requests: number };
}

const NAMES = 'select customer_name from order_requests where id in (select value from json_each(?))';

test('after a restore each erasure is repeated in the database of its organization, known to the directory or not', async () => {
  const erased: { shard: number; id: string; before: Record<string, unknown> }[] = [];
  for (const shard of SHARDS) {
    const seller = await openSeller({ shard });
    const person = newPerson();
    const id = await request(seller, person);
    await reject(seller, id);
    const [before] = await rowsIn(shard, 'select * from order_requests where id = ?', id);
    succeeded(await deleteRequest(seller, id));
    erased.push({ shard, id, before: before as Record<string, unknown> });
  }
  const ids = JSON.stringify(erased.map(({ id }) => id));
  const restore = async () => {
    for (const { shard, id, before } of erased) {
      const columns = Object.keys(before);
      const change = `update order_requests set ${columns.map((column) => `"${column}" = ?`).join(', ')} where id = ?`;
      await rowsIn(shard, change, ...Object.values(before), id);
      expect(await rowsIn(shard, NAMES, ids)).toEqual([{ customer_name: before.customer_name }]);
    }
  };
  const replay = async () => {
    expect(await operate<Answer>('/erasures/replay', {})).toMatchObject({ entries: 2, erased: { order_requests: 2 } });
    for (const shard of SHARDS) expect(await rowsIn(shard, NAMES, ids)).toEqual([{ customer_name: null }]);
  };
  await restore();
  await replay();
  // The directory was restored, too, to a time before there were these organizations; a minute later no isolate knows them.
  await restore();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE });
  await rows('delete from directory');
  await replay();
});
