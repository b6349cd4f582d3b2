import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../support/seeded';
import { Assortment, type Draw } from './support/assortment';
import { ownService } from './support/own-service';

/** Fixed, so that a failure comes again. */
const SEED = 20_261_125;
const ROUNDS = 80;
/** A bound for a hang. */
const ALL_MS = 600_000;

const { service } = await ownService();
const random = seeded(SEED);
const draw: Draw = (end) => Math.floor(random() * end);
let world: Assortment;

beforeAll(async () => {
  world = await Assortment.open(service, 1, []);
});

test(
  'counts of the shelf while orders are promised never oversell: what is promised lies in the house, or `shortage` says what is missing',
  async () => {
    const [p1Id = ''] = world.p1Ids;
    await world.api('POST', '/products/add-to-inventory', { p1_id: p1Id, initial_stock: 0 });
    // What lies in the house, and the orders that were approved and have not left it.
    let shelf = 0;
    let shortage = 0;
    const open: { id: string; quantity: number }[] = [];
    const seen = { approved: 0, refused: 0, short: 0, left: 0 };
    const count = (pieces: number, countedAt: string) =>
      world.api('PATCH', `/inventory/${p1Id}`, { on_hand: pieces, counted_at: countedAt, reason: 'count' });
    const order = async (quantity: number) => {
      const { status, orderId = '' } = await world.order(p1Id, quantity);
      seen[status === 200 ? 'approved' : 'refused'] += 1;
      if (status === 200) open.push({ id: orderId, quantity });
    };
    const cancel = ({ id }: { id: string }) =>
      world.api('PATCH', `/orders/${id}`, { status: 'cancelled', reason_code: 'test' });
    // What is not there cannot be handed over, whatever was promised.
    const leave = async ({ id, quantity }: { id: string; quantity: number }) => {
      if (quantity > shelf) return cancel({ id });
      shelf -= quantity;
      seen.left += 1;
      return world.api('PATCH', `/orders/${id}`, { status: 'picked_up' });
    };

    for (let round = 0; round < ROUNDS; round += 1) {
      const came = draw(6);
      shelf += came;
      if (came > 0) await world.api('PATCH', `/inventory/${p1Id}`, { delta: came, reason: 'delivery' });
      // Pieces get lost, and only the count sees it.
      const lost = draw(2) === 0 ? draw(Math.min(shelf, 8) + 1) : 0;
      shelf -= lost;

      const going = open.splice(0, draw(3));
      for (const { id } of going)
        await world.api('PATCH', `/orders/${id}`, { status: 'ready_pickup', shipping_option: 'Abholung' });
      const dropped = open.splice(0, draw(2));
      const [counted, countedAt] = [shelf, new Date().toISOString()];
      const leaving = draw(2) ? going : [];
      await Promise.all([
        ...Array.from({ length: 1 + draw(4) }, () => order(1 + draw(4))),
        ...leaving.map(leave),
        ...dropped.map(cancel),
        ...Array.from({ length: draw(2) }, () => count(counted, countedAt)),
      ]);
      // Whoever came late says what was there when it was counted.
      await count(counted, countedAt);
      if (leaving.length === 0) for (const each of going) await leave(each);

      const { body } = await world.api('GET', `/inventory/${p1Id}`);
      const promised = open.reduce((sum, { quantity }) => sum + quantity, 0);
      const about = `round ${round}: ${JSON.stringify({ came, lost, shelf, promised, body })}`;
      expect(body, about).toMatchObject({
        on_hand: shelf,
        committed_quantity: promised,
        stock_quantity: Math.max(0, shelf - promised),
        shortage: Math.max(0, promised - shelf),
      });
      expect((await world.promised()).get(p1Id) ?? 0, about).toBe(promised);
      // No order is approved beyond stock: only what is lost can be missing.
      expect(body.shortage, about).toBeLessThanOrEqual(shortage + lost);
      shortage = body.shortage;
      if (shortage > 0) seen.short += 1;
      expect((await world.order(p1Id, body.stock_quantity + 1)).status, about).toBe(409);
    }
    for (const times of Object.values(seen)) expect(times, JSON.stringify(seen)).toBeGreaterThan(5);
  },
  ALL_MS,
);
