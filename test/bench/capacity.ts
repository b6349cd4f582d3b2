import { globSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Api, ask, openOrganization, operatorApi, organizationApi } from '../../scripts/api.ts';
import { onePagePdf } from '../../scripts/pdf.ts';
import { ensureSecrets, operatorTokenOf } from '../../scripts/secrets.ts';
import { EVENT_TYPES } from '../../src/webhooks/event-types.ts';
import { rounded } from './figures.ts';
import { settle } from './phases.ts';
import { bundle, type LogLine, type Served, serve } from './serve.ts';
import { Subscribers } from './subscribers.ts';
import { type TappedCall, tappedCall } from './tapped.ts';

/** Before the measured ones, so that what is made once is not counted. */
const WARM_UP_LIVES = 50;
const P1_ID = 'P1-90001';
const STOCK = 1_000_000;
const HOST = 'capacity.localhost';
/** Tables and indexes of what is deleted 35 days after the event; the rest stays with the order. */
const OF_EVENTS = /^(sqlite_autoindex_)?(events|deliver)/;
const SCOPES = ['products.write', 'inventory.write', 'order_requests.read', 'order_requests.write'];
const SCOPES_OF_ORDERS = ['prescriptions.write', 'orders.read', 'orders.write'];

/** What one order costs a database, from the request to the hand-over. */
export interface Capacity {
  lives: number;
  /** Of an API or the connector. */
  requests: number;
  webhooks: number;
  /** How much larger D1 says that the database is. */
  bytes: number;
  /** The part of events, deliveries and attempts. */
  bytes_of_events: number;
  /** By table and index. */
  bytes_of: Record<string, number>;
  /** Batches that write nothing. */
  reading: D1Cost;
  writing: D1Cost;
}

interface D1Cost {
  round_trips: number;
  statements: number;
  rows_read: number;
  rows_written: number;
  /** What D1 says that the statements took. */
  sql_ms: number;
}

/**
 * Lets orders live, one after the other, and tells what each cost: submitted with a PDF, seen in the list, prescription and
 * request approved, packed, paid, handed over, and a subscriber of every event is told each time.
 * @param dir an empty directory for the bundle and the data
 */
export async function measureCapacity(lives: number, dir: string, say: (line: string) => void): Promise<Capacity> {
  say('Bundling the service …');
  const [bundleDir, stateDir] = [join(dir, 'bundle'), join(dir, 'state')];
  const secrets = ensureSecrets(join(dir, 'secrets'));
  await bundle(null, bundleDir);
  const subscribers = await Subscribers.start();
  const lines: LogLine[] = [];
  const served = await serve({ bundleDir, stateDir, secrets, isTapped: true, onLog: (line) => lines.push(line) });
  await served.migrate();
  const pharmacy = await Pharmacy.open(served, operatorTokenOf(secrets), subscribers.url('/healthy/capacity'));

  await pharmacy.live(WARM_UP_LIVES);
  const before = { size: await served.sizeBytes(), tables: bytesOfTables(stateDir), lines: lines.length };
  say(`${lives} orders …`);
  await pharmacy.live(lives);
  const grown = (await served.sizeBytes()) - before.size;
  const tables = [...bytesOfTables(stateDir)]
    .map(([name, bytes]): [string, number] => [name, Math.round((bytes - (before.tables.get(name) ?? 0)) / lives)])
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, a], [, b]) => b - a);
  const told = await served.ask<{ count: number }>(
    `select count(*) as count from deliveries where status = 'succeeded'`,
  );
  pharmacy.close();
  await served.close();

  const batches = lines.slice(before.lines).flatMap((line) => {
    const tapped = tappedCall(line);
    return tapped?.method === 'batch' ? [tapped] : [];
  });
  return {
    lives,
    requests: Pharmacy.REQUESTS,
    webhooks: rounded((told?.count ?? 0) / (WARM_UP_LIVES + lives)),
    bytes: Math.round(grown / lives),
    bytes_of_events: tables.filter(([name]) => OF_EVENTS.test(name)).reduce((sum, [, bytes]) => sum + bytes, 0),
    bytes_of: Object.fromEntries(tables),
    reading: costOfEach(
      batches.filter(({ rows_written }) => rows_written === 0),
      lives,
    ),
    writing: costOfEach(
      batches.filter(({ rows_written }) => rows_written > 0),
      lives,
    ),
  };
}

function costOfEach(batches: readonly TappedCall[], lives: number): D1Cost {
  const sum = (field: 'statements' | 'rows_read' | 'rows_written' | 'sql_ms') =>
    rounded(batches.reduce((total, batch) => total + batch[field], 0) / lives);
  return {
    round_trips: rounded(batches.length / lives),
    statements: sum('statements'),
    rows_read: sum('rows_read'),
    rows_written: sum('rows_written'),
    sql_ms: sum('sql_ms'),
  };
}

/** From the file itself: D1 does not tell it. */
function bytesOfTables(stateDir: string): Map<string, number> {
  const [file = ''] = globSync(join(stateDir, '**/miniflare-D1DatabaseObject/*.sqlite')).filter(
    (path) => !path.endsWith('metadata.sqlite'),
  );
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select name, sum(pgsize) as bytes from dbstat group by name').all();
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

/** An organization with a shop, a product that requires a prescription, and a subscriber of every event. */
class Pharmacy {
  /** What `liveOnce` sends. */
  static readonly REQUESTS = 9;
  private readonly agent: Agent;
  private readonly served: Served;
  private readonly orgId: string;
  private readonly integrationKey: string;
  private readonly api: Api;

  private constructor(served: Served, agent: Agent, made: { orgId: string; integrationKey: string; api: Api }) {
    this.served = served;
    this.agent = agent;
    this.orgId = made.orgId;
    this.integrationKey = made.integrationKey;
    this.api = made.api;
  }

  static async open(served: Served, operatorToken: string, webhookUrl: string): Promise<Pharmacy> {
    const operate = operatorApi(served.baseUrl, operatorToken);
    const named = { p1_id: P1_ID, name: 'Cannabisblüten 20/1', slug: 'blueten-20-1', category: 'Blüten' };
    await operate('POST', '/catalog', JSON.stringify({ ...named, price: 19.95, prescription_required: true }));
    const { orgId, integrationKey, within, keyFor } = await openOrganization(operate, { name: 'Löwen-Apotheke' }, HOST);
    const apiKey = await keyFor([...SCOPES, ...SCOPES_OF_ORDERS]);
    await within('/subscriptions', { url: webhookUrl, event_types: EVENT_TYPES });
    const agent = new Agent({ keepAlive: true });
    const api = await organizationApi(served.baseUrl, orgId, apiKey, agent);
    await api('POST', '/products/add-to-inventory', { p1_id: P1_ID, initial_stock: STOCK });
    return new Pharmacy(served, agent, { orgId, integrationKey, api });
  }

  /** @returns once everything is delivered */
  async live(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.liveOnce();
    await settle(this.served, [{ orgId: this.orgId, host: HOST, key: this.integrationKey }]);
  }

  private async liveOnce(): Promise<void> {
    const reference = `RX-${crypto.randomUUID()}`;
    const id = await this.submit(reference);
    await this.api('GET', '/order-requests');
    const { prescriptions } = await this.api('GET', `/order-requests/${id}`);
    await this.api('POST', `/prescriptions/${prescriptions[0]?.id}/approve`, {});
    const { order_id } = await this.api('POST', `/order-requests/${id}/approve`, {});
    await this.api('GET', `/orders/${order_id}`);
    await this.api('PATCH', `/orders/${order_id}`, { status: 'ready_pickup' });
    await this.api('POST', `/orders/${order_id}/mark-paid`, { payment_reference: reference });
    await this.api('PATCH', `/orders/${order_id}`, { status: 'picked_up' });
  }

  private async submit(reference: string): Promise<string> {
    const body = {
      external_reference: reference,
      source: 'telemed.example',
      payload: {
        customer_name: 'Erika Mustermann',
        customer_email: `${reference.toLowerCase()}@example.com`,
        address_street: 'Heidestraße 17',
        address_postal_code: '51147',
        address_city: 'Köln',
        shipping_option: 'Abholung',
        payment_status: 'cash_on_pickup',
        total_amount: 39.9,
        items: [{ name: 'Cannabisblüten 20/1', p1_id: P1_ID, quantity: 2, price: 19.95 }],
        prescription_pdf_base64: onePagePdf(`Rezept ${reference}`).toString('base64'),
      },
    };
    const url = `http://${HOST}:${this.served.port}/api/v1/external-order`;
    return (await ask('POST', url, { apikey: this.integrationKey }, body, this.agent)).id;
  }

  close(): void {
    this.agent.destroy();
  }
}
