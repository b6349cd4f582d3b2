import { beforeEach, expect, test, vi } from 'vitest';
import * as receiver from '../../scripts/reference/downloads/receiver.js';
import { signatureHeaders } from '../../src/webhooks/signing/sign';
import { PUBLISHED, type SignedPost, signedPosts } from '../support/signatures';

type Verify = (
  body: unknown,
  headers: unknown,
  secrets: unknown,
) => Promise<{ id: string; event: Record<string, unknown> }>;

// SAFETY: TypeScript takes every script for a text (src/platform/markup/text.d.ts); without `type: 'text'` it is the module.
const { verify, verifyBody, WebhookError } = receiver as unknown as {
  verify: Verify;
  verifyBody: Verify;
  WebhookError: new () => Error;
};

const NOW = 1_800_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] });
});
/** @returns `genuine`, or the reason of the error */
function said(check: Verify, { body, headers, secret }: Pick<SignedPost, 'body' | 'headers' | 'secret'>) {
  return check(body, headers, secret).then(
    () => 'genuine',
    (error) => (error instanceof WebhookError ? (error as Error & { reason: string }).reason : error),
  );
}

test('the kit tells genuine posts from others, and says why', async () => {
  const posts = await signedPosts(NOW);
  const verdicts = await Promise.all(posts.map(async (post) => [post.name, await said(verify, post)]));
  expect(verdicts).toEqual(posts.map(({ name, reason }) => [name, reason ?? 'genuine']));
  const ofBody = await Promise.all(
    posts.map(async (post) => [post.name, (await said(verifyBody, post)) === 'genuine']),
  );
  expect(ofBody).toEqual(posts.map(({ name, isBodyGenuine }) => [name, isBodyGenuine]));
});

test('the kit and our signer agree with what others have published', async () => {
  const { eventId, timestamp, signature, bodySignature, secret, body } = PUBLISHED.standardWebhooks;
  const headers = await signatureHeaders({ secret, eventId, timestamp, body });
  expect(headers).toMatchObject({ 'webhook-signature': signature, 'X-Service-Signature': bodySignature });
  vi.setSystemTime(timestamp * 1000);
  expect(await said(verify, { body, headers, secret })).toBe('genuine');
  expect(await said(verifyBody, { body, headers, secret })).toBe('genuine');

  // Its body is no JSON, so the kit gets past the signature and no further.
  const gitHub = { ...PUBLISHED.gitHub, headers: { 'X-Service-Signature': PUBLISHED.gitHub.signature } };
  expect(await said(verifyBody, gitHub)).toBeInstanceOf(SyntaxError);
  expect(await said(verifyBody, { ...gitHub, body: 'Hello, World?' })).toBe('signature');
});

test('body, headers and secrets may come in every form that a server has them in', async () => {
  const [post] = (await signedPosts(NOW)) as [SignedPost];
  const bytes = new TextEncoder().encode(post.body);
  const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  const upperCase = Object.fromEntries(
    Object.entries(post.headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const expected = { id: '7f3c', event: JSON.parse(post.body) };
  for (const check of [verify, verifyBody]) {
    for (const body of [post.body, bytes, bytes.buffer, within]) {
      for (const headers of [post.headers, upperCase, new Headers(post.headers), new Map(Object.entries(upperCase))]) {
        expect(await check(body, headers, post.secret)).toEqual(expected);
      }
    }
    expect(await check(post.body, post.headers, ['whsec_b3RoZXI=', post.secret])).toEqual(expected);
  }
});

test('a parsed body, and a secret that is none, are named as what they are', async () => {
  const [{ body, headers, secret }] = (await signedPosts(NOW)) as [SignedPost];
  for (const check of [verify, verifyBody]) {
    await expect(check(JSON.parse(body), headers, secret)).rejects.toMatchObject({ reason: 'body' });
    for (const none of ['', undefined, []]) {
      const reason = Array.isArray(none) ? 'signature' : 'secret';
      await expect(check(body, headers, none)).rejects.toMatchObject({ name: 'WebhookError', reason });
    }
  }
  await expect(verify(body, headers, 'whsec_not base64')).rejects.toMatchObject({ reason: 'secret' });
});
