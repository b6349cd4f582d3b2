import { sha256, toHex } from '../platform/crypto/crypto';
import { anchorOf, type Report, type SignatureReport } from './check';
import { keyName, weaknesses } from './cms/algorithms';
import { type Certificate, issuerName, professionOf, signerName } from './cms/certificate';
import type { LaterChanges } from './pdf/changes';

/** Indications of ETSI EN 319 102-1 §5.1.3, without its prefix `TOTAL-`. */
export type Indication = 'passed' | 'failed' | 'indeterminate';

/** What the certificate of a signature is worth. */
export interface Judgement {
  status: Indication;
  subIndication: string | null;
  qualification: 'qualified' | 'qualified_certificate' | 'advanced' | 'seal' | 'not_listed';
  revocation: 'good' | 'revoked' | 'not_checked' | 'not_applicable';
}

/** Judges the certificate of a signature whose value verifies. */
export type Judge = (signature: SignatureReport, report: Report) => Promise<Judgement>;

/** One signature, as it is stored and told. */
interface CheckedSignature extends Judgement {
  kind: SignatureReport['kind'];
  signer: string | null;
  profession: string | null;
  issuer: string | null;
  algorithm: string | null;
  weaknesses: ReturnType<typeof weaknesses>;
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

/** Without verified trusted lists, no certificate has a chain to a service of one. */
export const judgeWithoutLists: Judge = async ({ kind }) => ({
  status: 'indeterminate',
  subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  qualification: kind === 'seal' ? 'seal' : 'not_listed',
  revocation: 'not_checked',
});

/** The report that is stored. @param checkedAt epoch ms */
export async function reportOf(report: Report, checkedAt: number, judge: Judge): Promise<SignatureReportRow> {
  const judged = new Map<SignatureReport, CheckedSignature>();
  for (const each of report.signatures) judged.set(each, await checkedSignature(each, report, judge));
  const anchor = anchorOf(report.signatures, (each) => judged.get(each)?.qualification === 'qualified');
  const signatures = [...judged.values()];
  const base = { signatures, anchor, checkedAt };
  const counting = anchor === null ? undefined : signatures[anchor];
  if (report.status === 'failed' || report.status === 'none' || !counting) {
    const status = report.status === 'intact' ? 'indeterminate' : report.status;
    return { ...base, status, subIndication: report.subIndication, laterChanges: report.laterChanges };
  }
  const { status, subIndication } = counting;
  const later = anchor === null ? undefined : report.signatures[anchor]?.later;
  return { ...base, status, subIndication, laterChanges: later?.changes ?? 'other' };
}

/** The report of a file that cannot be checked: the check ended twice without a result, or the file is gone. */
export function uncheckable(checkedAt: number): SignatureReportRow {
  return {
    ...{ status: 'indeterminate', subIndication: 'CUSTOM', laterChanges: 'other', anchor: null },
    signatures: [],
    checkedAt,
  };
}

async function checkedSignature(signature: SignatureReport, report: Report, judge: Judge): Promise<CheckedSignature> {
  const { kind, status, subIndication, certificate, key, scheme, hash, signedAt, signedBytes, value } = signature;
  const isIntact = status === 'intact';
  const judgement = isIntact
    ? await judge(signature, report)
    : { ...(await judgeWithoutLists(signature, report)), status, subIndication };
  return {
    kind,
    ...judgement,
    ...namesOf(certificate),
    algorithm: key ? keyName(key).toLowerCase() : null,
    weaknesses: weaknesses(scheme, key, hash),
    signedAt,
    signedBytes,
    valueHash: value ? toHex(await sha256(value as BufferSource)) : null,
  };
}

function namesOf(certificate: Certificate | null) {
  if (!certificate) return { signer: null, profession: null, issuer: null };
  return { signer: signerName(certificate), profession: professionOf(certificate), issuer: issuerName(certificate) };
}
