import { beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '../../src/platform/crypto/crypto';
import { readTrustedList, type TrustedList } from '../../src/signatures/trust/list';
import { readXml, XmlFault } from '../../src/signatures/trust/xml';
import { type Holder, issue, type KeyKind } from './authority';
import { fingerprintOf, listXml, signedXml, trustedList } from './trust-lists';

let signer: Holder;
let text: string;
const read = async (xml: string, by = signer): Promise<TrustedList> => {
  const trusted = await fingerprintOf(by);
  return readTrustedList(utf8(xml), (fingerprint) => fingerprint === trusted);
};

beforeAll(async () => {
  signer = await issue(null);
  text = await signedXml(listXml({ services: [{ holder: signer }] }), signer);
});

test.each<KeyKind>(['p256', 'p384', 'p521', 'bp256', 'rsa', 'pss'])('reads a list signed with %s', async (key) => {
  const by = await issue(null, { key });
  const bytes = await trustedList(by, { version: 6, services: [{ holder: by }] });
  const list = await read(new TextDecoder().decode(bytes), by);
  expect(list).toMatchObject({ territory: 'DE', sequence: 1, services: [{ kind: 'CA' }] });
});

test('reads the same list written in another way', async () => {
  const same = text
    .replace('<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" Id="list">', (start) =>
      start.replace(/( xmlns="[^"]+")( Id="list")/, "\r\n\t$2$1 xmlns:unused='urn:x'"),
    )
    .replace('<ServiceHistory></ServiceHistory>', '<ServiceHistory/>')
    .replace('<SchemeTerritory>DE<', '<SchemeTerritory><!-- a country --><![CDATA[D]]>&#x45;<');
  expect(same).not.toBe(text);
  expect(await read(`<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- a list -->${same}\n`)).toMatchObject({
    territory: 'DE',
  });
  expect(await read(await signedXml(listXml(), signer, { uri: '#list' }))).toMatchObject({ territory: 'DE' });
});

describe('refuses', () => {
  const altered: Record<string, (xml: string) => string | Promise<string>> = {
    'a changed text': (xml) => xml.replace('/granted<', '/withdrawn<'),
    'a changed attribute': (xml) => xml.replace('Id="list"', 'Id="list2"'),
    'an element that was added': (xml) => xml.replace('<TSPService>', '<TSPService/><TSPService>'),
    'an instruction that was added': (xml) => `${xml}<?later x?>`,
    'changed signed properties': (xml) => xml.replace('Id="p"></x:', 'Id="p">x</x:'),
    'a changed signature': (xml) =>
      xml.replace(/SignatureValue>./, (found) => `SignatureValue>${found.endsWith('A') ? 'B' : 'A'}`),
    'no signature': () => listXml(),
    'a second signature': (xml) => signedXml(xml, signer),
    'another version': () => signedXml(listXml({ version: 4 }), signer),
    'another document': () => signedXml('<Other></Other>', signer),
    // Wrapping: the signed list goes along in a place where nobody reads it.
    'a signed list inside another': (xml) =>
      listXml({ sequence: 9 }).replace('</TrustServiceStatusList>', `<Object>${xml}</Object></TrustServiceStatusList>`),
    'the signature of a list that it holds': async () => {
      const signed = await signedXml(listXml(), signer, { uri: '#list' });
      const signature = signed.slice(signed.indexOf('<ds:Signature'), signed.indexOf('</TrustServiceStatusList>'));
      const evil = listXml({ sequence: 9 }).replace('Id="list"', 'Id="evil"');
      const holding = signature.replace('<ds:Object>', `<ds:Object>${listXml()}</ds:Object><ds:Object>`);
      return evil.replace('</TrustServiceStatusList>', `${holding}</TrustServiceStatusList>`);
    },
    'two elements with the signed Id': async () => {
      const signed = await signedXml(listXml(), signer, { uri: '#list' });
      return signed.replace('<ds:Object>', '<ds:Object Id="list">');
    },
  };
  test.each(Object.entries(altered))('%s', async (_, alter) => {
    await expect(read(await alter(text))).rejects.toThrow(XmlFault);
  });

  test('the signature of a certificate that is not trusted', async () => {
    await expect(read(text, await issue(null))).rejects.toThrow('No certificate');
  });
});

describe('XML that is refused', () => {
  const deep = '<a>'.repeat(100) + '</a>'.repeat(100);
  test.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['a DOCTYPE inside', '<a><!DOCTYPE a></a>'],
    ['an entity', '<a>&b;</a>'],
    ['a character that XML forbids', '<a>&#0;</a>'],
    ['an attribute said twice', '<a b="1" b="2"/>'],
    ['a prefix that is not declared', '<a b:c="1"/>'],
    ['elements that cross', '<a><b></a></b>'],
    ['an element without an end', '<a><b>'],
    ['two elements', '<a/><b/>'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ['nesting', deep],
    ['too many elements', `<a>${'<b/>'.repeat(400_000)}</a>`],
    ['nothing', ''],
  ])('%s', (_, xml) => {
    expect(() => readXml(utf8(xml))).toThrow(XmlFault);
  });
});
