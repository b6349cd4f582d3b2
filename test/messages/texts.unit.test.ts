import { describe, expect, test } from 'vitest';
import { MESSAGE_KINDS, MESSAGE_LANGUAGES } from '../../src/messages/tables';
import { MESSAGE_WORDS, mailtoLink, messageLanguageOf, messageText, smsLink } from '../../src/messages/texts';

const shop = {
  name: 'Laden am Markt',
  street: 'Lindenstraße 80',
  postalCode: '10969',
  city: 'Berlin',
  phone: '030 12345',
  openingHours: 'Mo–Fr 8–18',
};
const facts = { number: '4712', orderedAt: Date.UTC(2026, 10, 20), shop, day: '2026-11-24', trackingUrl: null };
const all = MESSAGE_KINDS.flatMap((kind) => MESSAGE_LANGUAGES.map((language) => ({ kind, language })));

/** What tells of health, by the beginning of its words, in all languages. */
const OF_HEALTH = [
  ...['apothek', 'arznei', 'medikament', 'medizin', 'rezept', 'tablet', 'arzt', 'ärzt', 'krank', 'diagnos', 'dosier'],
  ...['therap', 'allerg', 'pharmac', 'medic', 'prescri', 'drug', 'doctor', 'disease', 'illness', 'dosage', 'health'],
  ...['eczane', 'ilaç', 'ilac', 'reçete', 'hasta', 'hekim', 'doktor', 'sağlık', 'teşhis', 'tedavi'],
  ...['صيدل', 'دواء', 'أدوية', 'وصفة', 'طبيب', 'مرض', 'مريض', 'علاج', 'تشخيص', 'صحة'],
  ...['аптек', 'лекарств', 'препарат', 'рецепт', 'врач', 'болез', 'диагноз', 'лечен', 'таблет', 'здоров'],
  ...['aptek', 'lekars', 'lekarz', 'recept', 'chorob', 'leczen', 'tablet', 'zdrow', 'diagnoz'],
  ...['ліки', 'ліків', 'лікар', 'хвороб', 'діагноз', 'лікуван', 'здоров'],
];
/** Signs that turn the direction, but for a pair that holds a name apart. */
const TURNING = /[\u200e\u200f\u061c\u202a-\u202e\u2066\u2067]/u;

test.each(all)('$kind in $language tells of nothing that has to do with health', ({ kind, language }) => {
  const { subject, text } = messageText(kind, language, facts);
  const said = `${subject} ${text}`.toLowerCase();
  expect(OF_HEALTH.filter((word) => said.includes(word))).toEqual([]);
});

test.each(all)('$kind in $language says the number and the shop, and nothing of what belongs to another kind', (of) => {
  const { subject, text } = messageText(of.kind, of.language, { ...facts, trackingUrl: 'https://track.example/1' });
  for (const part of ['4712', ...Object.values(shop)]) expect(text).toContain(part);
  expect(subject).toContain('4712');
  expect(text.includes('24')).toBe(of.kind === 'later');
  expect(text.includes('https://track.example/1')).toBe(of.kind === 'shipped');
});

test.each(all)('$kind in $language without a number names the day', ({ kind, language }) => {
  const { text } = messageText(kind, language, { ...facts, number: null });
  expect(text).not.toContain('4712');
  expect(text).toContain(language === 'en' ? 'November 20, 2026' : '20.11.2026');
});

test('no two languages say the same, and each kind says something of its own', () => {
  expect(new Set(all.map(({ kind, language }) => messageText(kind, language, facts).text)).size).toBe(all.length);
  expect(Object.keys(MESSAGE_WORDS)).toEqual([...MESSAGE_LANGUAGES]);
});

describe('what a shop says about itself', () => {
  test('neither breaks a line nor turns the direction of what follows', () => {
    const name = 'Laden\r\nBcc: x@example.com\u202eedrev';
    for (const { kind, language } of all) {
      const { text } = messageText(kind, language, { ...facts, shop: { ...shop, name } });
      expect(text).not.toMatch(TURNING);
      expect(text.split('\n').length).toBe(messageText(kind, language, facts).text.split('\n').length);
    }
  });

  test('stands apart from a text that runs from right to left', () => {
    expect(messageText('ready', 'ar', facts).text).toContain('\u2068Laden am Markt\u2069');
    expect(messageText('ready', 'ru', facts).text).not.toMatch(/[\u2068\u2069]/);
  });
});

test.each([
  [{ language: 'tr' }, 'tr'],
  [{ locale: 'ar_EG' }, 'ar'],
  [{ preferred_language: 'UK' }, 'uk'],
  [{ language: 'fr' }, 'de'],
  [{ note: 'en' }, 'de'],
  [null, 'de'],
])('%j is answered in %s', (details, language) => {
  expect(messageLanguageOf(details)).toBe(language);
});

test('a link to e-mail holds whatever stands in address and text (RFC 6068)', () => {
  const message = { subject: 'Größe & = ?', text: 'Zeile 1\nسطر\ud800' };
  const url = new URL(mailtoLink('a&b?x%40@example.com', message));
  expect(url.pathname).toBe('a%26b%3Fx%2540@example.com');
  expect(url.searchParams.get('subject')).toBe('Größe & = ?');
  expect(url.searchParams.get('body')).toBe('Zeile 1\r\nسطر\ufffd');
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body']);
});

test.each([
  ['+49 (30) 123-45', 'sms:+493012345?body=a%0D%0Ab'],
  ['+49 (0)30 123-45', 'sms:+493012345?body=a%0D%0Ab'],
  ['(0)30 12345', 'sms:03012345?body=a%0D%0Ab'],
  ['0049 30 12345', 'sms:+493012345?body=a%0D%0Ab'],
  ['030/12345\u202e', 'sms:03012345?body=a%0D%0Ab'],
  ['klingeln', null],
])('a text message to %s', (phone, link) => {
  expect(smsLink(phone, 'a\nb')).toBe(link);
});
