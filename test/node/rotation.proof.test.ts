import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, request } from '../../scripts/http';
import { eventually } from '../support/eventually.ts';
import { codeOf, secondFactorOn } from '../support/totp.ts';
import { ownService } from './support/own-service';
import { post } from './support/service';
import { StaffForms } from './support/staff-forms';

/** A bound for a hang. */
const HANG_MS = 480_000;
const SUNDAY = Date.parse('2026-11-29T01:00:00Z');
const PASSWORD = 'drei Löwen am Markt';
const NEXT_PASSWORD = 'vier Löwen am Markt';
const NEW = `r2:${Buffer.from('new-root-new-root-new-root-new-r').toString('base64')}`;

const { service } = await ownService({ isStarted: false });
const secretsPath = join(service.dir, '.dev.vars');

/** Starts the service again with these roots, given those that it has. */
async function restartWith(roots: (old: string) => string): Promise<void> {
  expect(await service.stop()).toBe(0);
  const secrets = readFileSync(secretsPath, 'utf8');
  writeFileSync(
    secretsPath,
    secrets.replace(/^(ROOT_SECRETS=)(.*)$/m, (_, name, old) => name + roots(old)),
  );
  await service.start();
}

/** Fires the cron as on a Sunday, when the job runs that writes anew what nobody uses. */
async function runWeeklyJob(): Promise<void> {
  const { status } = await request(`${service.demo.base_url}/cdn-cgi/handler/scheduled?time=${SUNDAY}`);
  expect(status).toBe(200);
}

interface Roots {
  current: string;
  old: { id: string; left: Record<string, number | null> }[];
}

async function rootsTold(): Promise<Roots> {
  const { base_url, operator_token } = service.demo;
  const answer = await request(`${base_url}/readyz`, { headers: { Authorization: `Bearer ${operator_token}` } });
  return ((await answer.json()) as { roots: Roots }).roots;
}

const json = { 'Content-Type': 'application/json' };

async function tokenOf(apiKey: string): Promise<{ status: number; token: string }> {
  const { base_url, org_id } = service.demo;
  const path = `${base_url}/api/v2/public/orgs/${org_id}/auth/token`;
  const { status, body } = await post(path, { 'X-API-Key': apiKey }, '');
  return { status, token: status === 200 ? JSON.parse(body).access_token : '' };
}

async function createAt<T>(path: string, body: unknown): Promise<T> {
  const { base_url, org_id, api_key } = service.demo;
  const headers = { ...json, Authorization: `Bearer ${(await tokenOf(api_key)).token}` };
  const answer = await post(`${base_url}/api/v2/public/orgs/${org_id}${path}`, headers, JSON.stringify(body));
  expect([200, 201], answer.body).toContain(answer.status);
  return JSON.parse(answer.body);
}

const signIn = (browser: StaffForms, email: string, password: string) =>
  browser.submit('/manage/sign-in', '/manage/sign-in', { email, password, next: '' });

test(
  'a rotation breaks no key, session, replay, link, password or second factor, and tells when the old root may go',
  async () => {
    await service.start();
    const { base_url, org_id, api_key, members, shops } = service.demo;
    const invite = async (email: string) => {
      const made = await service.operate(`/organizations/${org_id}/members`, { email, role: 'staff' });
      return new URL(String(made.invitation_url)).pathname;
    };
    const { url, headers, body } = service.curl;
    const submitted = await post(url, headers, body);
    const other = JSON.stringify({ ...JSON.parse(body), external_reference: 'RX-never-used-again' });
    expect((await post(url, headers, other)).status).toBe(200);
    const unused = await service.operate(`/organizations/${org_id}/api-keys`, {
      name: 'unused',
      scopes: ['orders.read'],
    });
    const [owner, browser] = [members[0], new StaffForms(base_url)];
    expect((await signIn(browser, owner?.email ?? '', owner?.password ?? '')).path).toBe('/manage/requests');
    const invitation = await invite('ada@loewen.example');
    await invite('nobody@loewen.example');
    const staff = members[2];
    const reset = await service.operate(`/organizations/${org_id}/members/reset`, { email: staff?.email });
    const order = await createAt<{ id: string }>('/orders', {
      shop_id: shops[0]?.shop_id,
      items: [{ name: 'Ibuprofen 400 mg', qty: 1, price: 4.95 }],
      external_id: 'rotation',
      customer_name: 'Erika Mustermann',
    });
    const link = await createAt<{ url: string }>(`/orders/${order.id}/payment-links`, {});

    const [pharmacist, account] = [members[1], '/manage/account'];
    const phone = new StaffForms(base_url);
    await signIn(phone, pharmacist?.email ?? '', pharmacist?.password ?? '');
    const setup = await phone.submit(account, `${account}/second-factor`, { password: pharmacist?.password ?? '' });
    const { secret, recoveryCodes } = secondFactorOn(setup.text);
    const confirm = { code: await codeOf(secret) };
    await phone.submit(`${account}/second-factor`, `${account}/second-factor/confirm`, confirm);

    // There are both.
    await restartWith((old) => `${NEW},${old}`);
    const [before] = (await rootsTold()).old;
    expect(before?.id).toBe('r1');
    expect(before?.left).toMatchObject({ invitations: 2, reset_links: 1, payment_links: 1 });
    const again = await post(url, headers, body);
    expect(again.headers['idempotent-replayed'], again.body).toBe('true');
    expect(JSON.parse(again.body).id).toBe(JSON.parse(submitted.body).id);
    expect((await browser.get('/manage/requests')).path).toBe('/manage/requests');
    expect((await tokenOf(api_key)).status).toBe(200);
    expect((await call('GET', link.url, {})).status).toBe(200);
    const joined = await new StaffForms(base_url).submit(invitation, invitation, { name: 'Ada', password: PASSWORD });
    expect(joined.status).toBe(200);
    const resetPath = new URL(String(reset.reset_url)).pathname;
    await new StaffForms(base_url).submit(resetPath, resetPath, { password: NEXT_PASSWORD });
    const newLink = await createAt<{ url: string }>(`/orders/${order.id}/payment-links`, {});
    await runWeeklyJob();
    await eventually(async () => {
      // What nobody used ends by itself: sessions of the demo's other people, a key, those of its test organization, an invitation.
      expect(await rootsTold()).toEqual({
        current: 'r2',
        old: [
          {
            id: 'r1',
            left: {
              api_keys: 3,
              sessions: expect.any(Number),
              invitations: 1,
              reset_links: 0,
              payment_links: 0,
              second_factors: 0,
              signing_secrets: 0,
              email_entries: 0,
              prescription_marks: 0,
              order_requests: 0,
            },
          },
        ],
      });
    });

    // The old one is gone.
    await restartWith(() => NEW);
    expect(await rootsTold()).toEqual({ current: 'r2', old: [] });
    for (const each of [body, other]) {
      const replayed = await post(url, headers, each);
      expect(replayed.headers['idempotent-replayed'], replayed.body).toBe('true');
    }
    expect((await browser.get('/manage/requests')).path).toBe('/manage/requests');
    expect((await tokenOf(api_key)).status).toBe(200);
    expect((await tokenOf(String(unused.api_key))).status).toBe(401);
    expect((await call('GET', newLink.url, {})).status).toBe(200);
    for (const [email, password] of [
      [owner?.email, owner?.password],
      [staff?.email, NEXT_PASSWORD],
      ['ada@loewen.example', PASSWORD],
    ]) {
      const shown = await signIn(new StaffForms(base_url), email ?? '', password ?? '');
      expect(shown.path).toBe('/manage/requests');
    }
    const half = new StaffForms(base_url);
    const asked = await signIn(half, pharmacist?.email ?? '', pharmacist?.password ?? '');
    const code = { code: recoveryCodes[0] ?? '' };
    expect(asked.path).toBe('/manage/sign-in/code');
    expect((await half.submit(asked.path, asked.path, code)).path).toBe('/manage/requests');
  },
  HANG_MS,
);

test('data that were made without a secret that there is now are refused, with the way out', async () => {
  expect(await service.stop()).toBe(0);
  const secrets = readFileSync(secretsPath, 'utf8');
  writeFileSync(secretsPath, secrets.replace(/^ROOT_SECRETS=/m, 'ROOT_SECRET='));
  expect(await service.runToEnd()).toBe(1);
  expect(service.output).toContain('lacks ROOT_SECRETS');
  expect(service.output).toContain('npm start -- --fresh');
  await service.start('--fresh');
  expect((await post(service.curl.url, service.curl.headers, service.curl.body)).status).toBe(200);
});
