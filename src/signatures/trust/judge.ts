import { sha256 } from '../../platform/crypto/crypto';
import { Budget, LimitReached } from '../budget';
import { hex } from '../bytes';
import { anchorOf, type Report, type SignatureReport } from '../check';
import { keyName, weaknesses } from '../cms/algorithms';
import { type Certificate, issuerName, professionOf, signerName } from '../cms/certificate';
import { type RevocationStatus, revocationIn } from '../cms/revocation';
import type { Timestamp } from '../cms/signed-data';
import { UNDECIDED_MS_MAX } from '../limits';
import type { CheckedSignature, Judgement, SignatureReportRow } from '../result';
import { type AskRevocation, askRevocation, servicesFor } from './keep';
import type { TrustService } from './list';
import { type Anchor, anchorsOf, grantedAt, type Path, pathTo, qualitiesOf } from './services';

export interface Trust {
  /** The services of verified trusted lists that still count. */
  services: readonly TrustService[];
  /** The time since which the file is known to exist, epoch ms. All its content existed at that time. */
  knownSince: number;
  /** Asks about revocation at the addresses in certificates; null if that is not allowed. */
  ask: AskRevocation | null;
}

/**
 * Returns a judge of signatures, by trusted lists, times and revocation (ETSI EN 319 102-1 §5.3 to §5.6). The time
 * stamps in the file count as proofs that its content existed.
 */
export function judgeBy(trust: Trust): Judge {
  const judging = new Judging(trust, anchorsOf(trust.services, new Budget()));
  return async (signature, report) => {
    try {
      return await judging.judge(signature, report);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      return { ...(await judgeWithoutLists(signature, report)), subIndication: 'CUSTOM' };
    }
  };
}

/**
 * Extensions of certificates that need no revocation check: short-term certificates, those that state that no
 * revocation is available, and those of OCSP responders.
 */
const NO_REVOCATION = ['0.4.0.194121.2.1', '2.5.29.56', '1.3.6.1.5.5.7.48.1.5'];
/** Two clocks may differ by this much. */
const SKEW_MS = 5 * 60_000;
const ON_HOLD = 6;

type Stamp = Pick<Timestamp, 'certificate' | 'time'>;

interface Revocation {
  revocation: Judgement['revocation'];
  /** Whether the revoked certificate belongs to an authority, not to the signer. */
  isOfIssuer: boolean;
}

class Judging {
  /** The answers from the addresses in each certificate. The addresses in a certificate are asked only once. */
  private readonly asked = new Map<Certificate, ReturnType<AskRevocation>>();

  constructor(
    private readonly trust: Trust,
    private readonly anchors: readonly Anchor[],
  ) {}

  async judge(signature: SignatureReport, report: Report): Promise<Judgement> {
    const { certificate, kind } = signature;
    const base = await judgeWithoutLists(signature, report);
    if (!certificate) return base;
    const existedAt = await this.existedAt(signature, report);
    if (kind === 'timestamp') {
      const isTrusted = await this.isTrusted({ certificate, time: signature.signedAt }, existedAt, report);
      return isTrusted ? { ...base, status: 'passed', subIndication: null, qualification: 'qualified' } : base;
    }
    const path = await this.path('CA', certificate, report);
    if (!path) return base;
    const times = { issuedAt: Date.parse(certificate.notBefore), signedAt: existedAt };
    const { isQualified, hasDevice } = qualitiesOf(certificate, path.anchors, times);
    const qualification =
      kind === 'seal' ? 'seal' : !isQualified ? 'advanced' : hasDevice ? 'qualified' : 'qualified_certificate';
    const { revocation, isOfIssuer } = await this.revocationOf(path, existedAt, report);
    const subIndication = this.indicationOf(certificate, existedAt, { qualification, revocation, isOfIssuer });
    return { status: subIndication ? 'indeterminate' : 'passed', subIndication, qualification, revocation };
  }

  private indicationOf(
    { notBefore, notAfter }: Certificate,
    existedAt: number,
    { qualification, revocation, isOfIssuer }: Omit<Judgement, 'status' | 'subIndication'> & Revocation,
  ): string | null {
    if (Date.parse(notBefore) > existedAt) return 'NOT_YET_VALID';
    if (revocation === 'revoked') return isOfIssuer ? 'REVOKED_CA_NO_POE' : 'REVOKED_NO_POE';
    if (Date.parse(notAfter) < existedAt)
      return revocation === 'good' ? 'OUT_OF_BOUNDS_NOT_REVOKED' : 'OUT_OF_BOUNDS_NO_POE';
    if (qualification !== 'qualified') return 'CHAIN_CONSTRAINTS_FAILURE';
    return revocation === 'not_checked' ? 'TRY_LATER' : null;
  }

  private path(kind: Anchor['kind'], certificate: Certificate, { material }: Report): Promise<Path | null> {
    return pathTo(kind, certificate, { anchors: this.anchors, found: material.certificates });
  }

  /**
   * Returns the earliest time (epoch ms) at which a signature provably existed. Time stamps over the file are followed
   * from the newest to the oldest. Each time stamp proves its time only if its certificate is still valid at the time
   * that the newer time stamps prove.
   */
  private async existedAt(signature: SignatureReport, report: Report): Promise<number> {
    let at = this.trust.knownSince;
    const covering = report.signatures.filter(
      ({ kind, status, signedBytes }) =>
        kind === 'timestamp' && status === 'intact' && (signedBytes ?? 0) > (signature.signedBytes ?? 0),
    );
    for (const { certificate, signedAt: time } of covering.toReversed())
      if (await this.isTrusted({ certificate, time }, at, report)) at = Math.min(at, Date.parse(time ?? ''));
    const own: number[] = [];
    for (const stamp of signature.timestamps.filter(({ status }) => status === 'intact'))
      if (await this.isTrusted(stamp, at, report)) own.push(Date.parse(stamp.time ?? ''));
    return Math.min(at, ...own);
  }

  /**
   * Whether a time stamp is from a qualified authority.
   * @param existedAt when the time stamp provably existed, epoch ms
   */
  private async isTrusted({ certificate, time }: Stamp, existedAt: number, report: Report): Promise<boolean> {
    if (!certificate || time === null) return false;
    const { notBefore, notAfter } = certificate;
    if (time < notBefore || time > notAfter || Date.parse(notAfter) < existedAt) return false;
    const path = await this.path('TSA', certificate, report);
    if (!path?.anchors.some((anchor) => grantedAt(anchor, Date.parse(time)))) return false;
    // A stolen key can stamp any time. A revocation before the stamp provably existed makes the stamp worthless.
    return (await this.revocationOf(path, existedAt, report)).revocation !== 'revoked';
  }

  /**
   * The revocation of a chain of certificates: `revoked` if any certificate is revoked, else `not_checked` if one was
   * not checked, else the result for the first one. The last certificate is left out, because it is the service's own.
   */
  private async revocationOf({ chain }: Path, existedAt: number, report: Report): Promise<Revocation> {
    const each: Judgement['revocation'][] = [];
    for (const [place, certificate] of chain.slice(0, -1).entries()) {
      const issuer = chain[place + 1];
      if (issuer) each.push(await this.statusOf(certificate, issuer, existedAt, report));
    }
    const revokedAt = each.indexOf('revoked');
    if (revokedAt >= 0) return { revocation: 'revoked', isOfIssuer: revokedAt > 0 };
    const revocation = each.includes('not_checked') ? 'not_checked' : (each[0] ?? 'not_applicable');
    return { revocation, isOfIssuer: false };
  }

  private async statusOf(
    certificate: Certificate,
    issuer: Certificate,
    at: number,
    { material }: Report,
  ): Promise<Judgement['revocation']> {
    if (NO_REVOCATION.some((oid) => certificate.extensions.has(oid))) return 'not_applicable';
    const embedded = decided(await revocationIn(material, certificate, issuer), certificate, at);
    if (embedded || !this.trust.ask) return embedded ?? 'not_checked';
    const asked = this.asked.get(certificate) ?? this.trust.ask(certificate, issuer);
    this.asked.set(certificate, asked);
    return decided(await revocationIn(await asked, certificate, issuer), certificate, at) ?? 'not_checked';
  }
}

/**
 * Returns whether revocation answers say that a certificate was good or revoked at a time; null if they do not show it.
 * An answer counts as `good` only if it was given after that time, or was still valid then.
 * @param answers newest first
 */
function decided(
  answers: readonly RevocationStatus[],
  { notAfter }: Certificate,
  at: number,
): 'good' | 'revoked' | null {
  for (const { status, source, revokedAt, reason, thisUpdate, nextUpdate } of answers) {
    if (status === 'revoked') {
      if (reason === ON_HOLD) return null;
      return revokedAt !== null && Date.parse(revokedAt) > at ? 'good' : 'revoked';
    }
    // A CRL may leave out a certificate that has expired.
    const isSilent = source === 'crl' && thisUpdate > notAfter;
    const isFresh = Date.parse(thisUpdate) >= at - SKEW_MS || (nextUpdate !== null && Date.parse(nextUpdate) >= at);
    if (status === 'good' && isFresh && !isSilent) return 'good';
  }
  return null;
}

const NO_CHAIN = 'NO_CERTIFICATE_CHAIN_FOUND';

/**
 * Judges a checked file by the trusted lists in the bucket.
 * @param storedAt epoch ms. The file is known to exist since it was stored, not only since its check
 * @param mayAsk whether to ask about revocation at the addresses in certificates
 */
export async function judgedReport(
  report: Report,
  { files, storedAt, mayAsk }: { files: R2Bucket; storedAt: number; mayAsk: boolean },
): Promise<SignatureReportRow> {
  const now = Date.now();
  const knownSince = Math.min(now, storedAt);
  const { services, isIncomplete } = await servicesFor(files, report.material.certificates, now);
  const row = await reportOf(report, now, judgeBy({ services, knownSince, ask: mayAsk ? askRevocation : null }));
  const isOpen = row.subIndication === 'TRY_LATER' || (isIncomplete && row.subIndication === NO_CHAIN);
  return isOpen && now - knownSince < UNDECIDED_MS_MAX ? { ...row, isUndecided: true } : row;
}

/** Judges how far the certificate of a signature is trusted. */
type Judge = (signature: SignatureReport, report: Report) => Promise<Judgement>;

/** Returns the judgement without trusted lists. Without them, no certificate has a chain to a service. */
const judgeWithoutLists: Judge = async ({ kind }) => ({
  status: 'indeterminate',
  subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  qualification: kind === 'seal' ? 'seal' : 'not_listed',
  revocation: 'not_checked',
});

/**
 * Judges the signatures of a checked file.
 * @param checkedAt epoch ms
 * @returns the result as it is stored
 */
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
