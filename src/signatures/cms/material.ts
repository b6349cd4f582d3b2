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

  addOcsp(der: Der): void {
    addTo(this.ocsps, der);
  }

  addCrl(der: Der): void {
    addTo(this.crls, der);
  }

  /** The same from bytes, such as a stream of a PDF; bytes that are no ASN.1 are left out. */
  add(kind: 'certificate' | 'ocsp' | 'crl', bytes: Bytes): void {
    const der = orNull(() => Der.first(bytes, this.budget));
    if (der === null) return;
    if (kind === 'certificate') this.addCertificate(der);
    else if (kind === 'ocsp') this.addOcsp(der);
    else this.addCrl(der);
  }
}

function addTo(list: Der[], der: Der): void {
  if (list.some((known) => isEqual(known.raw, der.raw))) return;
  if (list.length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
  list.push(der);
}
