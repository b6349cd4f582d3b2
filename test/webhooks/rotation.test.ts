import { verify } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { actingAs, type Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { endOverlap, rotateSecret } from '../../src/webhooks/subscriptions/settings';
import { getSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { type Call, outsideAnswers } from '../support/outbound';
import { rowOf } from '../support/rows';
import { expect, test, vi } from '../support/test';
import { deliver, openDelivery, type Subscribed, submitForDelivery } from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function ownerOf({ pharmacy }: Subscribed, now = Date.now()): Context {
  const { ctx } = systemContext({ now: () => now });
  return actingAs(ctx, { kind: 'staff', memberId: 'm', orgId: pharmacy.orgId, role: 'owner' });
}

async function rotate(opened: Subscribed, overlapMs: number, now = Date.now()) {
  const ctx = ownerOf(opened, now);
  const { updatedAt } = await getSubscription(ctx, opened.subscriptionId);
  return rotateSecret(ctx, { id: opened.subscriptionId, seenAt: updatedAt, overlapMs });
}

/** Submits and delivers once more. @returns the post, as it went over the wire */
async function postOne(opened: Subscribed, now = Date.now()): Promise<Call> {
  const posts = outsideAnswers();
  const { id } = await submitForDelivery(opened);
  await deliver([id], { now: () => now });
  vi.restoreAllMocks();
  const [post] = posts;
  if (!post) throw new Error('nothing was posted');
  return post;
}

/** Which of the receivers' libraries take a post for genuine, with a secret. */
async function verified(post: Call, secret: string) {
  const headers = Object.fromEntries(post.headers);
  const takes = (library: { verify(body: string, headers: Record<string, string>): unknown }) => {
    try {
      library.verify(post.text, headers);
      return true;
    } catch {
      return false;
    }
  };
  return {
    contract: await verify(secret, post.text, post.headers.get('X-Service-Signature') ?? ''),
    standard: takes(new StandardWebhook(secret)),
    svix: takes(new SvixWebhook(secret)),
  };
}

const ALL = { contract: true, standard: true, svix: true };
const NONE = { contract: false, standard: false, svix: false };
const STANDARD_ALONE = { contract: false, standard: true, svix: true };

test('while both secrets are valid, libraries take either one, and the contract header stays with the old', async () => {
  const opened = await openDelivery();
  const { signingSecret: fresh } = await rotate(opened, DAY);
  const post = await postOne(opened);
  expect(await verified(post, opened.signingSecret)).toEqual(ALL);
  expect(await verified(post, fresh)).toEqual(STANDARD_ALONE);
  expect(post.headers.get('X-Service-Signature')).toMatch(/^sha256=[0-9a-f]{64}$/);
  expect(post.headers.get('webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
});

test('after the overlap only the new secret verifies, in every header', async ({ delivery: opened }) => {
  const now = Date.now() - DAY - HOUR;
  const { signingSecret: fresh } = await rotate(opened, DAY, now);
  const post = await postOne(opened);
  expect(await verified(post, opened.signingSecret)).toEqual(NONE);
  expect(await verified(post, fresh)).toEqual(ALL);
});

test.each(['at once', 'by ending the overlap'])('a leaked secret ended %s verifies nothing more', async (how) => {
  const opened = await openDelivery();
  const { signingSecret: fresh } = await rotate(opened, how === 'at once' ? 0 : DAY);
  if (how !== 'at once') await endOverlap(ownerOf(opened), opened.subscriptionId);
  const post = await postOne(opened);
  expect(await verified(post, opened.signingSecret)).toEqual(NONE);
  expect(await verified(post, fresh)).toEqual(ALL);
  const row = await rowOf('subscriptions', { id: opened.subscriptionId });
  expect(row).toMatchObject({ previous_secret_ciphertext: null });
});

test('a second rotation cuts no overlap short; at once it ends both earlier secrets', async ({ delivery: opened }) => {
  const { signingSecret: second } = await rotate(opened, DAY);
  await expect(rotate(opened, DAY)).rejects.toMatchObject({ code: 'secret_overlap_running' });
  expect(await verified(await postOne(opened), opened.signingSecret)).toEqual(ALL);
  const { signingSecret: third } = await rotate(opened, 0);
  const post = await postOne(opened);
  expect([await verified(post, second), await verified(post, third)]).toEqual([NONE, ALL]);
});

test('two rotations at once make one secret: the other is asked to look again', async ({ delivery: opened }) => {
  const results = await Promise.allSettled([rotate(opened, 0), rotate(opened, 0), rotate(opened, 0)]);
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.signingSecret] : []));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as AppError).code] : []));
  expect(made).toHaveLength(1);
  expect(refused).toEqual(['subscription_changed', 'subscription_changed']);
  expect(await verified(await postOne(opened), made[0] ?? '')).toEqual(ALL);
  const acts = await rows(
    'select 1 from audit_log where action = ?1 and entity_id = ?2',
    'subscription.secret_rotated',
    opened.subscriptionId,
  );
  expect(acts).toHaveLength(1);
});

test('a rotated secret stands in no column and in no other organization’s reach', async ({ delivery: opened }) => {
  const other = await openDelivery();
  const { signingSecret } = await rotate(opened, DAY);
  const [row] = await rows('select * from subscriptions where id = ?', opened.subscriptionId);
  expect(JSON.stringify(row)).not.toContain(signingSecret.slice('whsec_'.length));
  const stranger = ownerOf(other);
  const { updatedAt } = await getSubscription(ownerOf(opened), opened.subscriptionId);
  const attempt = rotateSecret(stranger, { id: opened.subscriptionId, seenAt: updatedAt, overlapMs: 0 });
  await expect(attempt).rejects.toMatchObject({ code: 'subscription_not_found' });
  await expect(endOverlap(stranger, opened.subscriptionId)).rejects.toBeInstanceOf(AppError);
});
