import { newId } from '../../src/platform/ids';
import { approve, atOnce } from '../support/order-flow';
import { callApi, importProduct, type OrganizationApi, succeeded } from '../support/organization';
import { expectReservedAsHeld } from '../support/platform';
import { accepted } from '../support/probe';
import { expect, test } from '../support/test';
import { envelope, rows, submit } from '../support/world';

const RACES = 1_000;
/** Races of one moment. */
const TOGETHER = 10;
/** Each product is fought for this often; there is one unit of it for each race. */
const OF_EACH = 10;

async function stockOf(api: OrganizationApi, p1Id: string) {
  return succeeded(await callApi(api, 'GET', `/inventory/${p1Id}`));
}

test(`${RACES} races of two paid requests for the last unit oversell nothing`, { timeout: 60_000 }, async ({
  seller,
}) => {
  await rows('update shops set reserve_paid_minutes = 4320 where id = ?', seller.shopId);
  await rows('update api_keys set reserves = 1 where id = ?', seller.integrationKey.split('_')[1] ?? '');
  const products = await Promise.all(
    Array.from({ length: RACES / OF_EACH }, (_, place) =>
      importProduct({ name: `Zainbow ${place}`, price: 8.75, unit: place % 2 ? 'g' : 'piece' }),
    ),
  );
  const p1Ids = products.map(({ p1_id }) => p1_id);
  const added = p1Ids.map((p1_id) => ({ p1_id, add: true, stock_quantity: 1 }));
  expect(succeeded(await callApi(seller, 'PATCH', '/inventory', { body: { items: added } })).summary.created).toBe(
    p1Ids.length,
  );

  /** @returns the request, if it has the unit; else it says that it has not */
  const ask = async (p1_id: string): Promise<string[]> => {
    const payload = { payment_status: 'paid', items: [{ p1_id, quantity: 1, price: 8.75 }] };
    const { id, items, warnings } = (await accepted(
      await submit(seller, envelope(payload, { external_reference: newId() })),
    )) as unknown as { id: string; items: { reserved_quantity: number }[]; warnings: { code: string }[] };
    const isShort = warnings.some(({ code }) => code === 'insufficient_stock');
    expect(items[0]?.reserved_quantity).toBe(isShort ? 0 : 1);
    return isShort ? [] : [id];
  };

  const winners: string[] = [];
  for (let round = 0; round < OF_EACH; round += 1) {
    if (round > 0) {
      const items = p1Ids.map((p1_id) => ({ p1_id, delta: 1 }));
      succeeded(await callApi(seller, 'PATCH', '/inventory', { body: { items } }));
    }
    for (let place = 0; place < p1Ids.length; place += TOGETHER) {
      const fought = p1Ids.slice(place, place + TOGETHER);
      const ended = await Promise.all(
        fought.map((p1Id) =>
          atOnce(
            () => ask(p1Id),
            () => ask(p1Id),
          ),
        ),
      );
      for (const both of ended) expect(both.flat()).toHaveLength(1);
      winners.push(...ended.flat(2));
    }
  }
  expect(winners).toHaveLength(RACES);
  await expectReservedAsHeld();
  for (const p1Id of [p1Ids[0] ?? '', p1Ids[1] ?? '']) {
    expect(await stockOf(seller, p1Id)).toMatchObject({ stock_quantity: 0, reserved_quantity: 10, on_hand: 10 });
  }
  // Who has it can be approved, whatever came after.
  for (const id of winners.slice(0, 5)) succeeded(await approve(seller, id));
  await expectReservedAsHeld();
});
