import { env as bound } from 'cloudflare:workers';
import { BELONGINGS } from '../../src/directory/move/belongings';
import { sendEmails } from '../../src/messages/sending';
import { newId } from '../../src/platform/ids';
import { filesOf } from '../../src/restore/organization/tar';
import { sweepExports, writeExports } from '../../src/restore/organization/write';
import { enter } from '../management/browser';
import { allKeys, filesWith } from '../support/files';
import { openRich } from '../support/moving';
import { ask } from '../support/operator';
import { openPrescribed } from '../support/order-flow';
import { begin, fetchParts, newKey, read, statusOf, written } from '../support/organization-file';
import { problemOf } from '../support/probe';
import { rowsOf } from '../support/rows';
import { openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { rows, systemContext } from '../support/world';

const DAY = 24 * 60 * 60_000;

interface Opened {
  manifest: Record<string, unknown>;
  rows: Map<string, unknown[]>;
  pdfs: Map<string, Uint8Array>;
  bytes: number;
}

async function open(orgId: string, id: string, identity: string): Promise<Opened> {
  const { parts, bytes: size } = await fetchParts(orgId, id, identity);
  const text = (name: string) => new TextDecoder().decode(parts.get(name));
  const tables = new Map<string, unknown[]>();
  const pdfs = new Map<string, Uint8Array>();
  for (const [name, bytes] of parts) {
    const table = /^\d+-(\w+)-\d+\.ndjson/.exec(name)?.[1];
    const lines = table ? text(name).trim().split('\n') : [];
    if (table) tables.set(table, [...(tables.get(table) ?? []), ...lines.map((line) => JSON.parse(line))]);
    if (name.startsWith('prescriptions')) for (const [pdf, content] of filesOf(bytes.slice())) pdfs.set(pdf, content);
  }
  return { manifest: JSON.parse(text('manifest.json.age')), rows: tables, pdfs, bytes: size };
}

/** What the database has of an organization, in the order of the file. */
async function stored(table: string, orgId: string): Promise<unknown[]> {
  const { from = `"${table}" as t`, where = 't.org_id = $org' } = BELONGINGS.find((of) => of.table === table) ?? {};
  const text = `select t.* from ${from} where ${where}`.replaceAll('$org', `'${orgId}'`).replaceAll('$now', '0');
  return rows(text);
}

test('the file has every row of the organization and every PDF, and nothing of others', async () => {
  const { orgId, ...seller } = await openRich();
  const { prescriptionId } = await openPrescribed({ ...seller, orgId });
  const other = await openSeller();
  await placeOrder(other);
  const { identity, public_key } = await newKey();
  const { export_id: id } = await begin(orgId, public_key);
  const status = await written(orgId, id);
  const opened = await open(orgId, id, identity);
  let count = 0;
  for (const { table } of BELONGINGS) {
    if (['staff_sessions', 'staff_resets', 'staff_page_data'].includes(table)) continue;
    const found = opened.rows.get(table) ?? [];
    const texts = (list: unknown[]) => list.map((row) => JSON.stringify(row)).toSorted();
    // The row of the audit log that the download writes came later.
    const expected = (await stored(table, orgId)).filter((row) => !JSON.stringify(row).includes('rows_read'));
    expect(texts(found), table).toEqual(texts(expected));
    expect(found, table).not.toEqual([]);
    count += found.length;
  }
  expect(JSON.stringify([...opened.rows])).not.toContain(other.orgId);
  const pdf = await rows<{ file_key: string }>('select file_key from prescriptions where id = ?', prescriptionId);
  const bytes = await (await bound.FILES.get(pdf[0]?.file_key ?? ''))?.arrayBuffer();
  expect(opened.pdfs.get(`${prescriptionId}.pdf`)).toEqual(new Uint8Array(bytes ?? new ArrayBuffer()));
  expect(opened.manifest).toMatchObject({ org_id: orgId, rows: count, files: opened.pdfs.size });
  expect(opened.manifest.classes).toMatchObject({
    customers: { person: expect.arrayContaining(['name']) },
    api_keys: { secret: ['hash'] },
  });
  expect(status).toMatchObject({ status: 'ready', rows: count, files: opened.pdfs.size, bytes: opened.bytes });
  expect(status.sha256).toMatch(/^[\da-f]{64}$/);
});

test('rows that change while it is written are in it as they were last', async ({ seller }) => {
  const { orgId } = seller;
  const { id: orderId } = await placeOrder(seller);
  const { identity, public_key } = await newKey();
  const { export_id: id } = await begin(orgId, public_key);
  let puts = 0;
  const env = {
    FILES: filesWith({
      put: async (key: string, value: string, options?: R2PutOptions) => {
        puts += 1;
        // Behind the page that has the order, once in each of the first two passes.
        if (/-emails-|audit_log/.test(key) && puts < 60) {
          await rows(`update orders set note = 'later ${puts}', version = version + 1 where id = ?`, orderId);
          await placeOrder(seller);
        }
        return bound.FILES.put(key, value, options);
      },
    }),
  };
  await written(orgId, id, env);
  const opened = await open(orgId, id, identity);
  const texts = (list: unknown[]) => list.map((row) => JSON.stringify(row)).toSorted();
  for (const table of ['orders', 'inventory', 'stock_movements', 'events']) {
    expect(texts(opened.rows.get(table) ?? [])).toEqual(texts(await stored(table, orgId)));
  }
  expect(JSON.stringify(opened.rows.get('orders'))).toMatch(/later \d/);
});

test('what is accepted while the last pass looks for changes is in it, too', async ({ seller }) => {
  const { orgId } = seller;
  const { identity, public_key } = await newKey();
  const { export_id: id } = await begin(orgId, public_key);
  let puts = 0;
  let placed = 0;
  const env = {
    FILES: filesWith({
      put: (key: string, value: string, options?: R2PutOptions) => {
        puts += key.includes('/parts/') ? 1 : 0;
        return bound.FILES.put(key, value, options);
      },
      list: async (options?: R2ListOptions) => {
        // The end of a pass: nothing had changed in it so far, and then an order comes.
        if (options?.prefix?.endsWith('/prescriptions-')) {
          if (puts === 0 && placed < 3) {
            await placeOrder(seller);
            placed += 1;
          }
          puts = 0;
        }
        return bound.FILES.list(options);
      },
    }),
  };
  await written(orgId, id, env);
  const opened = await open(orgId, id, identity);
  expect(placed).toBe(3);
  expect(opened.rows.get('orders')).toHaveLength(3);
});

test('two runs at the same time do not both write it', async ({ seller }) => {
  const { export_id: id } = await begin(seller.orgId, (await newKey()).public_key);
  let puts = 0;
  const put = (key: string, value: string, options?: R2PutOptions) => {
    puts += key.includes('/parts/') ? 1 : 0;
    return bound.FILES.put(key, value, options);
  };
  const { ctx } = systemContext({ env: { FILES: filesWith({ put }) } });
  await Promise.all([writeExports(ctx), writeExports(ctx)]);
  expect(puts).toBe((await allKeys(`exports/parts/${id}/`)).length);
});

test('owners are told, and the audit log says who began it and who fetched it', async ({ seller }) => {
  const { orgId } = seller;
  const { email } = await enter(orgId, 'owner');
  await enter(orgId, 'pharmacist');
  const sent: { to: string; text: string }[] = [];
  const send = async (message: (typeof sent)[number]) => void sent.push(message);
  const env = { EMAIL: { send }, EMAIL_FROM: 'nachrichten@shops.example' } as unknown as Partial<Env>;
  const answer = await ask(`/organizations/${orgId}/exports`, { public_key: (await newKey()).public_key }, { env });
  expect(answer.status).toBe(202);
  const { export_id: id } = await answer.json<{ export_id: string }>();
  await sendEmails(systemContext({ env }).ctx);
  expect(sent.map(({ to }) => to)).toEqual([email]);
  expect(sent[0]?.text).toMatch(/alle Daten Ihrer Apotheke.*all data of your pharmacy.*\/manage\/settings\/audit/s);
  await written(orgId, id);
  await (await read(orgId, id, '/file')).arrayBuffer();
  const acts = await rowsOf('audit_log', { org_id: orgId, reason_code: id });
  expect(acts.map(({ action, actor_kind }) => `${actor_kind} ${action}`).toSorted()).toEqual([
    'operator organization.export_begun',
    'operator organization.rows_read',
  ]);
});

test('a file is read only when it is ready, under its own organization, for seven days', async ({ seller }) => {
  const { orgId } = seller;
  const { public_key } = await newKey();
  const { export_id: id } = await begin(orgId, public_key);
  expect(await begin(orgId, public_key)).toEqual({ export_id: id });
  expect(await statusOf(orgId, id)).toEqual({ status: 'running', rows: 0, files: 0, bytes: 1024, sha256: null });
  await problemOf(await read(orgId, id, '/file'), 409, 'conflict');
  await written(orgId, id);
  const other = await openSeller();
  await problemOf(await read(other.orgId, id), 404, 'not_found');
  await problemOf(await read(other.orgId, id, '/file'), 404, 'not_found');
  const sweepAt = (days: number) => sweepExports(systemContext({ now: () => Date.now() + days * DAY }).ctx);
  await sweepAt(6.9);
  expect((await read(orgId, id)).status).toBe(200);
  await sweepAt(7.1);
  await problemOf(await read(orgId, id), 404, 'not_found');
  expect(await allKeys(`exports/parts/${id}`)).toEqual([]);
});

test('refuses what is no age recipient, and an unknown organization', async ({ seller }) => {
  for (const public_key of ['', 'age1', `age1${'q'.repeat(58)}`, 'AGE-SECRET-KEY-1', 7, `age1${'x'.repeat(5_000)}`]) {
    const refused = await problemOf(
      await ask(`/organizations/${seller.orgId}/exports`, { public_key }),
      400,
      'validation_failed',
    );
    expect(JSON.stringify(refused)).toContain('/public_key');
  }
  const { public_key } = await newKey();
  await problemOf(await ask(`/organizations/${newId()}/exports`, { public_key }), 404, 'organization_not_found');
});
