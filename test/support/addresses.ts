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
    '  https://hooks.example.com/in\n',
    'HTTPS://HOOKS.EXAMPLE.COM./in',
    'https://hooks.example.com:443/in',
    'https://@hooks.example.com/in',
    'https://müller.example.com/in',
    'https://h%6Foks.example.com/in',
    'https://hooks.example.com/in?next=http://127.0.0.1/#@10.0.0.1',
    String.raw`https://hooks.example.com\@127.0.0.1/`,
    'https://127.0.0.1.example.com/',
    'https://0x7f000001.example.com/',
    'https://localhost.example.com/',
    'https://notinternal.com/',
    'https://api.offizin.example.com/',
    'https://xapi.offizin.example/',
    'https://1.example.com/',
  ]),
  ...kind(RESOLVES_INWARDS, null, [
    'https://localtest.me/',
    'https://127.0.0.1.nip.io/',
    'https://metadata.tencentyun.com/latest/meta-data/',
    'https://intern.a-company-of-theirs.com/',
  ]),
  ...kind('no URL', 'not_a_url', [
    'hooks.example.com/in',
    '//hooks.example.com/in',
    '/in',
    'https://',
    'https://#@10.0.0.1',
    'https://hooks.example.com:65536/',
    'https://hooks.example.com%20/',
    'https://hooks\u0000.example.com/',
    'https://127.0.0.1%2f.example.com/',
  ]),
  ...kind('no URL: malformed IPv4', 'not_a_url', [
    'https://256.0.0.1/',
    'https://1.2.3.4.5/',
    'https://4294967296/',
    'https://0x100000000/',
    'https://127..1/',
  ]),
  ...kind('no URL: malformed IPv6', 'not_a_url', [
    'https://::1/',
    'https://[]/',
    'https://[fe80::1%25eth0]/',
    'https://[::ffff:127.0.0.256]/',
  ]),
  ...kind('another scheme', 'not_https', [
    'http://hooks.example.com/in',
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'HTTP://HOOKS.EXAMPLE.COM/',
    'ftp://hooks.example.com/in',
    'ws://hooks.example.com/in',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'file:///etc/passwd',
    'data:application/pdf;base64,JVBERi0=',
    'blob:https://hooks.example.com/0',
    'javascript:fetch("https://127.0.0.1")',
    'mailto:a@example.com',
    'localhost:8787',
  ]),
  ...kind('with user or password', 'credentials', [
    'https://user@hooks.example.com/',
    'https://user:pass@hooks.example.com/',
    'https://:pass@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://hooks.example.com%23@127.0.0.1/',
    'https://a@b@hooks.example.com/',
    'https://%75ser@hooks.example.com/',
    'https://u@[::1]/',
  ]),
  ...kind('another port', 'port', [
    'https://hooks.example.com:80/',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:0/',
    'https://hooks.example.com:4\t43\t1/',
    'https://127.0.0.1:6379/',
    'https://[::1]:8787/',
    'https://api.offizin.example:8443/',
  ]),
  ...kind('IPv4, dotted decimal', 'ip_address', [
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.1.1/',
    'https://8.8.8.8/',
  ]),
  ...kind('IPv4, written otherwise', 'ip_address', [
    'https://127.1/',
    'https://0/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.01/',
    'https://0xA9.0376.43518/',
  ]),
  ...kind('IPv4, encoded', 'ip_address', [
    'https://%31%32%37.0.0.1/',
    'https://127%2e0%2E0.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://¹²⁷.⁰.⁰.¹/',
    'https://127.0.0.\u00ad1/',
    'https://127.\u200b0.0.1/',
    String.raw`https:\\127.0.0.1\in`,
    'https:127.0.0.1/',
  ]),
  ...kind('IPv6', 'ip_address', [
    'https://[::1]/',
    'https://[::]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[2606:4700:4700::1111]/',
  ]),
  ...kind('IPv6 that holds an IPv4', 'ip_address', [
    'https://[::ffff:127.0.0.1]/',
    'https://[::FFFF:A9FE:A9FE]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
  ]),
  ...kind('no public name', 'not_public', [
    'https://localhost/',
    'https://LOCALHOST./',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://%6cocalhost/',
    'https://localhost%2e/',
    'https://intranet/',
    'https://com/',
  ]),
  ...kind('special-use name', 'not_public', [
    'https://shop.localhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://printer.local%2E/',
    'https://kubernetes.default.svc.cluster.local/',
    'https://kubernetes.default.svc/',
    'https://vault.service.consul/',
    'https://db.docker/',
    'https://db.internal/',
    'https://DB.INTERNAL./',
    'https://x.intranet/',
    'https://x.private/',
    'https://mail.corp/',
    'https://nas.home/',
    'https://smtp.mail/',
    'https://router.lan/',
    'https://nas.home.arpa/',
    'https://1.0.0.127.in-addr.arpa/',
    'https://x.test/',
    'https://x.invalid/',
    'https://x.onion/',
    'https://x.alt/',
    'https://x.i2p/',
  ]),
  ...kind('metadata of a cloud', 'not_public', [
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://METADATA.GOOGLE.INTERNAL./',
    'https://instance-data.ec2.internal/latest/meta-data/',
  ]),
  ...kind('metadata of a cloud, by address', 'ip_address', [
    'https://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'https://168.63.129.16/machine',
    'https://[fd00:ec2::254]/latest/meta-data/',
  ]),
  ...kind('empty label', 'not_public', [
    'https://127.0.0.1../',
    'https://db.internal../',
    'https://api.offizin.example../',
    'https://a..example.com/',
    'https://./',
    'https://hooks.example.com。。/',
    'https://hooks.example.com%2e%2e/',
  ]),
  ...kind('our base host', 'own_host', [
    'https://api.offizin.example/',
    'https://API.Offizin.Example./manage',
    'https://api.offizin.example:443/api/operator/v1/organizations',
    'https://api。offizin．example/',
    'https://%61pi.offizin.example/',
    'https://api.of\u00adfizin.example/',
    String.raw`https:\\api.offizin.example\manage`,
  ]),
  ...kind(SHOP_HOST, 'own_host', [
    'https://rx.löwe.example/',
    'https://RX.LÖWE.EXAMPLE./api/v1/external-order',
    'https://rx.xn--lwe-sna.example/',
    'https://rx.lo\u0308we.example/',
    'https://rx.l%C3%B6we.example/',
    'https://rx。löwe｡example/',
  ]),
  ...kind('over-long', 'too_long', [
    `https://hooks.example.com/${'x'.repeat(8_167)}`,
    `https://10.0.0.1/${'x'.repeat(9_000)}`,
  ]),
];

/** The first address of each kind. */
export const ONE_OF_EACH_KIND: readonly Address[] = ADDRESSES.filter(
  ({ kind }, index) => index === ADDRESSES.findIndex((each) => each.kind === kind),
);

function kind(kind: string, refusal: OutboundRefusal | null, urls: string[]): Address[] {
  return urls.map((url) => ({ url, kind, refusal }));
}
