import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Api, organizationApi } from '../../scripts/api';
import { post } from '../../scripts/http';
import { ownService } from './support/own-service';
import { openPharmacyAt, SUBMITS } from './support/pharmacy';
import { StaffForms } from './support/staff-forms';

const ROOT = resolve(import.meta.dirname, '../..');
const HANG_MS = 480_000;
const SCOPES = ['events.read', 'orders.read', 'orders.write', 'order_requests.read', 'order_requests.write'];
const PDF = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n').toString('base64');

const { service } = await ownService();

async function runRestore(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(ROOT, 'scripts/restore.ts'), '--env', 'local', ...args],
    {
      // Vite has a BASE_URL of its own.
      env: { ...process.env, OFFIZIN_STATE_DIR: service.dir, BASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const closed = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, output: output + errors };
}

type Opened = Awaited<ReturnType<typeof openPharmacyAt>>;

/** A pharmacy whose shop system reads the feed with its own cursor. */
class Pharmacy {
  readonly seen = new Set<string>();
  readonly numbers: number[] = [];
  private cursor = '';

  private readonly at: Opened;
  readonly api: Api;

  private constructor(at: Opened, api: Api) {
    this.at = at;
    this.api = api;
  }

  static async open(shard: number): Promise<Pharmacy> {
    const at = await openPharmacyAt(service, { fields: { shard }, keys: [SUBMITS, SCOPES] });
    return new Pharmacy(at, await organizationApi(service.demo.base_url, at.orgId, at.keys[1] ?? ''));
  }

  async submit(): Promise<string> {
    const payload = {
      customer_name: 'Erika Mustermann',
      items: [{ name: 'Ibuprofen 400 mg', quantity: 1, price: 4.95 }],
      prescription_pdf_base64: PDF,
    };
    const body = JSON.stringify({ external_reference: randomUUID(), source: 'telemed.example', payload });
    const headers = { apikey: this.at.keys[0] ?? '', 'Content-Type': 'application/json' };
    const answer = await post(this.at.connector, headers, body);
    expect(answer.status, answer.body).toBe(200);
    return JSON.parse(answer.body).id;
  }

  async order(): Promise<string> {
    const items = [{ name: 'Beratung', qty: 1, price: 4.95 }];
    const body = { shop_id: this.at.shopId, external_id: randomUUID(), customer_name: 'Erika Mustermann', items };
    const { id, number } = await this.api('POST', '/orders', body);
    expect(this.numbers).not.toContain(Number(number));
    this.numbers.push(Number(number));
    return id;
  }

  /** Makes orders and reads the feed. @returns how often it was told to try later */
  async workUntil(isOver: () => boolean): Promise<number> {
    let refused = 0;
    while (!isOver()) {
      try {
        await this.order();
        await this.pull();
      } catch (error) {
        if (!/organization_unavailable|backend_unreachable/.test(String(error))) throw error;
        refused += 1;
      }
    }
    return refused;
  }

  /** Reads on in the feed. @returns how many events came, each for the first time */
  async pull(): Promise<number> {
    const before = this.seen.size;
    for (;;) {
      const page = await this.api('GET', `/events?limit=100${this.cursor && `&cursor=${this.cursor}`}`);
      for (const { id } of page.data) {
        expect(this.seen).not.toContain(id);
        this.seen.add(id);
      }
      this.cursor = page.next_cursor;
      if (page.data.length === 0) return this.seen.size - before;
    }
  }
}

const signIn = (browser: StaffForms, { email = '', password = '' }: { email?: string; password?: string } = {}) =>
  browser.submit('/manage/sign-in', '/manage/sign-in', { email, password, next: '' });

async function statusOfKey(apiKey: string): Promise<number> {
  const { base_url, org_id } = service.demo;
  return (await post(`${base_url}/api/v2/public/orgs/${org_id}/auth/token`, { 'X-API-Key': apiKey }, '')).status;
}

test(
  'drill: state saved, 200 things happen, state restored: no cursor skips or repeats, no revoked key or session works, no order number repeats, what is held is not erased, the list names exactly the PDFs whose rows are gone',
  async () => {
    const { base_url, org_id, api_key, members, curl } = { ...service.demo, curl: service.curl };
    const [owner, , staff] = members;
    const demo = await organizationApi(base_url, org_id, api_key);
    const pharmacies = [await Pharmacy.open(0), await Pharmacy.open(1)];
    for (const pharmacy of pharmacies) {
      await pharmacy.submit();
      await pharmacy.order();
      await pharmacy.pull();
    }
    const submitted = await post(curl.url, curl.headers, curl.body);
    const held = JSON.parse(submitted.body).id;
    await demo('POST', `/order-requests/${held}/reject`, { reason_code: 'out_of_stock' });
    const revoked = await service.operate(`/organizations/${org_id}/api-keys`, { name: 'x', scopes: ['orders.read'] });
    const browsers = [new StaffForms(base_url), new StaffForms(base_url)] as const;
    await signIn(browsers[0], owner);
    await signIn(browsers[1], staff);

    const saved = await runRestore('--save');
    expect(saved.code, saved.output).toBe(0);
    const at = /--at (\S+)/.exec(saved.output)?.[1] ?? '';

    // 2 × (50 requests with a PDF, 45 orders, 4 changes of orders), 2 erasures, a hold, a key and a member revoked: 203 things.
    const lost: string[] = [];
    for (const pharmacy of pharmacies) {
      for (let count = 0; count < 50; count += 1) lost.push(await pharmacy.submit());
      const orders: string[] = [];
      for (let count = 0; count < 45; count += 1) orders.push(await pharmacy.order());
      for (const id of orders.slice(0, 4)) await pharmacy.api('PATCH', `/orders/${id}`, { note: 'geändert' });
      await pharmacy.api('DELETE', `/order-requests/${lost.pop()}`);
      expect(await pharmacy.pull()).toBeGreaterThan(90);
    }
    const [ownerPage] = browsers;
    await ownerPage.submit(`/manage/requests/${held}/hold`, `/manage/requests/${held}/hold`, { held: 'yes' });
    const refused = await demo('DELETE', `/order-requests/${held}`).catch((error) => String(error));
    expect(refused).toContain('legal_hold');
    await ownerPage.submit('/manage/settings/keys', `/manage/settings/keys/${revoked.key_id}/revoke`, {});
    expect(await statusOfKey(revoked.api_key ?? '')).toBe(401);
    await ownerPage.submit(...(await revocationOf(ownerPage, 'Lena Schmidt')), {});

    // Work goes on meanwhile, as far as the service lets it.
    let isOver = false;
    const [restored, ...timesRefused] = await Promise.all([
      runRestore('--at', at).finally(() => {
        isOver = true;
      }),
      ...pharmacies.map((pharmacy) => pharmacy.workUntil(() => isOver)),
    ]);
    expect(restored.code, restored.output).toBe(0);
    for (const times of timesRefused) expect(times).toBeGreaterThan(0);

    for (const pharmacy of pharmacies) {
      expect(await pharmacy.pull()).toBe(0);
      for (let count = 0; count < 10; count += 1) await pharmacy.submit();
      expect(await pharmacy.pull()).toBe(10);
      await pharmacy.order();
    }
    expect(await statusOfKey(revoked.api_key ?? '')).toBe(401);
    expect(await statusOfKey(api_key)).toBe(200);
    for (const browser of browsers) expect((await browser.get('/manage/requests')).path).toContain('/manage/sign-in');
    expect((await signIn(browsers[1], staff)).path).not.toBe('/manage/requests');
    expect((await signIn(browsers[0], owner)).path).toBe('/manage/requests');
    const still = await demo('GET', `/order-requests/${held}`);
    expect(still).toMatchObject({ status: 'rejected', customer_name: expect.any(String) });
    const again = await demo('DELETE', `/order-requests/${held}`).catch((error) => String(error));
    expect(again).toContain('legal_hold');
    const named = [...restored.output.matchAll(/PDF without its row: \S+ of \S+, order request (\S+),/g)].map(
      ([, id]) => id,
    );
    expect(named.sort()).toEqual(lost.sort());
  },
  HANG_MS,
);

/** The page that asks whether a person is to be revoked, and where its form is sent. */
async function revocationOf(browser: StaffForms, name: string): Promise<[string, string]> {
  const { text: list } = await browser.get('/manage/settings/members');
  for (const [path] of list.matchAll(/\/manage\/settings\/members\/[\w-]{36}\/revoke/g)) {
    if ((await browser.get(path)).text.includes(name)) return [path, path];
  }
  throw new Error(`no page of ${name}`);
}
