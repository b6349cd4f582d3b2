import type { OutboundRefusal } from '../../src/platform/http/outgoing';

/**
 * Addresses that somebody may give for a webhook or a prescription, in every notation that we know of, and what has to
 * become of each: the refusal, or null for one that is on the public internet as far as its text tells.
 */
export interface Address {
  url: string;
  kind: string;
  refusal: OutboundRefusal | null;
}

/** Whose addresses stand under `own_host`. */
export const OWN_BASE_HOST = 'api.offizin.example';
export const OWN_SHOP_HOST = 'rx.löwe.example';
/** The kind of its addresses. */
export const SHOP_HOST = 'a host of a shop';

/**
 * Names on the public internet whose DNS answers with an inward address, always or at the second question. A Worker can
 * neither see nor fix the address that a name resolves to, so they pass this guard: docs/operating.md says what protects
 * there instead.
 */
export const RESOLVES_INWARDS = 'resolves inwards: cannot be seen';

export const ADDRESSES: readonly Address[] = [
  ...kind('public', null, [
    'https://hooks.example.com/',
    'https://hooks.example.com',
    'https:hooks.example.com/in',
    'https:/hooks.example.com/in',
    String.raw`https:\\hooks.example.com\in`,
    'https://hooks.ex\tample.com/in',
    'https://hooks.example.com:443/in',
    'https://hooks.example.com:/in',
    'https://:@hooks.example.com/in',
    'https://xn--mller-kva.example.com/in',
    'https://h%6Foks.example.com/in',
    'https://hooks.example.com/in?next=http://127.0.0.1/#@10.0.0.1',
    'https://hooks.example.com/@127.0.0.1/',
    'https://hooks.example.com?@127.0.0.1/',
    'https://0x7f000001.example.com/',
    'https://169.254.169.254.example.com/latest/meta-data/',
    'https://api.offizin.example.com/',
    'https://1.example.com/',
    'https://xn--localhost-.com/',
    'https://a.b-c.d1.example/',
    'https://internal.example.com/',
  ]),
  ...kind(RESOLVES_INWARDS, null, [
    'https://localtest.me/',
    'https://anything.localtest.me/',
    'https://lvh.me/',
    'https://vcap.me/',
    'https://lacolhost.com/',
    'https://10-0-0-1.nip.io/',
    'https://www-192-168-0-1.traefik.me/',
    'https://metadata.tencentyun.com/latest/meta-data/',
  ]),
  ...kind('no URL', 'not_a_url', [
    'hooks.example.com/in',
    '//hooks.example.com/in',
    '/in',
    '127.0.0.1',
    'https://',
    'https://:443/',
    'https://hooks.example.com:-1/',
    'https://hooks%2Fexample.com/',
    'https://127.0.0.1%5c.example.com/',
    'https://hooks℀.example.com/',
  ]),
  ...kind('no URL: malformed IPv4', 'not_a_url', [
    'https://256.0.0.1/',
    'https://127.0.0.256/',
    'https://127.0.0.0x100/',
    'https://1.2.3.4.5/',
    'https://127.0.0.1.1/',
    'https://127.0.0.08/',
    'https://example.127/',
  ]),
  ...kind('no URL: malformed IPv6', 'not_a_url', [
    'https://::1/',
    'https://[::1/',
    'https://[]/',
    'https://[:]/',
    'https://[1]/',
    'https://[::1%25lo]/',
    'https://[1::2::3]/',
  ]),
  ...kind('another scheme', 'not_https', [
    'http://hooks.example.com/in',
    'http://127.0.0.1/',
    'http://localhost:8787/manage',
    'http://[::1]:8787/',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'ftp://hooks.example.com/in',
    'dict://127.0.0.1:11211/stats',
    'jar:https://hooks.example.com!/',
    'data:application/pdf;base64,JVBERi0=',
    'mailto:a@example.com',
    'https+unix://%2Fvar%2Frun%2Fdocker.sock/',
  ]),
  ...kind('with user or password', 'credentials', [
    'https://user@hooks.example.com/',
    'https://user:pass@hooks.example.com/',
    'https://:pass@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://hooks.example.com:443@127.0.0.1/',
    'https://127.0.0.1@hooks.example.com/',
    String.raw`https:\\user@hooks.example.com\in`,
  ]),
  ...kind('another port', 'port', [
    'https://hooks.example.com:80/',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:0/',
    'https://hooks.example.com:65535/',
    'https://[::1]:8787/',
  ]),
  ...kind('IPv4, dotted decimal', 'ip_address', [
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.255.255.254/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://169.254.1.1/',
    'https://224.0.0.1/',
  ]),
  ...kind('IPv4, written otherwise', 'ip_address', [
    'https://127.1/',
    'https://127.0.1/',
    'https://0/',
    'https://0./',
    'https://1/',
    'https://2130706433./',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0x7f.0x/',
    'https://0xA9.0376.43518/',
    'https://4294967295/',
  ]),
  ...kind('IPv4, encoded', 'ip_address', [
    'https://%31%32%37.0.0.1/',
    'https://127%2e0%2E0.1/',
    'https://%30x7f.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://𝟙𝟚𝟟.𝟘.𝟘.𝟙/',
    'https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/',
    'https://127.\u200b0.0.1/',
    'https:////127.0.0.1/',
  ]),
  ...kind('IPv6', 'ip_address', [
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'https://[0::0001]/',
    'https://[FD00::1]/',
    'https://[ff02::1]/',
    'https://[fd00::1]/',
  ]),
  ...kind('IPv6 that holds an IPv4', 'ip_address', [
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::FFFF:A9FE:A9FE]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:a9fe:a9fe::1]/',
  ]),
  ...kind('no public name', 'not_public', [
    'https://localhost/',
    'https://LOCALHOST./',
    'https://ＬＯＣＡＬＨＯＳＴ/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://local\thost/',
    'https://localhost。/',
    'https://instance-data/latest/meta-data/',
    'https://xn--mller-kva/',
  ]),
  ...kind('special-use name', 'not_public', [
    'https://shop.localhost/',
    'https://a.b.LocalHost./',
    'https://localhost.localdomain/',
    'https://localhost6.localdomain6/',
    'https://printer.local/',
    'https://PRINTER.ＬＯＣＡＬ/',
    'https://printer.local%2E/',
    'https://printer。local/',
    'https://kubernetes.default.svc.cluster.local/',
    'https://kubernetes.default.svc/',
    'https://vault.service.consul/',
    'https://db.docker/',
    'https://db.internal/',
    'https://DB.INTERNAL./',
    'https://host.docker.internal/',
    'https://x.intranet/',
    'https://x.private/',
    'https://mail.corp/',
    'https://nas.home/',
    'https://smtp.mail/',
    'https://router.lan/',
    'https://nas.home.arpa/',
    'https://1.0.0.127.in-addr.arpa/',
    'https://ipv4only.arpa/',
    'https://x.test/',
    'https://x.invalid/',
    'https://x.onion/',
    'https://x.alt/',
    'https://x.i2p/',
    'https://x.localdomain/',
  ]),
  ...kind('metadata of a cloud', 'not_public', [
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://METADATA.GOOGLE.INTERNAL./',
    'https://metadata.goog.internal/',
    'https://instance-data.ec2.internal/latest/meta-data/',
    'https://ip-10-0-0-1.eu-central-1.compute.internal/',
    'https://metadata.azure.internal/metadata/instance',
  ]),
  ...kind('metadata of a cloud, by address', 'ip_address', [
    'https://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'https://169.254.170.2/v2/credentials/',
    'https://168.63.129.16/machine',
    'https://100.100.100.200/latest/meta-data/',
    'https://192.0.0.192/opc/v2/instance/',
    'https://[fd00:ec2::254]/latest/meta-data/',
    'https://[fd20:ce::254]/computeMetadata/v1/',
  ]),
  ...kind('empty label', 'not_public', [
    'https://127.0.0.1../',
    'https://db.internal../',
    'https://localhost../',
    'https://api.offizin.example../',
    'https://a..example.com/',
    'https://hooks.example.com../',
  ]),
  ...kind('our base host', 'own_host', [
    'https://api.offizin.example/',
    'https://API.Offizin.Example./manage',
    'https://api.offizin.example:443/api/operator/v1/organizations',
    'https://api。offizin．example/',
    'https://%61pi.offizin.example/',
    'https://ａｐｉ.offizin.example/',
    'https://api.of\tfizin.example/',
    'https://api.of\u00adfizin.example/',
    'https://api.offizin.example%2e/',
    'https:api.offizin.example',
    String.raw`https:\\api.offizin.example\manage`,
    'https://@api.offizin.example/',
    'https://api.oﬃzin.example/',
  ]),
  ...kind(SHOP_HOST, 'own_host', [
    'https://rx.löwe.example/',
    'https://RX.LÖWE.EXAMPLE./api/v1/external-order',
    'https://rx.xn--lwe-sna.example/',
    'https://RX.XN--LWE-SNA.example/',
    'https://rx.lo\u0308we.example/',
    'https://rx.l%C3%B6we.example/',
    'https://rx。löwe｡example/',
    'https://rx.löwe.example:443/',
    'https://ｒｘ.löwe.example/',
  ]),
  ...kind('over-long', 'too_long', [
    `https://hooks.example.com/${'x'.repeat(8_167)}`,
    `https://hooks.example.com/?${'%20'.repeat(3_000)}`,
    `https://${'a.'.repeat(4_100)}example.com/`,
    `https://10.0.0.1/${'x'.repeat(9_000)}`,
    `https://hooks.example.com/#${'x'.repeat(8_192)}`,
  ]),
];

/** The first address of each kind. */
export const ONE_OF_EACH_KIND: readonly Address[] = ADDRESSES.filter(
  ({ kind }, index) => index === ADDRESSES.findIndex((each) => each.kind === kind),
);

function kind(kind: string, refusal: OutboundRefusal | null, urls: string[]): Address[] {
  return urls.map((url) => ({ url, kind, refusal }));
}
