import { expect } from 'vitest';
import { callApi, type OrganizationApi, succeeded } from './organization';
import { rows } from './world';

/** What a mirror keeps of a product. */
export interface Mirrored {
  p1_id: string;
  unit: string;
  stock_quantity: number;
  on_hand: number;
  committed_quantity: number;
  reserved_quantity: number;
  stock_version: number;
  shop_ids: string[];
}

interface NewsOfProduct extends Mirrored {
  changed_fields: string[];
}

/** An organization's stock as a reader knows it who sees nothing but the feed of events. */
export class Mirror {
  private readonly products = new Map<string, Mirrored>();
  private cursor: string | undefined;

  constructor(private readonly api: OrganizationApi) {}

  /** Reads what is new. @returns the entries of products that it found */
  async read(): Promise<NewsOfProduct[]> {
    const found: NewsOfProduct[] = [];
    for (;;) {
      const query = { limit: 100, ...(this.cursor !== undefined && { cursor: this.cursor }) };
      const page = succeeded(await callApi(this.api, 'GET', '/events', { query }));
      for (const { event_type, metadata } of page.data) found.push(...this.take(event_type, metadata));
      if (page.data.length === 0) return found;
      this.cursor = page.next_cursor;
    }
  }

  private take(type: string, metadata: Record<string, unknown>): NewsOfProduct[] {
    if (type === 'product_deleted') this.products.delete(metadata.p1_id as string);
    const isOne = type === 'product_created' || type === 'product_updated';
    const news = isOne
      ? [metadata]
      : type === 'products_updated'
        ? (metadata.products as Record<string, unknown>[])
        : [];
    const told = news as unknown as NewsOfProduct[];
    for (const { changed_fields: _, ...product } of told) this.products.set(product.p1_id, product);
    return told;
  }

  state(): Mirrored[] {
    return [...this.products.values()].sort((one, other) => (one.p1_id < other.p1_id ? -1 : 1));
  }
}

interface Kept extends Mirrored {
  shortage: number;
  ledger_stock: number;
  ledger_committed: number;
  ledger_on_hand: number;
  movements: number;
}

/** The organization's stock as it is stored, beside the sums of its ledger. */
async function storedStock(orgId: string): Promise<Kept[]> {
  const of = 'from stock_movements as m where m.org_id = i.org_id and m.p1_id = i.p1_id';
  const stored = await rows<Omit<Kept, 'shop_ids'> & { shop_ids: string }>(
    `select i.p1_id, coalesce(i.unit, (select c.unit from catalog_products as c where c.p1_id = i.p1_id), 'piece') as unit, stock_quantity, stock_quantity + committed_quantity + reserved_quantity - shortage as on_hand,
      committed_quantity, reserved_quantity,
      stock_version, shortage,
      (select json_group_array(shop_id) from (select shop_id from listings as l
        where l.org_id = i.org_id and l.p1_id = i.p1_id order by shop_id)) as shop_ids,
      (select coalesce(sum(delta), 0) ${of}) as ledger_stock,
      (select coalesce(sum(committed_delta), 0) ${of}) as ledger_committed,
      (select coalesce(sum(on_hand_delta), 0) ${of}) as ledger_on_hand,
      (select count(*) ${of}) as movements
     from inventory as i where org_id = ? order by i.p1_id`,
    orgId,
  );
  return stored.map((row) => ({ ...row, shop_ids: JSON.parse(row.shop_ids) }));
}

const IN_HOUSE = ['awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping'];

/** What the orders promise of each product, read from the orders alone. */
async function promisedByOrders(orgId: string): Promise<Map<string, number>> {
  const orders = await rows<{ status: string; items: string; supply: string | null }>(
    'select status, items, supply from orders where org_id = ?',
    orgId,
  );
  const promised = new Map<string, number>();
  for (const { status, items, supply } of orders) {
    if (!IN_HOUSE.includes(status)) continue;
    const parts = JSON.parse(supply ?? '[]');
    for (const [place, { p1Id, quantity }] of JSON.parse(items).entries()) {
      const { owed, supplied } = parts[place] ?? { owed: 0, supplied: 0 };
      if (p1Id !== null) promised.set(p1Id, (promised.get(p1Id) ?? 0) + quantity - owed - supplied);
    }
  }
  return promised;
}

/** Whatever was done: the ledger sums to the stock, which is what orders promise and what is free, and a mirror knows it. */
export async function expectInBalance(api: OrganizationApi, mirror: Mirror, after: string): Promise<void> {
  const stored = await storedStock(api.orgId);
  const promised = await promisedByOrders(api.orgId);
  for (const row of stored) {
    const { p1_id, stock_quantity, on_hand, committed_quantity, shortage } = row;
    expect(row, after).toMatchObject({
      ledger_stock: stock_quantity,
      ledger_committed: committed_quantity,
      ledger_on_hand: on_hand,
      stock_version: row.movements,
      committed_quantity: promised.get(p1_id) ?? 0,
    });
    expect(Math.min(stock_quantity, on_hand, committed_quantity, shortage), after).toBeGreaterThanOrEqual(0);
    expect(stock_quantity * shortage, after).toBe(0);
  }
  expect(mirror.state(), after).toEqual(
    stored.map(({ p1_id, unit, stock_quantity, on_hand, committed_quantity, reserved_quantity, ...row }) => {
      const { stock_version, shop_ids } = row;
      return { p1_id, unit, stock_quantity, on_hand, committed_quantity, reserved_quantity, stock_version, shop_ids };
    }),
  );
}
