import type { Context } from '../context';
import { sha256, toBase64, toHex } from '../crypto/crypto';
import { BACKUP_LOCKED_DAYS } from '../limits';
import { DAY_MS } from '../time';
import { callOut, readBounded } from './outgoing';

/**
 * The longest time for storing an object. It is shorter than the lease of a file that is being sent
 * (restore/organization/write.ts).
 */
const TIMEOUT_MS = 30_000;
const ANSWER_BYTES = 4_096;
const REASON = /<Code>([A-Za-z]{1,60})<\/Code>/;

/**
 * The error for an object that the backup bucket did not take. `code` is the bucket's error code, the HTTP status, or
 * the reason why there was no response.
 */
export class BackupRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The backup bucket did not take an object: ${code}`);
    this.code = code;
  }
}

/**
 * Stores a locked object in the operator's S3-compatible bucket. A second call with the same name adds a further
 * version of the object, even if the content is the same.
 * @param name ASCII letters, digits, `/`, `-` and `.`
 * @throws BackupRefused
 */
export async function putInBackup(ctx: Context, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { backup } = ctx.config;
  if (!backup) throw new BackupRefused('not_configured');
  const { url, region, accessKeyId, secretAccessKey } = backup;
  // Imported here, because no other request needs it.
  const { AwsV4Signer } = await import('aws4fetch');
  const md5 = new Uint8Array(await crypto.subtle.digest('MD5', bytes));
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: `${url}/${name}`,
    headers: {
      // Services require this header for a locked object.
      'Content-MD5': toBase64(md5),
      'X-Amz-Content-Sha256': toHex(await sha256(bytes)),
      'X-Amz-Object-Lock-Mode': 'COMPLIANCE',
      'X-Amz-Object-Lock-Retain-Until-Date': new Date(ctx.now() + BACKUP_LOCKED_DAYS * DAY_MS).toISOString(),
    },
    body: bytes,
    ...{ accessKeyId, secretAccessKey, region, service: 's3' },
  });
  const signed = await signer.sign();
  const headers = Object.fromEntries(signed.headers);
  const called = await callOut(String(signed.url), { method: 'PUT', headers, body: bytes, timeoutMs: TIMEOUT_MS });
  if (!called.answer) throw new BackupRefused(called.failure);
  const { status, ok } = called.answer;
  // The status says whether the object was stored, even if the body never ends.
  const body = await readBounded(called.answer, ANSWER_BYTES).catch(() => null);
  if (!ok) throw new BackupRefused(REASON.exec(new TextDecoder().decode(body?.bytes))?.[1] ?? String(status));
}
