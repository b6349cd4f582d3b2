import type { OrderLine } from '../../src/orders/tables';
import { rowsIn } from './world';

interface OrderFacts {
  created_at: number;
  shop_id: string;
  status: string;
  payment_status: string;
  total_cents: number;
  refunded_cents: number;
  items: string;
  source: string;
}

interface RequestFacts {
  created_at: number;
  shop_id: string;
  status: string;
  decided_at: number | null;
}

interface DayRow {
  starts_at: number;
  shop_id: string;
  orders: string;
  approved: number;
  rejected: number;
  deleted: number;
  review_seconds: string;
  sources: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPANS = [0, 7 * DAY_MS, 28 * DAY_MS];

/** What reports read of an organization, without what came to nothing, as texts. */
export async function keptTotals(orgId: string, shard = 0): Promise<string[]> {
  const days = await rowsIn<DayRow>(shard, 'select * from day_totals where org_id = ?', orgId);
  const products = await rowsIn<Record<string, unknown>>(shard, 'select * from product_totals where org_id = ?', orgId);
  const sums = new Map<string, number[]>();
  for (const { starts_at, shop_id, orders, review_seconds, sources, ...requests } of days) {
    const place = `${starts_at} ${shop_id}`;
    for (const [key, sum] of Object.entries<number[]>(JSON.parse(orders))) sums.set(`orders ${place} ${key}`, sum);
    for (const status of ['approved', 'rejected', 'deleted'] as const) {
      sums.set(`requests ${place} ${status}`, [requests[status]]);
    }
    for (const [seconds, count] of Object.entries<number>(JSON.parse(review_seconds))) {
      sums.set(`reviews ${place} ${seconds}`, [count]);
    }
    for (const [source, sum] of Object.entries<number[]>(JSON.parse(sources)))
      sums.set(`source ${place} ${source}`, sum);
  }
  for (const { span, starts_at, p1_id, name, shop_id, lines, quantity, millicents } of products) {
    const key = `products ${span} ${starts_at} ${shop_id} ${p1_id} ${name}`;
    sums.set(key, [lines, quantity, millicents] as number[]);
  }
  return texts(sums);
}

/** The same, from every order and request. */
export async function countedTotals(orgId: string, shard = 0): Promise<string[]> {
  const orders = await rowsIn<OrderFacts>(shard, 'select * from orders where org_id = ? and deleted_at is null', orgId);
  const requests = await rowsIn<RequestFacts>(shard, 'select * from order_requests where org_id = ?', orgId);
  const sums = new Map<string, number[]>();
  const add = (key: string, ...amounts: number[]) => {
    const before = sums.get(key) ?? [];
    sums.set(
      key,
      amounts.map((amount, index) => (before[index] ?? 0) + amount),
    );
  };
  for (const { created_at, shop_id, status, payment_status, total_cents, refunded_cents, items, source } of orders) {
    const kept = total_cents - refunded_cents;
    add(`orders ${partOf(created_at)} ${shop_id} ${status} ${payment_status}`, 1, kept);
    const isEnded = status === 'cancelled' || status === 'returned';
    const name = hex(source);
    add(`source ${partOf(created_at)} ${shop_id} ${name}`, 1, Number(isEnded), isEnded ? 0 : kept);
    if (isEnded) continue;
    for (const { p1Id, name, unit = '', quantity, priceCents } of JSON.parse(items) as OrderLine[]) {
      const share = refunded_cents === 0 ? 1 : 1 - refunded_cents / total_cents;
      for (const span of SPANS) {
        const startsAt = span === 0 ? partOf(created_at) : created_at - (created_at % span);
        const key = `products ${span} ${startsAt} ${shop_id} ${p1Id ?? ''} ${p1Id === null ? name : unit}`;
        add(key, 1, quantity, Math.round(1000 * quantity * priceCents * share));
      }
    }
  }
  for (const { created_at, shop_id, status, decided_at } of requests) {
    const place = `${partOf(created_at)} ${shop_id}`;
    if (status !== 'pending') add(`requests ${place} ${status}`, 1);
    if (decided_at !== null) add(`reviews ${place} ${rounded(Math.floor((decided_at - created_at) / 1000))}`, 1);
  }
  return texts(sums);
}

function partOf(at: number): number {
  const hour = new Date(at).getUTCHours();
  return hour >= 22 ? at - (at % HOUR_MS) : at - (at % DAY_MS);
}

/** Down to steps of 5, 50, 500 … from 100, 1,000, 10,000 … on. */
function rounded(seconds: number): number {
  const step = Math.max(1, 10 ** (String(seconds).length - 2) / 2);
  return seconds - (seconds % step);
}

function texts(sums: ReadonlyMap<string, number[]>): string[] {
  return [...sums]
    .filter(([, amounts]) => amounts.some((amount) => amount !== 0))
    .map(([key, amounts]) => `${key}: ${amounts.join(' ')}`)
    .toSorted();
}

function hex(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}
