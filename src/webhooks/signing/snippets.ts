interface Snippet {
  id: string;
  title: string;
  scheme: 'webhook-signature' | 'X-Service-Signature';
  install?: string;
  code: string;
}

/** Each snippet is a whole file; a test runs them. */
export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'node',
    title: 'Node.js',
    scheme: 'webhook-signature',
    install: 'npm install standardwebhooks',
    code: `import { Webhook } from 'standardwebhooks';

// body: the request body as text, before JSON.parse. Throws when it is not genuine or too old.
export function readEvent(body, headers, secret) {
  return new Webhook(secret).verify(body, headers);
}`,
  },
  {
    id: 'node-sha256',
    title: 'Node.js, without a library',
    scheme: 'X-Service-Signature',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// header: X-Service-Signature. The key is the secret as it stands, whsec_ included.
export function isGenuine(body, header, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'));
  const received = Buffer.from(header ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}`,
  },
  {
    id: 'web-crypto',
    title: 'Cloudflare Workers, Deno, browsers (Web Crypto)',
    scheme: 'webhook-signature',
    code: `const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

// body: await request.text(); headers: request.headers.
export async function isGenuine(body, headers, secret) {
  const timestamp = headers.get('webhook-timestamp');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;

  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.slice(6)), algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(headers.get('webhook-id') + '.' + timestamp + '.' + body);
  for (const signature of (headers.get('webhook-signature') ?? '').split(' ')) {
    const [, base64] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
    if (base64 && (await crypto.subtle.verify('HMAC', key, bytesOf(base64), signed))) return true;
  }
  return false;
}`,
  },
  {
    id: 'python',
    title: 'Python',
    scheme: 'webhook-signature',
    code: `import base64
import hmac
import time


# body: the raw bytes of the request; headers: names in lower case.
def is_genuine(body: bytes, headers: dict[str, str], secret: str) -> bool:
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, signature) for signature in signatures)`,
  },
  {
    id: 'php',
    title: 'PHP',
    scheme: 'webhook-signature',
    code: `<?php
// $body = file_get_contents('php://input'); $headers = array_change_key_case(getallheaders());
function isGenuine(string $body, array $headers, string $secret): bool
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }

    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = ($headers['webhook-id'] ?? '') . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}`,
  },
  {
    id: 'go',
    title: 'Go',
    scheme: 'webhook-signature',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the raw body of the request and its headers.
func IsGenuine(body []byte, header http.Header, secret string) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
];
