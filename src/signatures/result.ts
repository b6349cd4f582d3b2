/** What a check of signatures says, as it is stored, and what its Worker and the main one say to each other. */

/** What came after a signature, from harmless to not: each includes those before it. */
export const CHANGES = ['none', 'metadata', 'validation_data', 'signatures', 'other'] as const;
export type LaterChanges = (typeof CHANGES)[number];

/** Indications of ETSI EN 319 102-1 §5.1.3, without its prefix `TOTAL-`. */
export type Indication = 'passed' | 'failed' | 'indeterminate';

/** What the certificate of a signature is worth. */
export interface Judgement {
  status: Indication;
  subIndication: string | null;
  qualification: 'qualified' | 'qualified_certificate' | 'advanced' | 'seal' | 'not_listed';
  revocation: 'good' | 'revoked' | 'not_checked' | 'not_applicable';
}

/** One signature, as it is stored and told. */
export interface CheckedSignature extends Judgement {
  kind: 'signature' | 'seal' | 'timestamp';
  signer: string | null;
  profession: string | null;
  issuer: string | null;
  algorithm: string | null;
  weaknesses: ('sha1' | 'rsa_short')[];
  /** ISO 8601. */
  signedAt: string | null;
  /** Bytes of the signed revision, from the beginning of the file. */
  signedBytes: number | null;
  /** SHA-256 of the value, hex: the same signature in another file has the same. */
  valueHash: string | null;
}

/** The result of a check, as it is stored with its prescription. */
export interface SignatureReportRow {
  status: Indication | 'none';
  subIndication: string | null;
  laterChanges: LaterChanges;
  /** The place in `signatures` of the one that counts; null if none does. */
  anchor: number | null;
  signatures: CheckedSignature[];
  /** Epoch ms. */
  checkedAt: number;
  /** The file is checked again within the hour: an answer or a trusted list is missing. */
  isUndecided?: true;
}

/** A report without its signatures, for lists. */
export type SignatureVerdict = Omit<SignatureReportRow, 'signatures'>;

/** The report of a file that cannot be checked: the check ended twice without a result, or the file is gone. */
export function uncheckable(checkedAt: number): SignatureReportRow {
  return {
    ...{ status: 'indeterminate', subIndication: 'CUSTOM', laterChanges: 'other', anchor: null },
    signatures: [],
    checkedAt,
  };
}

/**
 * What the Worker that checks asks of the main one, which alone knows the databases, about the check that a message
 * names. Without `found`: a claim, answered with `Claim` or null. With it: to store that, unless the prescription was
 * erased or the check claimed again since.
 */
export type Asked = { message: unknown } & (
  | {
      /** How often the message has been delivered: one more than how often its check has died. */
      deliveries: number;
    }
  | { attempt: number; found: Found }
);

/** What a check found: a report, or the token of an E-Rezept, which must not be kept. */
export type Found = SignatureReportRow | 'erezept_token';

/** A claimed check: of which file, and which attempt it is. */
export interface Claim {
  fileKey: string;
  attempt: number;
}
