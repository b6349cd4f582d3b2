import { type Budget, CERTIFICATES_MAX, LimitReached } from '../budget';
import { type Bytes, isEqual, orNull } from '../bytes';
import { type Certificate, certificateOf } from './certificate';
import { Der } from './der';

/** Certificates and revocation values found in a file, without doubles, from whatever place. Nothing in it is trusted. */
export class Material {
  readonly certificates: Certificate[] = [];
  /** OCSPResponse or BasicOCSPResponse (RFC 6960 §4.2.1). */
  readonly ocsps: Der[] = [];
  /** CertificateList (RFC 5280 §5.1). */
  readonly crls: Der[] = [];

  constructor(readonly budget: Budget) {}

  /** Certificates that cannot be read are left out. @throws LimitReached beyond `CERTIFICATES_MAX` */
  addCertificate(der: Der): void {
    if (this.certificates.some((known) => isEqual(known.der, der.raw))) return;
    const certificate = orNull(() => certificateOf(der));
    if (certificate === null) return;
    if (this.certificates.length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
    this.certificates.push(certificate);
  }

  /** Adds a value from bytes, such as a stream of a PDF. Bytes that are no ASN.1 are ignored. @throws LimitReached */
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
