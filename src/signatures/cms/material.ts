import { type Budget, LimitReached } from '../budget';
import { type Bytes, isEqual, orNull } from '../bytes';
import { CERTIFICATES_MAX } from '../limits';
import { type Certificate, certificateOf } from './certificate';
import { Der } from './der';

/** Certificates and revocation values found anywhere in a file, without duplicates. None of them is trusted. */
export class Material {
  readonly certificates: Certificate[] = [];
  /** OCSPResponse or BasicOCSPResponse (RFC 6960 §4.2.1). */
  readonly ocsps: Der[] = [];
  /** CertificateList (RFC 5280 §5.1). */
  readonly crls: Der[] = [];

  constructor(readonly budget: Budget) {}

  /**
   * Adds a certificate, unless it is already there or cannot be read. @throws LimitReached beyond `CERTIFICATES_MAX`
   */
  addCertificate(der: Der): void {
    if (this.certificates.some((known) => isEqual(known.der, der.raw))) return;
    const certificate = orNull(() => certificateOf(der));
    if (certificate === null) return;
    if (this.certificates.length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
    this.certificates.push(certificate);
  }

  /**
   * Adds the value encoded in some bytes, such as a stream of a PDF. Ignores bytes that are no ASN.1. @throws
   * LimitReached
   */
  add(kind: 'certificates' | 'ocsps' | 'crls', bytes: Bytes): void {
    const der = orNull(() => Der.first(bytes, this.budget));
    if (der === null) return;
    if (kind === 'certificates') this.addCertificate(der);
    else this.addAnswer(kind, der);
  }

  addAnswer(kind: 'ocsps' | 'crls', der: Der): void {
    if (this[kind].some((known) => isEqual(known.raw, der.raw))) return;
    if (this[kind].length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
    this[kind].push(der);
  }
}
