import { env } from 'cloudflare:workers';
import { verify } from '@octokit/webhooks-methods';
import { readConfig } from '../../src/platform/config';
import { decrypt } from '../../src/platform/crypto/crypto';
import { newSigningSecret } from '../../src/webhooks/signing/sign';
import { outsideAnswers } from '../support/outbound';
import { DURING } from '../support/roots';
import { rowOf } from '../support/rows';
import { expect, test, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliveryRow,
  newReceiverUrl,
  openDelivery,
  openSubscribed,
  PRODUCTION_SCHEDULE,
  submitForDelivery,
} from '../support/webhooks';
import { BASE, call, json, OPERATOR_TOKEN, rows } from '../support/world';

interface SubscriptionRow {
  id: string;
  secret_ciphertext: string;
}

const subscriptionRow = (id: string) => rowOf<SubscriptionRow>('subscriptions', { id });

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = Array.from({ length: 50 }, newSigningSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(atob(secret.slice('whsec_'.length))).toHaveLength(32);
  }
});

test('the ciphertext names its root, and opens to the secret that was shown', async () => {
  const { subscriptionId, signingSecret } = await openSubscribed();
  const { secret_ciphertext: ciphertext } = await subscriptionRow(subscriptionId);
  expect(ciphertext).toMatch(/^r1\.[A-Za-z0-9+/]+=*$/);
  expect(await decrypt(readConfig(env).roots, 'signing secret', ciphertext, subscriptionId)).toBe(signingSecret);
});

test('a ciphertext that was moved to another row signs nothing there', async ({ subscribed: mine }) => {
  const other = await openSubscribed();
  const { secret_ciphertext: ciphertext } = await subscriptionRow(mine.subscriptionId);
  await rows('update subscriptions set secret_ciphertext = ? where id = ?', ciphertext, other.subscriptionId);
  const delivery = await submitForDelivery(other);
  const posts = outsideAnswers();
  await deliver([delivery.id], { env: PRODUCTION_SCHEDULE });
  expect(posts).toEqual([]);
  expect(await attemptsOf(delivery.id)).toEqual([]);
  expect(await deliveryRow(delivery.id)).toMatchObject({ status: 'held', attempt_count: 0 });
});

test('after a new root came first, subscriptions of the old one are still delivered and verify', async () => {
  const { deliveryId, signingSecret } = await openDelivery();
  const posts = outsideAnswers();
  await deliver([deliveryId], { env: DURING });
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded' });
  const signature = posts[0]?.headers.get('X-Service-Signature') ?? '';
  expect(await verify(signingSecret, posts[0]?.text ?? '', signature)).toBe(true);
});

test('after a new root came first, new subscriptions are encrypted under it', async ({ pharmacy: { orgId } }) => {
  const init = json(
    { url: newReceiverUrl(), event_types: ['low_stock'] },
    { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  );
  const response = await call(`${BASE}/api/operator/v1/organizations/${orgId}/subscriptions`, init, DURING);
  const { subscription_id: id } = await response.json<{ subscription_id: string }>();
  expect((await subscriptionRow(id)).secret_ciphertext).toMatch(/^r2\./);
});

test('no log line of a delivery holds the secret', async ({ delivery: { deliveryId, signingSecret } }) => {
  const lines = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  outsideAnswers(() => {
    throw new Error(`connection refused ${signingSecret}`);
  });
  await deliver([deliveryId]);
  const logged = JSON.stringify(lines.flatMap(({ mock }) => mock.calls));
  expect(logged).not.toContain('whsec_');
  expect(logged).not.toContain(signingSecret.slice('whsec_'.length));
});
