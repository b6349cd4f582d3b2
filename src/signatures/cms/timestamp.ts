import { type Bytes, isEqual, orNull } from '../bytes';
import { digest, hashOf, UnknownAlgorithm } from './algorithms';
import { hasExtendedUsage } from './certificate';
import { Der, DerFault } from './der';
import type { Material } from './material';
import { checkSigner, type SignedData, type SignerCheck, signedDataOf } from './signed-data';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** A time stamp (RFC 3161 §2.4.2). Its time counts only where it is intact and its authority is trusted. */
export interface Timestamp extends SignerCheck {
  /** ISO 8601; null if it cannot be read. */
  time: string | null;
}

/** @param stamped the bytes that it should be of */
export async function checkTimestamp(token: Der, stamped: Bytes, material: Material): Promise<Timestamp | null> {
  const data = orNull(() => signedDataOf(token, material));
  return data ? checkTimestampData(data, stamped, material) : null;
}

export async function checkTimestampData(data: SignedData, stamped: Bytes, material: Material): Promise<Timestamp> {
  const content = data.content ?? new Uint8Array();
  const check = await checkSigner(data, content, material);
  const failed = (
    status: 'failed' | 'indeterminate',
    subIndication: SignerCheck['subIndication'],
    reason: string,
  ): Timestamp => ({
    ...check,
    status,
    subIndication,
    reason,
    time: null,
  });
  if (data.contentType !== TST_INFO) return failed('failed', 'FORMAT_FAILURE', 'no time stamp');
  try {
    const [, , imprint, , time] = Der.only(content, material.budget).children();
    const [algorithm, hashed] = imprint?.children() ?? [];
    if (!algorithm || !hashed || !time) return failed('failed', 'FORMAT_FAILURE', 'a time stamp is cut');
    const hash = hashOf(algorithm);
    if (!isEqual(hashed.octets(), await digest(hash, stamped))) return failed('failed', 'HASH_FAILURE', 'imprint');
    if (check.status !== 'intact' || !check.certificate) return { ...check, time: time.time() };
    if (!hasExtendedUsage(check.certificate, TIME_STAMPING, material.budget))
      return failed('indeterminate', 'CHAIN_CONSTRAINTS_FAILURE', 'no certificate for time stamps');
    return { ...check, time: time.time() };
  } catch (error) {
    if (error instanceof UnknownAlgorithm) return failed('indeterminate', 'CUSTOM', error.message);
    if (error instanceof DerFault) return failed('failed', 'FORMAT_FAILURE', error.message);
    throw error;
  }
}
