import { beforeAll, describe, expect, test } from 'vitest';
import { isEqual } from '../../src/signatures/bytes';
import { checkPdf, type Report } from '../../src/signatures/check';
import { keyName, weaknesses } from '../../src/signatures/cms/algorithms';
import { revocationIn } from '../../src/signatures/cms/revocation';
import {
  crl,
  extension,
  forOcsp,
  forTimestamps,
  type Holder,
  int,
  issue,
  type KeyKind,
  nameOf,
  ocsp,
  oid,
  seq,
  tlv,
} from './authority';
import { BASE, bytesOf, field, type Signing, signed, update } from './pdfs';

let root: Holder;
let stamper: Holder;
const authority = nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', 'Test CA']);

beforeAll(async () => {
  root = await issue(null, { name: authority, isAuthority: true });
  stamper = await issue(root, { extensions: [forTimestamps] });
});

async function checked(
  holder: Holder,
  signing: Partial<Signing> = {},
  after = (text: string) => text,
): Promise<Report> {
  const text = await signed(update('', BASE), holder, {
    objects: field(),
    ...signing,
    cms: { certificates: [root.certificate], ...signing.cms },
  });
  return checkPdf(bytesOf(after(text)));
}

function strengthOf({ signatures: [first] }: Report): string[] {
  if (!first?.key) throw new Error('The signature has no key');
  return [keyName(first.key), ...weaknesses(first.scheme, first.key, first.hash)];
}

describe('algorithms', () => {
  const kinds: [KeyKind, boolean, string][] = [
    ['p256', false, 'ec:secp256r1'],
    ['p384', false, 'ec:secp384r1'],
    ['p521', false, 'ec:secp521r1'],
    ['bp256', false, 'ec:brainpoolP256r1'],
    ['bp384', false, 'ec:brainpoolP384r1'],
    ['bp512', false, 'ec:brainpoolP512r1'],
    ['p256', true, 'ec:secp256r1'],
    ['p521', true, 'ec:secp521r1'],
    ['bp256', true, 'ec:brainpoolP256r1'],
    ['bp384', true, 'ec:brainpoolP384r1'],
    ['bp512', true, 'ec:brainpoolP512r1'],
    ['p256-sha3', false, 'ec:secp256r1'],
    ['ed25519', false, 'ed25519'],
    ['ed448', false, 'ed448'],
    ['rsa', false, 'rsa:2048'],
    ['pss', false, 'rsa:2048'],
  ];
  test.each(kinds)('%s, plain %s', async (key, isPlain, name) => {
    const holder = await issue(root, { key });
    const report = await checked(holder, { cms: { isPlain } });
    expect([report.reason, report.signatures[0]?.reason]).toEqual([null, null]);
    expect(report).toMatchObject({ status: 'intact', laterChanges: 'none', anchor: 0 });
    expect(report.signatures[0]).toMatchObject({
      kind: 'signature',
    });
    expect(strengthOf(report)).toEqual([name]);
    const bad = await checked(holder, {
      cms: { isPlain },
      alter: (value) => value.with(-3, (value.at(-3) ?? 0) ^ 1) as Uint8Array,
    });
    expect(bad).toMatchObject({ status: 'failed', subIndication: 'SIG_CRYPTO_FAILURE' });
  });

  test('SHA-1 and short keys are told', async () => {
    const one = await checked(await issue(root, { key: 'rsa-sha1' }));
    expect(strengthOf(one)).toEqual(['rsa:2048', 'sha1']);
    const two = await checked(await issue(root, { key: 'rsa1024' }));
    expect(strengthOf(two)).toEqual(['rsa:1024', 'rsa_short']);
    expect([one.status, two.status]).toEqual(['intact', 'intact']);
  });
});

describe('the value', () => {
  test('without signed attributes, by subject key, with the old attribute', async () => {
    const holder = await issue(root);
    expect((await checked(holder, { cms: { hasNoAttributes: true } })).signatures[0]).toMatchObject({
      status: 'intact',
    });
    expect((await checked(holder, { cms: { bySubjectKey: true } })).status).toBe('intact');
    expect((await checked(holder, { cms: { essVersion: 1 } })).signatures[0]).toMatchObject({
      status: 'intact',
    });
  });

  test('another digest, another byte, another certificate', async () => {
    const holder = await issue(root);
    expect(await checked(holder, { cms: { digest: new Uint8Array(32) } })).toMatchObject({
      status: 'failed',
      subIndication: 'HASH_FAILURE',
    });
    expect(await checked(holder, {}, (text) => text.replace('(Rezept)', '(Rezebt)'))).toMatchObject({
      status: 'failed',
      subIndication: 'HASH_FAILURE',
    });
    expect(await checked(holder, { cms: { named: root.certificate } })).toMatchObject({
      status: 'failed',
      subIndication: 'SIG_CRYPTO_FAILURE',
    });
  });

  test('attributes in another order than that of DER, and algorithms that are protected', async () => {
    const holder = await issue(root);
    expect((await checked(holder, { cms: { guarded: 'own' } })).status).toBe('intact');
    expect(await checked(holder, { cms: { guarded: 'other' } })).toMatchObject({
      status: 'failed',
      subIndication: 'FORMAT_FAILURE',
    });
    expect(await checked(holder, { cms: { isUnsorted: true } })).toMatchObject({
      status: 'indeterminate',
      subIndication: 'FORMAT_FAILURE',
    });
  });

  test('the SHA-1 of the file inside the value, as adbe.pkcs7.sha1 has it', async () => {
    const holder = await issue(root);
    for (const hasNoAttributes of [false, true]) {
      const signing = { subFilter: 'adbe.pkcs7.sha1', cms: { hasNoAttributes } };
      const report = await checked(holder, signing);
      expect(report).toMatchObject({ status: 'intact', laterChanges: 'none', anchor: 0 });
      expect(strengthOf(report)).toEqual(['ec:secp256r1', 'sha1']);
      const altered = await checked(holder, signing, (text) => text.replace('(Rezept)', '(Rezepp)'));
      expect(altered).toMatchObject({ status: 'failed', subIndication: 'HASH_FAILURE' });
    }
    const content = { type: '1.2.840.113549.1.7.1', bytes: new Uint8Array(20) };
    const other = await checked(holder, { subFilter: 'adbe.pkcs7.sha1', cms: { content } });
    expect(other).toMatchObject({ status: 'failed', subIndication: 'HASH_FAILURE' });
  });

  test('something else inside the value, whether or not it is the file', async () => {
    const holder = await issue(root);
    for (const bytes of [new Uint8Array(), bytesOf('x')])
      expect(await checked(holder, { cms: { content: { type: '1.2.840.113549.1.7.1', bytes } } })).toMatchObject({
        status: 'failed',
        subIndication: 'FORMAT_FAILURE',
      });
  });

  test('a number with more bytes than it needs', async () => {
    const odd = await issue(root, { serial: tlv(2, Uint8Array.of(0, 1)) });
    expect(await checked(odd)).toMatchObject({ status: 'failed', subIndication: 'FORMAT_FAILURE' });
  });

  test('a certificate that is missing', async () => {
    const holder = await issue(root);
    const report = await checked({ ...holder, certificate: root.certificate }, { cms: { certificates: [] } });
    expect(report).toMatchObject({ status: 'indeterminate', subIndication: 'NO_SIGNING_CERTIFICATE_FOUND' });
  });

  test('seals', async () => {
    const organization = nameOf(['2.5.4.10', 'Praxis GmbH'], ['2.5.4.97', 'NTRDE-1']);
    expect((await checked(await issue(root, { name: organization }))).signatures[0]?.kind).toBe('seal');
    const type = seq(oid('0.4.0.1862.1.6'), seq(oid('0.4.0.1862.1.6.2')));
    const stated = await issue(root, { extensions: [extension('1.3.6.1.5.5.7.1.3', seq(type))] });
    expect((await checked(stated)).signatures[0]?.kind).toBe('seal');
  });
});

describe('time stamps', () => {
  test('of the signature', async () => {
    const holder = await issue(root);
    const report = await checked(holder, { cms: { timestampBy: stamper, at: '2026-01-05T06:07:08Z' } });
    expect(report.signatures[0]).toMatchObject({
      status: 'intact',
      signedAt: '2026-01-05T06:07:08Z',
    });
    const without = await checked(holder, { cms: { timestampBy: await issue(root) } });
    expect(without.signatures[0]).toMatchObject({ status: 'intact', signedAt: '2026-01-02T03:04:05Z' });
    expect(without.signatures[0]?.timestamps[0]).toMatchObject({
      status: 'indeterminate',
      subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
    });
  });

  test('of the document', async () => {
    const first = await signed(update('', BASE), await issue(root), { objects: field() });
    const both = await signed(first, stamper, { num: 60, objects: field(61, 60, [51]), subFilter: 'ETSI.RFC3161' });
    const report = await checkPdf(bytesOf(both));
    expect(report).toMatchObject({ status: 'intact', laterChanges: 'validation_data', anchor: 0 });
    expect(report.signatures.map(({ kind }) => kind)).toEqual(['signature', 'timestamp']);
  });
});

describe('revocation from the file', () => {
  const said = async (holder: Holder, cms: Signing['cms']) => {
    const { signatures, material } = await checked(holder, { cms });
    const issuer = material.certificates.find(({ der }) => isEqual(der, root.certificate));
    const certificate = signatures[0]?.certificate;
    return certificate && issuer && revocationIn(material, certificate, issuer);
  };

  test('OCSP', async () => {
    const holder = await issue(root);
    expect(await said(holder, { ocsps: [await ocsp(root, holder)] })).toMatchObject([
      { source: 'ocsp', status: 'good', thisUpdate: '2026-01-02T00:00:00Z' },
    ]);
    expect(
      await said(holder, { ocsps: [await ocsp(root, holder, { revokedAt: '2025-12-24T00:00:00Z' })] }),
    ).toMatchObject([{ status: 'revoked', revokedAt: '2025-12-24T00:00:00Z', reason: 1 }]);
    expect(await said(holder, { ocsps: [await ocsp(root, holder, { isUnknown: true })] })).toMatchObject([
      { status: 'unknown' },
    ]);
    const responder = await issue(root, { extensions: [forOcsp] });
    expect(await said(holder, { ocsps: [await ocsp(root, holder, { by: responder })] })).toMatchObject([
      { status: 'good' },
    ]);
    const stranger = await issue(await issue(null, { isAuthority: true, name: authority }), { extensions: [forOcsp] });
    for (const by of [stranger, await issue(root)])
      expect(await said(holder, { ocsps: [await ocsp(root, holder, { by })] })).toEqual([]);
    expect(await said(holder, { ocsps: [await ocsp(root, await issue(root))] })).toEqual([]);
  });

  test('CRL', async () => {
    const holder = await issue(root);
    expect(
      await said(holder, { crls: [await crl(root, [{ serial: int(3), at: '2025-01-01T00:00:00Z' }])] }),
    ).toMatchObject([{ source: 'crl', status: 'good' }]);
    expect(
      await said(holder, { crls: [await crl(root, [{ serial: holder.serial, at: '2025-01-01T00:00:00Z' }])] }),
    ).toMatchObject([{ status: 'revoked', revokedAt: '2025-01-01T00:00:00Z', reason: 4 }]);
    const delta = extension('2.5.29.27', Uint8Array.of(2, 1, 1), true);
    const indirect = extension('2.5.29.28', seq(tlv(0x84, Uint8Array.of(255))), true);
    for (const each of [delta, indirect])
      expect(await said(holder, { crls: [await crl(root, [], [each])] })).toEqual([]);
  });
});
