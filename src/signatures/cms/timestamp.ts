import { type Bytes, isEqual } from '../bytes';
import { digest, hashOf, UnknownAlgorithm } from './algorithms';
import { hasExtendedUsage } from './certificate';
import { Der, DerFault } from './der';
import type { Material } from './material';
import { checkSigner, type SignedData, type SignerCheck } from './signed-data';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** A time stamp (RFC 3161 §2.4.2). Its time counts only where it is intact and its authority is trusted. */
export interface Timestamp extends SignerCheck {
  /** ISO 8601; null if it cannot be read. */
  time: string | null;
}

/**
 * Checks a time stamp: its signature, what it stamps, and the purpose of its certificate.
 * @param stamped the bytes that it should be of
 */
export async function checkTimestamp(data: SignedData, stamped: Bytes, material: Material): Promise<Timestamp> {
  const content = data.content ?? new Uint8Array();
  const check = await checkSigner(data, content, material);
  const ended = (status: SignerCheck['status'], subIndication: SignerCheck['subIndication'], reason: string) => ({
    ...check,
    ...{ status, subIndication, reason, time: null },
  });
  if (data.contentType !== TST_INFO) return ended('failed', 'FORMAT_FAILURE', 'no time stamp');
  try {
    const [, , imprint, , time] = Der.only(content, material.budget).children();
    const [algorithm, hashed] = imprint?.children() ?? [];
    if (!algorithm || !hashed || !time) return ended('failed', 'FORMAT_FAILURE', 'a time stamp is cut');
    const hash = hashOf(algorithm);
    if (!isEqual(hashed.octets(), await digest(hash, stamped))) return ended('failed', 'HASH_FAILURE', 'imprint');
    if (check.status === 'intact' && check.certificate && !hasExtendedUsage(check.certificate, TIME_STAMPING))
      return ended('indeterminate', 'CHAIN_CONSTRAINTS_FAILURE', 'no certificate for time stamps');
    return { ...check, time: time.time() };
  } catch (error) {
    if (error instanceof UnknownAlgorithm) return ended('indeterminate', 'CUSTOM', error.message);
    if (error instanceof DerFault) return ended('failed', 'FORMAT_FAILURE', error.message);
    throw error;
  }
}
