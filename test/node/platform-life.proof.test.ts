import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { organizationApi } from '../../scripts/api';
import { onePagePdf } from '../../scripts/pdf';
import { eventually } from '../support/eventually';
import { unescaped } from '../support/html';
import { ownService } from './support/own-service';
import { post } from './support/service';
import { StaffForms } from './support/staff-forms';

/** A bound for a hang. */
const LIFE_MS = 240_000;

const { service, dir } = await ownService();

test(
  'a platform that knows the reference and its integration key alone lives its whole life: asked, answered, approved, shipped, withdrawn, rejected',
  async () => {
    const platform = await startPlatform();
    const { callback } = await platform.said();
    const secret = await setCallback(callback);
    platform.hears(secret);

    await rejectOther();

    await platform.learns('pending');
    await ask('RX-asked', 'prescription_unreadable');
    await platform.learns('answered');
    await approve('RX-asked');
    await platform.learns('approved');
    const shipped = await orderOf('RX-asked');
    await change(shipped.id, { status: 'ready_shipping' });
    const tracking = { carrier: 'DHL', tracking_number: '003404', tracking_url: 'https://tracking.example/003404' };
    await change(shipped.id, { status: 'shipped', ...tracking });

    await approve('RX-late-accepted');
    await withdrawn('RX-late-accepted', { status: 'cancelled', reason_code: 'customer_withdrew' });
    await approve('RX-late-refused');
    await withdrawn('RX-late-refused', { withdrawal: 'refused', note: 'It is packed already.' });

    const { id } = await requestOf('RX-rejected');
    await forge(callback, id);
    const api = await staff();
    await api('POST', `/order-requests/${id}/reject`, { reason_code: 'prescription_signature_invalid' });

    expect(await platform.said()).toEqual({
      shop: 'Löwen-Apotheke',
      shipped: { status: 'shipped', payment_status: 'paid', ...tracking },
      withdrawn: { status: 'deleted', withdrawal: 'accepted', reason_code: 'customer_withdrew', order: null },
      accepted: { withdrawal: 'accepted', reason_code: 'customer_withdrew', order: 'cancelled' },
      refused: { withdrawal: 'refused', reason_code: null, order: 'awaiting_packing' },
      rejected: { callback: 'prescription_signature_invalid', status: 'rejected', reason_code: 'prescription_invalid' },
      types: [
        'order_request_approved',
        'order_request_deleted',
        'order_request_needs_info',
        'order_request_rejected',
        'order_status_updated',
        'order_updated',
      ],
      forged: 1,
      of_others: 0,
    });
    expect(await platform.ended).toBe(0);
  },
  LIFE_MS,
);

/** Runs the program in a folder that holds what /docs gives it, with nothing in its environment. */
async function startPlatform() {
  const page = await (await fetch(`${service.demo.base_url}/docs/signatures`)).text();
  const blocks = [...page.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescaped(text));
  writeFileSync(join(dir, 'verify.py'), blocks.find((text) => text.includes('def is_genuine')) ?? '');
  copyFileSync(join(import.meta.dirname, 'support/platform-life.py'), join(dir, 'platform-life.py'));
  const pdf = join(dir, 'prescription.pdf');
  writeFileSync(pdf, onePagePdf('R z pt'));
  writeFileSync(`${pdf}.better`, onePagePdf('Rezept'));

  const { integration_key, shops } = service.demo;
  const args = ['platform-life.py', shops[0]?.url ?? '', integration_key, pdf];
  const env = { PATH: process.env.PATH };
  const child = spawn('python3', args, { cwd: dir, env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => JSON.parse((await lines.next()).value ?? '{}');
  return {
    said,
    learns: async (learned: string) => expect(await said()).toEqual({ learned }),
    hears: (line: string) => child.stdin.end(`${line}\n`),
    ended: once(child, 'exit').then(([code]) => code as number),
  };
}

/** As an owner does, on the page of the integration key. @returns the signing secret that the page shows once */
async function setCallback(url: string): Promise<string> {
  const owner = await signIn('owner');
  const { text } = await owner.get('/manage/settings/keys');
  const keys = [...text.matchAll(/class="go" href="(\/manage\/settings\/keys\/[\w-]+)"/g)].map(([, key = '']) => key);
  const pages = await Promise.all(keys.map(async (key) => (await owner.get(key)).text));
  const [path = ''] = /\/manage\/settings\/keys\/[\w-]+\/callback/.exec(pages.join('')) ?? [];
  const shown = await owner.submit(path.replace('/callback', ''), path, { url });
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(unescaped(shown.text)) ?? [];
  expect(secret, shown.text).not.toBe('');
  return secret;
}

/** What another platform of the same pharmacy sent is none of its business. */
async function rejectOther(): Promise<void> {
  const { org_id, shops } = service.demo;
  const key = { name: 'other', scopes: ['external_orders.submit'] };
  const { api_key = '' } = await service.operate(`/organizations/${org_id}/api-keys`, key);
  const payload = { customer_name: 'Max Mustermann', items: [{ name: 'Tee', quantity: 1, price: 2 }] };
  const body = { external_reference: 'RX-other', source: 'other.example', payload };
  const headers = { apikey: api_key, 'Content-Type': 'application/json' };
  const answer = await post(`${shops[0]?.url}/api/v1/external-order`, headers, JSON.stringify(body));
  expect(answer.status, answer.body).toBe(200);
  await (await staff())('POST', `/order-requests/${JSON.parse(answer.body).id}/reject`, { reason_code: 'test' });
}

/** Asks on the page of the request, and waits for the answer. */
async function ask(reference: string, code: string): Promise<void> {
  const { id } = await requestOf(reference);
  const pharmacist = await signIn('pharmacist');
  const path = `/manage/requests/${id}`;
  await pharmacist.submit(path, `${path}/needs-info`, { info_code: code, info_note: 'Bitte noch einmal scannen.' });
  await eventually(async () => {
    const { prescriptions, needs_info } = await requestOf(reference);
    expect(needs_info).toBe(false);
    const states = prescriptions.map(({ status }: { status: string }) => status);
    expect(states.toSorted()).toEqual(['set_aside', 'stored']);
  });
}

async function signIn(wanted: string): Promise<StaffForms> {
  const { base_url, members } = service.demo;
  const { email = '', password = '' } = members.find(({ role }) => role === wanted) ?? {};
  const forms = new StaffForms(base_url);
  await forms.submit('/manage/sign-in', '/manage/sign-in', { email, password, next: '' });
  return forms;
}

function staff() {
  const { base_url, org_id, api_key } = service.demo;
  return organizationApi(base_url, org_id, api_key);
}

/** Waits until the platform has sent it. */
async function requestOf(reference: string) {
  const api = await staff();
  const { id } = await eventually(async () => {
    const { data } = await api('GET', `/order-requests?external_reference=${reference}`);
    expect(data).toHaveLength(1);
    return data[0];
  });
  return api('GET', `/order-requests/${id}`);
}

async function approve(reference: string): Promise<void> {
  const api = await staff();
  const { id, prescriptions } = await requestOf(reference);
  for (const { id: prescription, status } of prescriptions) {
    if (status === 'stored') await api('POST', `/prescriptions/${prescription}/approve`, {});
  }
  await api('POST', `/order-requests/${id}/approve`, {});
}

async function orderOf(reference: string) {
  const { data } = await (await staff())('GET', `/orders?external_reference=${reference}`);
  expect(data).toHaveLength(1);
  return data[0];
}

async function change(orderId: string, fields: object): Promise<void> {
  await (await staff())('PATCH', `/orders/${orderId}`, fields);
}

/** Waits until the platform withdraws, and decides. */
async function withdrawn(reference: string, decision: object): Promise<void> {
  const { id } = await eventually(async () => {
    const order = await orderOf(reference);
    expect(order).toMatchObject({ withdrawal: 'requested', flags: { on_hold: true } });
    return order;
  });
  await change(id, decision);
}

/** Somebody who knows the address, but not the secret. */
async function forge(url: string, order_request_id: string): Promise<void> {
  const metadata = { order_request_id, external_reference: 'RX-rejected', reason_code: 'duplicate_order' };
  const body = JSON.stringify({ id: crypto.randomUUID(), event_type: 'order_request_rejected', metadata });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'webhook-id': 'x',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa('x'.repeat(32))}`,
  };
  expect((await post(url, headers, body)).status).toBe(401);
}
