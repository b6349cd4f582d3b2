/** The result of a signature check as it is stored, and the messages between the checking Worker and the main one. */

/**
 * Kinds of changes after a signature, from harmless to harmful. With each kind, changes of the kinds before it may have
 * occurred, too.
 */
export const CHANGES = ['none', 'metadata', 'validation_data', 'signatures', 'other'] as const;
export type LaterChanges = (typeof CHANGES)[number];

/** Indications of ETSI EN 319 102-1 §5.1.3, without the prefix `TOTAL-`. */
export type Indication = 'passed' | 'failed' | 'indeterminate';

/** How far the certificate of a signature is trusted, and why. */
export interface Judgement {
  status: Indication;
  subIndication: string | null;
  qualification: 'qualified' | 'qualified_certificate' | 'advanced' | 'seal' | 'not_listed';
  revocation: 'good' | 'revoked' | 'not_checked' | 'not_applicable';
}

/** One signature as it is stored and shown. */
export interface CheckedSignature extends Judgement {
  kind: 'signature' | 'seal' | 'timestamp';
  signer: string | null;
  profession: string | null;
  issuer: string | null;
  algorithm: string | null;
  weaknesses: ('sha1' | 'rsa_short')[];
  /** ISO 8601. */
  signedAt: string | null;
  /** The length in bytes of the signed revision, which begins where the file begins. */
  signedBytes: number | null;
  /** SHA-256 of the signature's value, hex. A signature has the same hash in every file that contains it. */
  valueHash: string | null;
}

/** The result of a check, stored with its prescription. */
export interface SignatureReportRow {
  status: Indication | 'none';
  subIndication: string | null;
  laterChanges: LaterChanges;
  /** The index in `signatures` of the decisive signature (`anchorOf`); null if there is none. */
  anchor: number | null;
  signatures: CheckedSignature[];
  /** Epoch ms. */
  checkedAt: number;
  /**
   * True if an answer about revocation or a trusted list is missing. The file is then checked again within the hour.
   */
  isUndecided?: true;
}

/** A result without its signatures, for lists. */
export type SignatureVerdict = Omit<SignatureReportRow, 'signatures'>;

/** The result for a file that cannot be checked: the check ended twice without a result, or the file is gone. */
export function uncheckable(checkedAt: number): SignatureReportRow {
  return {
    ...{ status: 'indeterminate', subIndication: 'CUSTOM', laterChanges: 'other', anchor: null },
    signatures: [],
    checkedAt,
  };
}

/**
 * A call that the Worker for signature checks makes to the main Worker, because only the main Worker has the databases.
 * `message` names the check. A call without `found` claims the check; the answer is a `Claim` or null. A call with
 * `found` stores the result, unless the prescription was erased or the check was claimed again in the meantime.
 */
export type Asked = { message: unknown } & (
  | {
      /** How often the queue has delivered the message. Each earlier delivery belongs to a check that was aborted. */
      deliveries: number;
    }
  | { attempt: number; found: Found }
);

/** The result of a check: a report, or `erezept_token` if the file contains such a token and must not be kept. */
export type Found = SignatureReportRow | 'erezept_token';

/** A check that was claimed: the key of the file, and the number of the attempt. */
export interface Claim {
  fileKey: string;
  attempt: number;
}
