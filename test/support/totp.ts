const PERIOD_MS = 30_000;

/** A code as an app computes it (RFC 6238), from the key that the page shows. */
export async function codeOf(secret: string, at = Date.now()): Promise<string> {
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / PERIOD_MS)));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(19) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The code that the app shows next: the one that turned the second factor on is used up. */
export function nextCodeOf(secret: string): Promise<string> {
  return codeOf(secret, Date.now() + PERIOD_MS);
}

/** What the page shows of a second factor that is being set up. */
export function secondFactorOn(page: string): { secret: string; recoveryCodes: string[] } {
  const secret = /<code class="secret">([^<]+)</.exec(page)?.[1] ?? '';
  const recoveryCodes = [...page.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
  return { secret, recoveryCodes };
}
