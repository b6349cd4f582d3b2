import { fromBase64 } from '../../platform/crypto/crypto';
import type { Budget } from '../budget';
import { isEqual, orNull } from '../bytes';
import { type Certificate, certificateOf, isIssuedBy, partsOf, qualifiedStatements } from '../cms/certificate';
import { Der } from '../cms/der';
import type { Condition, ServiceState, TrustService } from './list';

export type Anchor = ReturnType<typeof anchorsOf>[number];

/** Returns the services with their certificates parsed. Leaves out certificates that cannot be read. */
export function anchorsOf(services: readonly TrustService[], budget: Budget) {
  return services.map(({ kind, certificates, states }) => ({
    ...{ kind, states },
    certificates: certificates.flatMap((each) => orNull(() => certificateOf(Der.only(fromBase64(each), budget))) ?? []),
  }));
}

/** A chain of certificates. The last one is a certificate of every service in `anchors`. */
export interface Path {
  /**
   * The first certificate is the one passed to `pathTo`. If it belongs to a service, the chain has no other
   * certificate.
   */
  chain: Certificate[];
  anchors: Anchor[];
}

const CHAIN_MAX = 8;

/**
 * Finds a chain from a certificate to a service of this kind, via other services and the certificates in the file. Null
 * if there is none.
 */
export async function pathTo(
  kind: Anchor['kind'],
  certificate: Certificate,
  { anchors, found }: { anchors: readonly Anchor[]; found: readonly Certificate[] },
): Promise<Path | null> {
  const ofKind = anchors.filter((each) => each.kind === kind);
  const services = ofKind.flatMap(({ certificates }) => certificates);
  const seen = new Set<Certificate>();
  const search = async (chain: readonly Certificate[], last: Certificate): Promise<Path | null> => {
    const own = ofKind.filter(({ certificates }) => certificates.some((each) => isSame(each, last)));
    if (own.length > 0) return { chain: [...chain, last], anchors: own };
    seen.add(last);
    if (chain.length + 1 >= CHAIN_MAX) return null;
    for (const each of [...services, ...found]) {
      if (seen.has(each) || !isEqual(last.issuerDer, each.subjectDer)) continue;
      const path = (await isIssuedBy(last, each)) && (await search([...chain, last], each));
      if (path) return path;
    }
    return null;
  };
  return search([], certificate);
}

/**
 * Whether two certificates have the same key and name. The certificate of a service may have been issued anew (ETSI TS
 * 119 612 §5.5.3).
 */
function isSame(one: Certificate, other: Certificate): boolean {
  return isEqual(one.keyBits, other.keyBits) && isEqual(one.subjectDer, other.subjectDer);
}

/** Regulation 910/2014 applies since this time. Until then, services were supervised or accredited instead. */
const REGULATION_FROM = Date.UTC(2016, 5, 30, 22);
const SUPERVISED = ['undersupervision', 'supervisionincessation', 'accredited'];

/** Returns the state of a service at a time (`at`, epoch ms). Null if the service was not qualified at that time. */
export function grantedAt({ states }: Anchor, at: number): ServiceState | null {
  const state = states.find(({ from }) => from <= at);
  if (!state) return null;
  const isGranted = state.status === 'granted' || (at < REGULATION_FROM && SUPERVISED.includes(state.status));
  return isGranted ? state : null;
}

const QC = {
  compliance: '0.4.0.1862.1.1',
  device: '0.4.0.1862.1.4',
  forSignatures: '0.4.0.1862.1.6.1',
  forSeals: '0.4.0.1862.1.6.2',
  forWebsites: '0.4.0.1862.1.6.3',
  /** Policies of ETSI TS 101 456. Certificates had them before there were QcStatements. */
  policy: '0.4.0.1456.1.2',
  policyWithDevice: '0.4.0.1456.1.1',
} as const;

/**
 * Judges a certificate by the services that issued it (ETSI TS 119 615 §4.4, §4.5). Returns whether it is qualified for
 * signatures, and whether its key is in a qualified device. If services differ, the lowest result counts. A service
 * counts only if it was granted at both times.
 * @param issuedAt when the certificate was issued, epoch ms
 * @param signedAt when the signature was made, epoch ms
 */
export function qualitiesOf(
  certificate: Certificate,
  anchors: readonly Anchor[],
  { issuedAt, signedAt }: { issuedAt: number; signedAt: number },
) {
  const facts = factsOf(certificate);
  const each = anchors.map((anchor) => {
    const [then, since] = [grantedAt(anchor, issuedAt), grantedAt(anchor, signedAt)];
    return then && since ? qualitiesIn(facts, [then, since], issuedAt) : null;
  });
  // Services that issue no certificates for signatures are ignored.
  const said = each.filter((one) => one !== null);
  return {
    isQualified: said.length > 0 && said.every((one) => one.isQualified),
    hasDevice: said.length > 0 && said.every((one) => one.hasDevice),
  };
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(certificate: Certificate) {
  const usage = certificate.extensions.get('2.5.29.15');
  return {
    statements: orNull(() => qualifiedStatements(certificate)) ?? [],
    policies: partsOf(certificate, '2.5.29.32').flatMap((each) => orNull(() => each.children()[0]?.oid()) ?? []),
    extendedUsages: partsOf(certificate, '2.5.29.37').flatMap((each) => orNull(() => each.oid()) ?? []),
    // The first byte is the number of unused bits in the last byte.
    usage: (usage && orNull(() => usage.inside().content.subarray(1))) ?? new Uint8Array(),
    subject: certificate.subject.map(({ oid }) => oid),
  };
}

/**
 * Judges a certificate by a service's states at the issue and at the signing. Null if either state excludes
 * certificates for signatures.
 */
function qualitiesIn(facts: Facts, states: readonly ServiceState[], issuedAt: number) {
  const isEarly = issuedAt < REGULATION_FROM;
  const each = states.map(({ uses, qualifiers }) => {
    const named = new Set(qualifiers.flatMap(({ names, when }) => (isMet(when, facts) ? names : [])));
    const kinds = uses.filter((use) => use.startsWith('For'));
    const byPolicy = isEarly && [QC.policy, QC.policyWithDevice].some((oid) => facts.policies.includes(oid));
    const isStated = facts.statements.includes(QC.compliance) || byPolicy || named.has('QCStatement');
    return {
      isConcerned: kinds.length === 0 || kinds.includes('ForeSignatures'),
      isQualified: isStated && typesOf(facts, named).includes('signature') && !named.has('NotQualified'),
      hasDevice: isInDevice(facts, named, isEarly),
    };
  });
  if (!each.every(({ isConcerned }) => isConcerned)) return null;
  return { isQualified: each.every(({ isQualified }) => isQualified), hasDevice: each.at(-1)?.hasDevice === true };
}

/**
 * Returns the purposes of a certificate that the trusted list names. If the list names none, the certificate's own
 * statements decide. If these name none either, the purpose is signatures (EN 319 412-5 §4.2.3).
 */
function typesOf({ statements }: Facts, named: ReadonlySet<string>): string[] {
  const byList = [
    ...(named.has('QCForESig') ? ['signature'] : []),
    ...(named.has('QCForESeal') || named.has('QCForLegalPerson') ? ['seal'] : []),
    ...(named.has('QCForWSA') ? ['website'] : []),
  ];
  if (byList.length > 0) return byList;
  const isOther = [QC.forSeals, QC.forWebsites].some((oid) => statements.includes(oid));
  return isOther && !statements.includes(QC.forSignatures) ? ['other'] : ['signature'];
}

/** Whether the key is in a qualified device. If the list says nothing about it, the certificate decides. */
function isInDevice(facts: Facts, named: ReadonlySet<string>, isEarly: boolean): boolean {
  if (['QCNoSSCD', 'QCNoQSCD'].some((name) => named.has(name))) return false;
  if (['QCWithSSCD', 'QCWithQSCD', 'QCQSCDManagedOnBehalf'].some((name) => named.has(name))) return true;
  return facts.statements.includes(QC.device) || (isEarly && facts.policies.includes(QC.policyWithDevice));
}

function isMet(condition: Condition, facts: Facts): boolean {
  if ('oids' in condition) return condition.oids.every((oid) => facts[condition.has].includes(oid));
  if ('usages' in condition)
    return condition.usages.every(
      ({ bit, isSet }) => (((facts.usage[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0) === isSet,
    );
  if ('unknown' in condition) return false;
  const met = condition.of.map((each) => isMet(each, facts));
  if (condition.assert === 'all') return met.every(Boolean);
  return condition.assert === 'atLeastOne' ? met.some(Boolean) : !met.some(Boolean);
}
