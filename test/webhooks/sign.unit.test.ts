import { expect, test } from 'vitest';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { branded, newSigningSecret, SECRET_PREFIX, signatureHeaders } from '../../src/webhooks/signing/sign';

/** The example of the Standard Webhooks specification, and the same message under a second secret. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLDER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const message = { eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const V1 = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('the signature of Standard Webhooks is that of its specification, beside its id and time', async () => {
  expect(await signatureHeaders({ ...message, secret: SECRET })).toEqual({
    'X-Service-Signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': V1,
  });
});

test('the contract’s signature is of the body alone, keyed with the whole secret', async () => {
  // `printf '{"test": 2432232314}' | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`
  const expected = '80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c';
  const headers = await signatureHeaders({ ...message, secret: SECRET });
  expect(headers['X-Service-Signature']).toBe(`sha256=${expected}`);
  const later = await signatureHeaders({ ...message, eventId: 'msg_2', timestamp: 1_614_265_331, secret: SECRET });
  expect(later['X-Service-Signature']).toBe(`sha256=${expected}`);
  expect(later['webhook-signature']).not.toBe(V1);
});

test('while two secrets are valid Standard Webhooks carries both, the new one first, and the contract the old one', async () => {
  const alone = await signatureHeaders({ ...message, secret: OLDER });
  const both = await signatureHeaders({ ...message, secret: SECRET, previousSecret: OLDER });
  expect(both['webhook-signature']).toBe(`${V1} ${alone['webhook-signature']}`);
  expect(both['X-Service-Signature']).toBe(alone['X-Service-Signature']);
});

test('a new secret is whsec_ and 32 bytes in base64, another one each time', () => {
  const secrets = Array.from({ length: 20 }, newSigningSecret);
  expect(SECRET_PREFIX).toBe('whsec_');
  expect(new Set(secrets).size).toBe(20);
  for (const secret of secrets) expect(fromBase64(secret.slice('whsec_'.length))).toHaveLength(32);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('a brand repeats the headers of the contract under its name, and adds nothing else', () => {
  const headers = { 'X-Service-Event': 'order_created', 'X-Service-Signature': 'sha256=1', 'webhook-id': 'e' };
  expect(branded(null, headers)).toEqual(headers);
  expect(branded('Acme', headers)).toEqual({
    ...headers,
    'X-Acme-Event': 'order_created',
    'X-Acme-Signature': 'sha256=1',
  });
});
