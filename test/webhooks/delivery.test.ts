import { verify } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { hmac, importHmacKey, toHex, utf8 } from '../../src/platform/crypto/crypto';
import { envelopeSchema } from '../../src/webhooks/event-types';
import { signatureHeaders } from '../../src/webhooks/signing/sign';
import { outsideAnswers } from '../support/outbound';
import { test as base, expect } from '../support/test';
import { deliver, openDelivery } from '../support/webhooks';
import { rows } from '../support/world';

async function postOne() {
  const opened = await openDelivery();
  const posts = outsideAnswers();
  await deliver([opened.deliveryId]);
  const [post] = posts;
  if (!post) throw new Error('nothing was posted');
  return { ...opened, posts, post };
}

const test = base.extend('posted', () => postOne());

test('a claim posts once, to the subscription, with the headers of the contract and of Standard Webhooks', async () => {
  const { deliveryId, eventId, url, posts, post } = await postOne();
  expect(posts).toHaveLength(1);
  expect(post).toMatchObject({ url, method: 'POST' });
  expect(Object.fromEntries(post.headers)).toEqual({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Offizin-Webhooks\/\d/),
    'x-service-event': 'order_request_submitted',
    'x-service-delivery-id': deliveryId,
    'x-service-attempt': '1',
    'x-service-sequence': '1',
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'webhook-id': eventId,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});

test('a brand adds its own three headers with the values of the contract’s', async () => {
  const { deliveryId } = await openDelivery();
  const posts = outsideAnswers();
  await deliver([deliveryId], { env: { WEBHOOK_BRAND: 'Acme' } });
  const headers = posts[0]?.init.headers as Record<string, string>;
  const named = (brand: string) => ['Event', 'Delivery-Id', 'Signature'].map((name) => headers[`X-${brand}-${name}`]);
  expect(named('Acme')).toEqual(['order_request_submitted', deliveryId, expect.stringMatching(/^sha256=/)]);
  expect(named('Acme')).toEqual(named('Service'));
});

test('the sent bytes are the stored body, byte for byte', async ({ posted: { eventId, post } }) => {
  const [event] = await rows<{ body: string }>('select body from events where id = ?', eventId);
  expect(post.bytes).toEqual(utf8(event?.body ?? ''));
});

test('the body is the contract’s envelope: seven fields, no more', async ({ posted: { eventId, pharmacy, post } }) => {
  const body = JSON.parse(post.text);
  expect(Object.keys(body)).toEqual(['id', 'org_id', 'event_type', 'title', 'description', 'metadata', 'created_at']);
  expect(envelopeSchema.parse(body)).toMatchObject({
    id: eventId,
    org_id: pharmacy.orgId,
    event_type: 'order_request_submitted',
    metadata: { shop_id: pharmacy.shopId, source: 'telemed.example' },
  });
  expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('nothing about the patient is in the body', async ({ posted: { post } }) => {
  expect(post.text).not.toMatch(/Erika|Mustermann|example\.com|Ibuprofen/);
});

test('a subscriber verifies the contract signature with the GitHub library and the whole secret', async () => {
  const { signingSecret, post } = await postOne();
  const signature = post.headers.get('X-Service-Signature') ?? '';
  expect(await verify(signingSecret, post.text, signature)).toBe(true);
  expect(await verify(signingSecret, `${post.text} `, signature)).toBe(false);
  expect(await verify(`${signingSecret}x`, post.text, signature)).toBe(false);
});

test('a subscriber verifies the delivery with the Standard Webhooks library', async () => {
  const { signingSecret, eventId, post } = await postOne();
  const webhook = new StandardWebhook(signingSecret);
  const headers = Object.fromEntries(post.headers);
  expect(webhook.verify(post.text, headers)).toMatchObject({ id: eventId });
  expect(() => webhook.verify(post.text.replace('RX-', 'RY-'), headers)).toThrow(/signature/i);
  expect(() => webhook.verify(post.text, { ...headers, 'webhook-id': 'another' })).toThrow(/signature/i);
});

test('a subscriber verifies the delivery with the Svix library', async ({ posted: { signingSecret, post } }) => {
  const webhook = new SvixWebhook(signingSecret);
  const headers = Object.fromEntries(post.headers);
  expect(() => webhook.verify(post.text, headers)).not.toThrow();
  expect(() => webhook.verify(post.text.replace('RX-', 'RY-'), headers)).toThrow(/signature/i);
});

test("another subscription's secret verifies nothing", async ({ posted: { post } }) => {
  const { signingSecret: foreign } = await openDelivery();
  const headers = Object.fromEntries(post.headers);
  expect(await verify(foreign, post.text, post.headers.get('X-Service-Signature') ?? '')).toBe(false);
  expect(() => new StandardWebhook(foreign).verify(post.text, headers)).toThrow();
});

test("the published vector of GitHub's webhook documentation comes out of our HMAC", async () => {
  const signature = await hmac(await importHmacKey(utf8("It's a Secret to Everybody")), 'Hello, World!');
  expect(toHex(signature)).toBe('757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17');
});

test('the published vector of Standard Webhooks comes out of our headers', async () => {
  const headers = await signatureHeaders({
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  });
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('text outside ASCII is signed as the UTF-8 bytes that are sent', async () => {
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
  const body = '{"name":"Löwen-Apotheke 🦁"}';
  const headers = await signatureHeaders({ secret, eventId: 'e', timestamp: Math.floor(Date.now() / 1000), body });
  expect(await verify(secret, body, headers['X-Service-Signature'] ?? '')).toBe(true);
  expect(new StandardWebhook(secret).verify(body, headers)).toEqual({ name: 'Löwen-Apotheke 🦁' });
});
