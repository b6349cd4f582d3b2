/**
 * Verifies webhooks of Offizin. Needs nothing but Web Crypto: Node.js from 20 on, Cloudflare Workers, Deno, browsers.
 * @license Apache-2.0
 */
const TOLERANCE_SECONDS = 300;

/** The post cannot be trusted; `reason` says why. */
export class WebhookError extends Error {
  /** @param {'body' | 'secret' | 'header' | 'timestamp' | 'signature'} reason */
  constructor(reason) {
    super(`The webhook cannot be trusted: ${reason}`);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

/**
 * Checks `webhook-signature` (Standard Webhooks). A post may come twice: keep its id, and drop what you have seen.
 * @param {string | Uint8Array | ArrayBuffer} body as received, before JSON.parse
 * @param {Headers | Record<string, unknown>} headers names in any case
 * @param {string | string[]} secrets `whsec_…`; several during a rotation
 * @returns {Promise<{ id: string, event: Record<string, any> }>}
 * @throws {WebhookError} answer it with 401
 */
export async function verify(body, headers, secrets) {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const distance = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || distance > TOLERANCE_SECONDS) throw new WebhookError('timestamp');

  const bytes = bytesOf(body);
  const signed = new Uint8Array([...bytesOf(`${id}.${timestamp}.`), ...bytes]);
  for (const secret of [secrets].flat()) {
    const mac = await hmac(decoded(secret), signed);
    const expected = `v1,${btoa(String.fromCharCode(...mac))}`;
    if (signatures.some((signature) => isSame(signature, expected))) return { id, event: parsed(bytes) };
  }
  throw new WebhookError('signature');
}

/**
 * The same with `X-Service-Signature`, where a proxy drops the other headers. It covers the body alone: a post that
 * somebody recorded passes at any time.
 * @type {typeof verify}
 */
export async function verifyBody(body, headers, secrets) {
  const signature = headerOf(headers, 'x-service-signature');
  const bytes = bytesOf(body);
  for (const secret of [secrets].flat()) {
    const mac = await hmac(new TextEncoder().encode(secret), bytes);
    const hex = [...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (isSame(signature, `sha256=${hex}`)) return { id: parsed(bytes).id, event: parsed(bytes) };
  }
  throw new WebhookError('signature');
}

function headerOf(headers, name) {
  const entries = typeof headers.entries === 'function' ? [...headers.entries()] : Object.entries(headers);
  const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? [];
  if (!value) throw new WebhookError('header');
  return String(value);
}

function bytesOf(body) {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookError('body');
}

function decoded(secret) {
  try {
    return Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0));
  } catch {
    throw new WebhookError('secret');
  }
}

async function hmac(key, bytes) {
  if (key.length === 0) throw new WebhookError('secret');
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
}

/** Takes the same time wherever the two differ. */
function isSame(received, expected) {
  let difference = received.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1) difference |= received.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

function parsed(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
