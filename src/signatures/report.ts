import { sha256 } from '../platform/crypto/crypto';
import { hex } from './bytes';
import { anchorOf, type Report, type SignatureReport } from './check';
import { keyName, weaknesses } from './cms/algorithms';
import { type Certificate, issuerName, professionOf, signerName } from './cms/certificate';
import type { CheckedSignature, Judgement, SignatureReportRow } from './result';

/** Says what the certificate of a signature that verifies is worth. */
export type Judge = (signature: SignatureReport, report: Report) => Promise<Judgement>;

/** Without verified trusted lists, no certificate has a chain to a service of one. */
export const judgeWithoutLists: Judge = async ({ kind }) => ({
  status: 'indeterminate',
  subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  qualification: kind === 'seal' ? 'seal' : 'not_listed',
  revocation: 'not_checked',
});

/** Judges the signatures of a checked file. @returns the report that is stored @param checkedAt epoch ms */
export async function reportOf(report: Report, checkedAt: number, judge: Judge): Promise<SignatureReportRow> {
  const judged = new Map<SignatureReport, CheckedSignature>();
  for (const each of report.signatures) judged.set(each, await checkedSignature(each, report, judge));
  const anchor = anchorOf(report.signatures, (each) => judged.get(each)?.qualification === 'qualified');
  const signatures = [...judged.values()];
  const isBroken = report.status === 'failed' || report.status === 'none' || anchor === null;
  const { status, subIndication } = (isBroken ? null : signatures[anchor]) ?? report;
  const later = isBroken ? report.laterChanges : report.signatures[anchor]?.later?.changes;
  return {
    ...{ signatures, anchor, checkedAt },
    ...{ status: status === 'intact' ? 'indeterminate' : status, subIndication, laterChanges: later ?? 'other' },
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
    valueHash: value ? hex(await sha256(value as BufferSource)) : null,
  };
}

function namesOf(certificate: Certificate | null) {
  if (!certificate) return { signer: null, profession: null, issuer: null };
  return { signer: signerName(certificate), profession: professionOf(certificate), issuer: issuerName(certificate) };
}
