import { newSigningSecret, type SignedMessage, signatureHeaders } from '../../src/webhooks/signing/sign';

/**
 * One set of posts for everything that we give to receivers: the snippets of the reference in each language and the
 * receiver kit. The product's own signer signs them; PUBLISHED holds that signer, and the kit, against others.
 */
export interface SignedPost {
  name: string;
  body: string;
  /** Names in lower case, as most servers hand them on. */
  headers: Record<string, string>;
  secret: string;
  /** Whether `webhook-signature` proves it genuine and recent. */
  isGenuine: boolean;
  /** Whether `X-Service-Signature` proves its body genuine: it says nothing about id and time. */
  isBodyGenuine: boolean;
  /** What the receiver kit says about the former. */
  reason?: 'header' | 'timestamp' | 'signature';
}

const BODY = '{"id":"7f3c","event_type":"order_created","description":"für die Löwen-Apotheke, 4,95 €"}';

/** Examples that others have published, and what OpenSSL says where there is none. */
export const PUBLISHED = {
  /** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation */
  gitHub: {
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    signature: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  standardWebhooks: {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    /** `printf '{"test": 2432232314}' | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` */
    bodySignature: 'sha256=80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c',
  },
};

/** @param now epoch seconds: the receiver's clock */
export async function signedPosts(now: number): Promise<SignedPost[]> {
  const [secret, older, foreign] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const signed = (changed: Partial<SignedMessage> = {}) =>
    headersOf({ secret, eventId: '7f3c', timestamp: now, body: BODY, ...changed });
  const sent = await signed();
  const rotated = await signed({ previousSecret: older });
  const both = { isGenuine: true, isBodyGenuine: true };
  const none = { isGenuine: false, isBodyGenuine: false };
  /** Only the newer scheme notices. */
  const bodyAlone = { isGenuine: false, isBodyGenuine: true };
  const signature = 'signature' as const;
  const timestamp = 'timestamp' as const;
  const header = 'header' as const;
  const posts: (Omit<SignedPost, 'body' | 'headers' | 'secret'> & Partial<SignedPost>)[] = [
    { name: 'as sent', ...both },
    { name: 'as sent four minutes ago', headers: await signed({ timestamp: now - 240 }), ...both },
    { name: 'as sent by a clock four minutes ahead', headers: await signed({ timestamp: now + 240 }), ...both },
    { name: 'an empty object', body: '{}', headers: await signed({ body: '{}' }), ...both },
    { name: 'a blank more', body: `${BODY} `, ...none, reason: signature },
    { name: 'another letter', body: BODY.replace('4,95', '4,94'), ...none, reason: signature },
    { name: 'an empty body', body: '', ...none, reason: signature },
    { name: 'another secret', secret: foreign, ...none, reason: signature },
    { name: 'no header at all', headers: {}, ...none, reason: header },
    {
      name: 'no signature',
      headers: without(sent, 'webhook-signature', 'x-service-signature'),
      ...none,
      reason: header,
    },
    { name: 'no id', headers: without(sent, 'webhook-id'), ...bodyAlone, reason: header },
    { name: 'no timestamp', headers: without(sent, 'webhook-timestamp'), ...bodyAlone, reason: header },
    { name: 'six minutes old', headers: await signed({ timestamp: now - 360 }), ...bodyAlone, reason: timestamp },
    { name: 'six minutes ahead', headers: await signed({ timestamp: now + 360 }), ...bodyAlone, reason: timestamp },
    { name: 'another id', headers: { ...sent, 'webhook-id': '7f3d' }, ...bodyAlone, reason: signature },
    { name: 'another time', headers: { ...sent, 'webhook-timestamp': `${now - 1}` }, ...bodyAlone, reason: signature },
    { name: 'no number as time', headers: { ...sent, 'webhook-timestamp': 'now' }, ...bodyAlone, reason: timestamp },
    { name: 'a foreign signature first', headers: withFirst(sent, 'v1,bm9uZQ=='), ...both },
    { name: 'another version first', headers: withFirst(sent, 'v1a,bm9uZQ=='), ...both },
    {
      name: 'as long as the right ones, but others',
      headers: {
        ...sent,
        'webhook-signature': `v1,${'A'.repeat(43)}=`,
        'x-service-signature': `sha256=${'0'.repeat(64)}`,
      },
      ...none,
      reason: signature,
    },
    {
      name: 'the beginnings of the right ones',
      headers: {
        ...sent,
        'webhook-signature': sent['webhook-signature']?.slice(0, -8) ?? '',
        'x-service-signature': sent['x-service-signature']?.slice(0, -8) ?? '',
      },
      ...none,
      reason: signature,
    },
    { name: 'during a rotation, for the old secret', headers: rotated, secret: older, ...both },
    { name: 'during a rotation, for the new secret', headers: rotated, isGenuine: true, isBodyGenuine: false },
    { name: 'during a rotation, for neither', headers: rotated, secret: foreign, ...none, reason: signature },
  ];
  return posts.map((post) => ({ body: BODY, headers: sent, secret, ...post }));
}

async function headersOf(message: SignedMessage): Promise<Record<string, string>> {
  const headers = await signatureHeaders(message);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function withFirst(headers: Record<string, string>, signature: string): Record<string, string> {
  return { ...headers, 'webhook-signature': `${signature} ${headers['webhook-signature']}` };
}
