import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { toHex, utf8 } from '../../src/platform/crypto/crypto';
import { type Bytes, joined } from '../../src/signatures/bytes';
import { checkPdf } from '../../src/signatures/check';
import type { SignatureReportRow } from '../../src/signatures/result';
import { judgeBy, reportOf } from '../../src/signatures/trust/judge';
import { askRevocation } from '../../src/signatures/trust/keep';
import { readTrustedList } from '../../src/signatures/trust/list';
import {
  crl,
  ctx,
  extension,
  forTimestamps,
  type Holder,
  issue,
  nameOf,
  ocsp,
  oid,
  seq,
  tlv,
  type Wanted,
} from './authority';
import { BASE, bytesOf, field, type Signing, signed, update } from './pdfs';
import {
  criteria,
  type ListedService,
  type ListedState,
  policies,
  qualified,
  trustedList,
  usage,
  use,
} from './trust-lists';

let root: Holder;
let stamper: Holder;

const authority = nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', 'Test CA']);
const statement = (...parts: Bytes[]) => seq(...parts);
const QUALIFIED = statement(oid('0.4.0.1862.1.1'));
const DEVICE = statement(oid('0.4.0.1862.1.4'));
const typed = (type: number) => statement(oid('0.4.0.1862.1.6'), seq(oid(`0.4.0.1862.1.6.${type}`)));
const statements = (...all: Bytes[]) => extension('1.3.6.1.5.5.7.1.3', seq(...all));
const policy = (id: string) => extension('2.5.29.32', seq(seq(oid(id))));
const nonRepudiation = extension('2.5.29.15', tlv(3, Uint8Array.of(6, 0x40)), true);
const QES = [statements(QUALIFIED, DEVICE), nonRepudiation];
const SIGNED_AT = '2026-01-02T03:04:05Z';

beforeAll(async () => {
  root = await issue(null, { name: authority, isAuthority: true, from: '2017-01-01T00:00:00Z' });
  stamper = await issue(root, { extensions: [forTimestamps] });
});
afterEach(() => vi.restoreAllMocks());

interface Case {
  extensions?: Bytes[];
  certificate?: Wanted;
  states?: ListedState[];
  services?: (root: Holder) => ListedService[];
  cms?: Signing['cms'];
  isStamped?: boolean;
  knownSince?: string;
  /** null: none. */
  ocsps?: ((holder: Holder) => Promise<Bytes>)[] | null;
  crls?: (holder: Holder) => Promise<Bytes[]>;
  asks?: boolean;
}

async function judged(of: Case = {}): Promise<SignatureReportRow> {
  const holder = await issue(root, { extensions: of.extensions ?? QES, ...of.certificate });
  const ocsps =
    of.ocsps === null
      ? []
      : await Promise.all((of.ocsps ?? [(about) => ocsp(root, about)]).map((make) => make(holder)));
  const crls = (await of.crls?.(holder)) ?? [];
  const cms = {
    certificates: [root.certificate],
    ocsps,
    crls,
    ...(of.isStamped && { timestampBy: stamper }),
    ...of.cms,
  };
  const pdf = await signed(update('', BASE), holder, { objects: field(), cms });
  const listed = of.services?.(root) ?? [
    { holder: root, states: of.states },
    { holder: stamper, kind: 'TSA/QTST' as const },
  ];
  const { services } = await readTrustedList(await trustedList(root, { services: listed }), () => true);
  const knownSince = Date.parse(of.knownSince ?? '2026-01-03T00:00:00Z');
  const judge = judgeBy({ services, knownSince, ask: of.asks ? askRevocation : null });
  return reportOf(await checkPdf(bytesOf(pdf)), knownSince, judge);
}

const revoked = (revokedAt: string, more = {}) => [(about: Holder) => ocsp(root, about, { revokedAt, ...more })];
const OUT = 'OUT_OF_BOUNDS_NOT_REVOKED';
const stampRevoked = (revokedAt: string): Case => ({
  ...{ certificate: { to: '2026-01-02T12:00:00Z' }, isStamped: true },
  services: (holder) => [{ holder }, { holder, kind: 'TSA/QTST' }],
  ocsps: [(about) => ocsp(root, about), () => ocsp(root, stamper, { revokedAt })],
});
const WITHDRAWN = (at: string): ListedState[] => [{ status: 'withdrawn', from: at }, {}];
const POLICY = '1.2.276.0.1';
const withPolicy = [statements(QUALIFIED), policy(POLICY), nonRepudiation];
const byList = (name: string, when: string, more = ''): ListedState[] => [{ extensions: qualified(name, when) + more }];
const met = criteria('all', policies(POLICY), usage('nonRepudiation', true));

describe('qualification', () => {
  const cases: [string, Case, string][] = [
    ['a certificate with a device', {}, 'qualified'],
    ['one that says for signatures', { extensions: [statements(QUALIFIED, DEVICE, typed(1))] }, 'qualified'],
    ['one without a device', { extensions: [statements(QUALIFIED)] }, 'qualified_certificate'],
    ['one that is not qualified', { extensions: [] }, 'advanced'],
    ['one for websites', { extensions: [statements(QUALIFIED, DEVICE, typed(3))] }, 'advanced'],
    ['a seal', { extensions: [statements(QUALIFIED, DEVICE, typed(2))] }, 'seal'],
    ['a device by the list', { extensions: withPolicy, states: byList('QCWithQSCD', met) }, 'qualified'],
    [
      'a device by the list for other policies',
      { extensions: withPolicy, states: byList('QCWithQSCD', criteria('all', policies('1.2.3'))) },
      'qualified_certificate',
    ],
    [
      'no device by the list',
      { states: byList('QCNoQSCD', criteria('atLeastOne', usage('nonRepudiation', true))) },
      'qualified_certificate',
    ],
    [
      'as in the certificate',
      { states: byList('QCQSCDStatusAsInCert', criteria('none', policies('1.2.3'))) },
      'qualified',
    ],
    ['not qualified by the list', { states: byList('NotQualified', criteria('none', policies('1.2.3'))) }, 'advanced'],
    [
      'qualified by the list alone',
      { extensions: withPolicy.slice(1), states: byList('QCStatement', met) },
      'qualified_certificate',
    ],
    ['for seals by the list', { extensions: withPolicy, states: byList('QCForESeal', met) }, 'advanced'],
    [
      'nested criteria',
      { extensions: withPolicy, states: byList('QCWithQSCD', criteria('all', criteria('none', policies('1.2.3')))) },
      'qualified',
    ],
    [
      'criteria that are not known',
      { states: byList('NotQualified', criteria('all', '<q:New></q:New>')) },
      'qualified',
    ],
    ['a service for seals alone', { states: [{ extensions: use('ForeSeals') }] }, 'advanced'],
    ['a service for both', { states: [{ extensions: use('ForeSeals') + use('ForeSignatures') }] }, 'qualified'],
    ['an issuer withdrawn before', { states: WITHDRAWN('2025-12-01T00:00:00Z') }, 'advanced'],
    ['an issuer withdrawn since', { states: WITHDRAWN('2026-01-02T12:00:00Z'), isStamped: true }, 'qualified'],
    [
      'an issuer withdrawn since, without a proof of the time',
      { states: WITHDRAWN('2026-01-02T12:00:00Z') },
      'advanced',
    ],
    ['an issuer granted after it had issued', { states: [{ from: '2025-01-01T00:00:00Z' }] }, 'advanced'],
  ];
  test.each(cases)('%s', async (_, of, qualification) => {
    const row = await judged(of);
    expect(row.signatures[0]).toMatchObject({ qualification, revocation: 'good' });
    const isQualified = qualification === 'qualified';
    expect(row).toMatchObject({
      status: isQualified ? 'passed' : 'indeterminate',
      subIndication: isQualified ? null : 'CHAIN_CONSTRAINTS_FAILURE',
    });
  });

  test('an issuer on no list', async () => {
    const row = await judged({ services: () => [] });
    expect(row).toMatchObject({ status: 'indeterminate', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' });
    expect(row.signatures[0]).toMatchObject({ qualification: 'not_listed', revocation: 'not_checked' });
  });
});

describe('time and revocation', () => {
  const cases: [string, Case, string | null, string][] = [
    ['good', {}, null, 'good'],
    ['good by a CRL', { ocsps: null, crls: async () => [await crl(root, [])] }, null, 'good'],
    [
      'revoked by a CRL',
      { ocsps: null, crls: async ({ serial }) => [await crl(root, [{ serial, at: '2026-01-01T00:00:00Z' }])] },
      'REVOKED_NO_POE',
      'revoked',
    ],
    ['revoked before', { ocsps: revoked('2026-01-01T00:00:00Z') }, 'REVOKED_NO_POE', 'revoked'],
    [
      'revoked since, without a proof of the time',
      { ocsps: revoked('2026-01-02T12:00:00Z') },
      'REVOKED_NO_POE',
      'revoked',
    ],
    ['revoked since', { ocsps: revoked('2026-01-02T12:00:00Z'), isStamped: true }, null, 'good'],
    ['an answer of before, no longer in force', { knownSince: '2026-01-10T00:00:00Z' }, 'TRY_LATER', 'not_checked'],
    ['that answer with a proof of the time', { knownSince: '2026-01-10T00:00:00Z', isStamped: true }, null, 'good'],
    ['no answer', { ocsps: null }, 'TRY_LATER', 'not_checked'],
    [
      'an unknown certificate',
      { ocsps: [(about) => ocsp(root, about, { isUnknown: true })] },
      'TRY_LATER',
      'not_checked',
    ],
    [
      'an answer of somebody else',
      { ocsps: [async (about) => ocsp(await issue(null, { name: authority, isAuthority: true }), about)] },
      'TRY_LATER',
      'not_checked',
    ],
    [
      'short-term',
      { ocsps: null, extensions: [...QES, extension('0.4.0.194121.2.1', tlv(5))] },
      null,
      'not_applicable',
    ],
    [
      'without revocation',
      { ocsps: null, extensions: [...QES, extension('2.5.29.56', tlv(5))] },
      null,
      'not_applicable',
    ],
    ['expired before', { certificate: { to: '2026-01-01T00:00:00Z' } }, 'OUT_OF_BOUNDS_NOT_REVOKED', 'good'],
    [
      'expired before, without an answer',
      { certificate: { to: '2026-01-01T00:00:00Z' }, ocsps: null },
      'OUT_OF_BOUNDS_NO_POE',
      'not_checked',
    ],
    ['expired since, by a time stamp', { certificate: { to: '2026-01-02T12:00:00Z' }, isStamped: true }, null, 'good'],
    ['expired since, by its storage', { certificate: { to: '2026-01-03T12:00:00Z' } }, null, 'good'],
    ['not yet valid', { certificate: { from: '2026-02-01T00:00:00Z' } }, 'NOT_YET_VALID', 'good'],
    [
      'a time stamp of an authority on no list',
      { certificate: { to: '2026-01-02T12:00:00Z' }, isStamped: true, services: (holder) => [{ holder }] },
      'OUT_OF_BOUNDS_NOT_REVOKED',
      'good',
    ],
    ['a time stamp whose certificate was revoked before', stampRevoked('2026-01-02T13:00:00Z'), OUT, 'good'],
    ['a time stamp whose certificate was revoked since', stampRevoked('2026-01-04T00:00:00Z'), null, 'good'],
  ];
  test.each(cases)('%s', async (_, of, subIndication, revocation) => {
    const row = await judged(of);
    expect(row.signatures[0]).toMatchObject({ revocation, qualification: 'qualified' });
    expect(row).toMatchObject({ status: subIndication ? 'indeterminate' : 'passed', subIndication });
  });

  test('the authority between was revoked', async () => {
    const between = await issue(root, { isAuthority: true, from: '2018-01-01T00:00:00Z' });
    const holder = await issue(between, { extensions: QES });
    const cms = {
      certificates: [between.certificate],
      ocsps: [await ocsp(between, holder), await ocsp(root, between, { revokedAt: '2026-01-01T00:00:00Z' })],
    };
    const pdf = await signed(update('', BASE), holder, { objects: field(), cms });
    const { services } = await readTrustedList(await trustedList(root, { services: [{ holder: root }] }), () => true);
    const knownSince = Date.parse('2026-01-03T00:00:00Z');
    const row = await reportOf(await checkPdf(bytesOf(pdf)), knownSince, judgeBy({ services, knownSince, ask: null }));
    expect(row).toMatchObject({ subIndication: 'REVOKED_CA_NO_POE', signatures: [{ qualification: 'qualified' }] });
  });

  test('a time stamp of the document proves the time of the signatures before it', async () => {
    const holder = await issue(root, { extensions: QES, to: '2026-02-03T00:00:00Z' });
    const cms = {
      ocsps: [await ocsp(root, holder, { thisUpdate: '2026-02-02T00:00:00Z', nextUpdate: '2026-02-04T00:00:00Z' })],
    };
    const first = await signed(update('', BASE), holder, { objects: field(), cms });
    const pdf = await signed(first, stamper, { objects: field(53, 52, [51]), num: 52, subFilter: 'ETSI.RFC3161' });
    const listed = [{ holder: root }, { holder: stamper, kind: 'TSA/QTST' as const }];
    const { services } = await readTrustedList(await trustedList(root, { services: listed }), () => true);
    const knownSince = Date.parse('2026-06-01T00:00:00Z');
    const row = await reportOf(await checkPdf(bytesOf(pdf)), knownSince, judgeBy({ services, knownSince, ask: null }));
    expect(row).toMatchObject({
      status: 'passed',
      anchor: 0,
      laterChanges: 'validation_data',
      signatures: [{}, { status: 'passed' }],
    });
  });
});

describe('asking the addresses of a certificate', () => {
  const uri = (text: string) => tlv(0x86, utf8(text));
  const responder = (text: string) => extension('1.3.6.1.5.5.7.1.1', seq(seq(oid('1.3.6.1.5.5.7.48.1'), uri(text))));
  const point = (text: string) => extension('2.5.29.31', seq(seq(ctx(0, ctx(0, uri(text))))));
  const answers = (of: (url: string) => Bytes | null) =>
    vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(
        async (url) => new Response((of(String(url)) ?? null) as BodyInit, { status: of(String(url)) ? 200 : 404 }),
      );

  test('takes an OCSP response over HTTP, asked for by the number of the certificate', async () => {
    let holder: Holder | undefined;
    const asked = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response((await ocsp(root, holder as Holder)) as BodyInit));
    const row = await judged({
      extensions: [...QES, responder('http://ocsp.example.com/')],
      asks: true,
      ocsps: null,
      crls: async (about) => {
        holder = about;
        return [];
      },
    });
    expect(row).toMatchObject({ status: 'passed', signatures: [{ revocation: 'good' }] });
    const [, init] = asked.mock.calls[0] ?? [];
    expect(init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/ocsp-request' },
    });
    expect(toHex((init?.body ?? tlv(0)) as Bytes)).toContain(toHex(holder?.serial ?? tlv(0)));
  });

  test('takes a CRL where the responder does not answer', async () => {
    const list = await crl(root, []);
    answers((url) => (url.startsWith('http://crl.') ? list : null));
    const extensions = [...QES, responder('http://ocsp.example.com/'), point('http://crl.example.com/')];
    expect(await judged({ extensions, asks: true, ocsps: null })).toMatchObject({ status: 'passed' });
  });

  test.each([
    'http://127.0.0.1/',
    'http://192.168.1.1/',
    'http://responder.internal/',
    'http://ocsp.example.com:8080/',
    'ldap://ocsp.example.com/',
  ])('does not call %s', async (url) => {
    const asked = answers(() => null);
    const row = await judged({ extensions: [...QES, responder(url), point(url)], asks: true, ocsps: null });
    expect(row.subIndication).toBe('TRY_LATER');
    expect(asked).not.toHaveBeenCalled();
  });

  test('leaves an answer of more than 100 KiB, and asks nobody about a certificate that is on no list', async () => {
    const extensions = [...QES, responder('http://ocsp.example.com/')];
    const asked = answers(() => joined([new Uint8Array(101 * 1024)]));
    expect((await judged({ extensions, asks: true, ocsps: null })).subIndication).toBe('TRY_LATER');
    asked.mockClear();
    await judged({ extensions, asks: true, ocsps: null, services: () => [] });
    expect(asked).not.toHaveBeenCalled();
  });
});

test('the profession of an admission is told, by its OID or its text, and a pseudonym is marked', async () => {
  const admission = (said: Bytes) => extension('1.3.36.8.3.3', seq(seq(seq(seq(seq(said))))));
  const name = nameOf(['2.5.4.6', 'DE'], ['2.5.4.65', 'Dr. X'], ['2.5.4.3', 'Dr. X:PN']);
  const told = async (...extensions: Bytes[]) =>
    (await judged({ extensions: [...QES, ...extensions], certificate: { name } })).signatures[0];
  const isDoctor = { profession: 'Ärztin/Arzt', signer: 'Dr. X (Pseudonym)' };
  expect(await told(admission(oid('1.2.276.0.76.4.30')))).toMatchObject(isDoctor);
  expect(await told(admission(tlv(0x0c, utf8('Ärztin'))))).toMatchObject(isDoctor);
  expect(await told(admission(tlv(0x0c, utf8('Tierarzt'))))).toMatchObject({ profession: null });
  expect(await told()).toMatchObject({ profession: null });
});

test('the time of a stamp is told', async () => {
  const row = await judged({ isStamped: true });
  expect(row.signatures[0]?.signedAt).toBe(SIGNED_AT);
});
