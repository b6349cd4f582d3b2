import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../src/platform/crypto/crypto';
import { checkPdf } from '../../src/signatures/check';
import { judgeBy, reportOf } from '../../src/signatures/trust/judge';
import { readTrustedList } from '../../src/signatures/trust/list';
import { XmlFault } from '../../src/signatures/trust/xml';

const SHARED = process.env.SHARED ?? resolve(import.meta.dirname, '../../../shared');
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(SHARED, name)));

/** Real lists of September 2019; they are not in the repository. */
describe.skipIf(!existsSync(SHARED))('the lists of the EU, FR, ES and NL', () => {
  test('verify from the list of lists on, and a qualified signature ends in a service of ES', async () => {
    const eu = await readTrustedList(bytesOf('trust-lists/EU.xml'), () => true);
    const signersOf = (of: string) =>
      eu.pointers.flatMap(({ territory, signers }) => (territory === of ? signers : []));
    const readList = (of: string, bytes = bytesOf(`trust-lists/${of}.xml`)) =>
      readTrustedList(bytes, (fingerprint) => signersOf(of).includes(fingerprint));
    expect(eu).toMatchObject({ territory: 'EU', sequence: 248 });
    expect((await readList('FR')).services.length).toBeGreaterThan(100);
    expect((await readList('NL')).services.length).toBeGreaterThan(40);
    const { services } = await readList('ES');
    const changed = new TextDecoder()
      .decode(bytesOf('trust-lists/ES.xml'))
      .replace('Svcstatus/withdrawn', 'Svcstatus/granted');
    await expect(readList('ES', utf8(changed))).rejects.toThrow('not of this list');
    await expect(readTrustedList(bytesOf('trust-lists/EU_broken-signature.xml'), () => true)).rejects.toThrow(XmlFault);

    const now = Date.parse('2019-09-10T00:00:00Z');
    const report = await checkPdf(bytesOf('signed-pdfs/dss-DSS-1983.pdf'));
    expect(await reportOf(report, now, judgeBy({ services, knownSince: now, ask: null }))).toMatchObject({
      status: 'passed',
      signatures: [
        { qualification: 'qualified', revocation: 'good' },
        { kind: 'timestamp', status: 'passed' },
      ],
    });
  });
});
