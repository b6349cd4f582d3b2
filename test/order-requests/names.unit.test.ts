import { expect, test } from 'vitest';
import { isNameMismatch } from '../../src/order-requests/names/differences';
import { hostileNames } from '../support/hostile-names';

test.each([
  ['the same', 'Ibuprofen 400 mg Filmtabletten, 20 St', 'Ibuprofen 400 mg Filmtabletten, 20 St'],
  ['a manufacturer between', 'Ibuprofen 400 mg', 'Ibuprofen AL 400 mg Filmtabletten'],
  ['a manufacturer joined', 'Ibuprofen 400 mg', 'Ibuprofen-ratiopharm 400 mg Filmtabletten'],
  ['no strength sent', 'Ibuprofen', 'Ibuprofen 400 mg Filmtabletten, 20 St'],
  ['no strength held', 'Ibuprofen 400 mg', 'Ibuprofen Tabletten'],
  ['a strength without its unit', 'Ibuprofen 400', 'Ibuprofen 400 mg, 20 St'],
  ['a pack size alone', 'Ibuprofen 20 St', 'Ibuprofen 400 mg Filmtabletten, 50 St'],
  ['other packs', 'Ibuprofen 400 mg, 20 St', 'Ibuprofen 400 mg, 2 x 50 Stück'],
  ['no space', 'Ibuprofen 400mg', 'Ibuprofen 400 mg'],
  ['a no-break space', 'Ibuprofen 400\u00a0mg', 'IBUPROFEN 400 mg'],
  ['another order', 'Gel Diclofenac 10 mg/g', 'Diclofenac 10 mg/g Gel, 60 g'],
  ['umlauts written out', 'Acetylsalicylsaeure 500 mg', 'Acetylsalicylsäure 500 mg Tabletten'],
  ['umlauts in two code points', 'Acetylsalicylsa\u0308ure 500 mg', 'Acetylsalicylsäure 500 mg Tabletten'],
  ['a thousand with a point', 'Metformin 1.000 mg', 'Metformin 1000 mg Filmtabletten'],
  ['a thousand with a comma', 'Vitamin D3 1,000 IU', 'Vitamin D3 1000 I.E. Tabletten, 60 St'],
  ['a thousand with a space', 'Vitamin D3 20 000 IE', 'Vitamin D3 20.000 I.E.'],
  ['millions of units', 'Penicillin V 1,5 Mio. I.E.', 'Penicillin V 1500000 IE Filmtabletten'],
  ['grams and milligrams', 'Metamizol 0,5 g', 'Metamizol 500 mg Tabletten'],
  ['a whole gram', 'Paracetamol 1 g', 'Paracetamol 1000 mg Zäpfchen, 10 St'],
  ['decimals in English', 'Ramipril 2.5 mg', 'Ramipril 2,5 mg Tabletten'],
  ['three decimals', 'Digitoxin 0,075 mg', 'Digitoxin 75 µg Tabletten'],
  ['micrograms in four ways', 'Levothyroxin 50 mcg', 'Levothyroxin 50 µg Tabletten'],
  ['the Greek letter', 'Levothyroxin 50 \u03bcg', 'Levothyroxin 50 \u00b5g Tabletten'],
  ['the word', 'Levothyroxin 50 Mikrogramm', 'Levothyroxin 50 ug Tabletten'],
  ['a dose of a spray', 'Salbutamol 100 µg/Hub', 'Salbutamol 0,1 mg Dosieraerosol, 1 St'],
  ['per cent', 'Xylometazolin 0.1%', 'Xylometazolin 0,1 % Nasenspray, 10 ml'],
  ['per cent and mg in each ml', 'Ibuprofen Saft 4 %', 'Ibuprofen 40 mg/ml Saft, 100 ml'],
  ['mg in 5 ml', 'Ambroxol 3 mg/ml', 'Ambroxol 15 mg/5 ml Saft, 100 ml'],
  ['millilitres are no strength', 'Xylometazolin 10 ml', 'Xylometazolin 0,1 % Nasenspray, 15 ml'],
  ['the weight of a tube is no strength', 'Dexpanthenol Salbe 20 g', 'Dexpanthenol 5 % Salbe, 100 g'],
  ['nor that of a small one', 'Aciclovir Creme 2 g', 'Aciclovir 5 % Creme, 2 g'],
  ['two strengths in two ways', 'Amoxi-Clavulan 875/125 mg', 'Amoxi Clavulan 875 mg/125 mg'],
  ['a second measure beside', 'Vitamin D3 1000 I.E.', 'Vitamin D 1000 I.E. (25 µg)'],
  ['cannabis by its contents', 'Cannabis Aurora 18/1', 'Cannabisblüten Aurora 18/1, 5 g'],
  ['cannabis by per cents', 'Aurora THC 18 % CBD 1 %', 'Cannabisblüten Aurora 18/1, 5 g'],
  ['the same name too short to share a word', 'ASS', 'ass'],
  ['a word of four letters', 'Zinn 5 mg Kapseln', 'Zinn 5 mg'],
  ['one word of two', 'Ibuprofen Lysinat 400 mg', 'Ibuprofen 400 mg'],
  ['ß written out', 'Weißdorn Tropfen', 'Weissdorn'],
  ['a number joined to the name', 'Ibuprofen400', 'Ibuprofen 400 mg'],
  ['five grams are a tube', 'Aciclovir Creme 5 g', 'Aciclovir 500 mg Creme'],
  ['two grams in words are a tube', 'Aciclovir Creme 2 Gramm', 'Aciclovir 5 % Creme'],
  ['two small tubes of one strength', 'Aciclovir 5 % Creme, 2 g', 'Aciclovir 5 % Creme, 4 g'],
  ['a small tube beside a bare number', 'Aciclovir 50', 'Aciclovir Creme 2 g'],
  ['bare numbers on both sides', 'Ibuprofen 400', 'Ibuprofen 600'],
  ['a bare strength and a bare count', 'Ibuprofen 400 20', 'Ibuprofen 400 mg'],
  ['two sizes of a pack', 'Kamille 20 St, 50 ml', 'Kamille 10 mg'],
  ['a ratio that is not of cannabis', 'Ramipril comp 20/5', 'Ramipril comp 10/5'],
  ['milligrams in words', 'Ibuprofen 400 Milligramm', 'Ibuprofen 400 mg'],
  ['grams in each ml', 'Metamizol 0,5 g/ml', 'Metamizol 500 mg/ml'],
  ['grams in words in each ml', 'Metamizol 0,5 Gramm/ml', 'Metamizol 500 mg/ml'],
  ['grams in each litre', 'Povidon 5 g/l', 'Povidon 5 mg/ml'],
  ['micrograms in each ml', 'Salbutamol 100 µg/ml', 'Salbutamol 0,1 mg/ml'],
  ['units in 5 ml', 'Heparin 25000 I.E./5 ml', 'Heparin 5000 I.E./ml'],
  ['per cent in words', 'Xylometazolin 0,1 Prozent', 'Xylometazolin 0,1 %'],
  ['millimoles', 'Kalium 40 mmol Brausetabletten', 'Kalium 40 mmol'],
  ['a brand', 'Aspirin', 'ASS 100'],
  ['an abbreviation', 'ASS 500', 'ASS Kautabletten'],
  ['a difference in the seventh digit', 'Heparin 1234567 IE', 'Heparin 1234568 IE'],
])('%s: "%s" fits "%s"', (_, submitted, product) => {
  expect(isNameMismatch(submitted, product)).toBe(false);
  expect(isNameMismatch(product, submitted)).toBe(false);
});

test.each([
  ['another medicine', 'Ibuprofen 400 mg', 'Cetirizin 10 mg'],
  ['another medicine of the same strength', 'Ibuprofen 400 mg', 'Magnesium 400 mg Kapseln'],
  ['another strength', 'Ibuprofen 400 mg', 'Ibuprofen 600 mg'],
  ['another strength without its unit', 'Ibuprofen 400', 'Ibuprofen 600 mg Filmtabletten, 20 St'],
  ['ten times', 'Ramipril 2,5 mg', 'Ramipril 25 mg Tabletten'],
  ['a thousand times', 'Levothyroxin 50 mg', 'Levothyroxin 50 µg Tabletten'],
  ['a decimal, not a thousand', 'Digitoxin 0,075 mg', 'Digitoxin 75 mg'],
  ['units', 'Vitamin D3 1000 I.E.', 'Vitamin D3 20.000 I.E.'],
  ['per cent', 'Xylometazolin 0,05 %', 'Xylometazolin 0,1 % Nasenspray, 10 ml'],
  ['a tablet for drops', 'Novaminsulfon 500 mg', 'Novaminsulfon 500 mg/ml Tropfen'],
  ['one substance for a combination', 'Ramipril 5 mg', 'Ramipril comp 5 mg/25 mg'],
  ['the dosage form alone is shared', 'Paracetamol Filmtabletten', 'Ibuprofen Filmtabletten'],
  ['the manufacturer alone is shared', 'Paracetamol-ratiopharm', 'Ibuprofen-ratiopharm'],
  ['another vitamin', 'Vitamin B12 Tabletten', 'Vitamin D3 Tabletten'],
  ['another cannabis of the same contents', 'Cannabisblüten Aurora 18/1', 'Cannabisblüten Bergtal 18/1, 5 g'],
  ['the same cannabis with other contents', 'Cannabis Aurora 22/1', 'Cannabisblüten Aurora 18/1, 5 g'],
  ['half a gram', 'Metamizol 0,5 g', 'Metamizol 1000 mg'],
  ['three letters alone are shared', 'XYZ 500', 'XYZ Kautabletten'],
  ['a number that is only the pack’s', 'Simvastatin 20', 'Simvastatin 40 mg, 20 St'],
  ['another salt', 'Metoprololsuccinat 95 mg', 'Metoprololtartrat 95 mg'],
  ['the salt alone is shared', 'Levothyroxin-Natrium', 'Diclofenac-Natrium'],
  ['four grams are a strength', 'Aciclovir Pulver 4 g', 'Aciclovir 500 mg'],
  ['a second measure alone differs', 'Vitamin D3 1000 I.E. (25 µg)', 'Vitamin D3 1000 I.E. (50 µg)'],
  ['one of two amounts differs', 'Ramipril comp 5 mg/25 mg', 'Ramipril comp 5 mg/12,5 mg'],
  ['an amount over two spaces', 'Ambroxol 15  mg/5 ml', 'Ambroxol 15 mg Tabletten'],
  ['other millimoles', 'Kalium 40 mmol', 'Kalium 20 mmol'],
  ['millimoles for units', 'Kalium 40 mmol', 'Kalium 40 I.E.'],
  ['millimoles for millions of units', 'Kalium 40 mmol', 'Kalium 40 Mio. I.E.'],
  ['units for units in each ml', 'Heparin 5000 I.E.', 'Heparin 5000 I.E./ml'],
  ['other units in each ml', 'Heparin 5000 I.E./ml', 'Heparin 2500 I.E./ml'],
  ['another B vitamin', 'Vitamin B12', 'Vitamin B6'],
])('%s: "%s" does not fit "%s"', (_, submitted, product) => {
  expect(isNameMismatch(submitted, product)).toBe(true);
  expect(isNameMismatch(product, submitted)).toBe(true);
});

test('names as long as names may be are compared in a moment, whatever stands in them', () => {
  // What is exponential fails with the shorter names, instead of hanging with the longer ones.
  for (const characters of [60, 90, 200]) {
    for (const name of hostileNames(characters)) {
      const begin = process.cpuUsage();
      for (let line = 0; line < 10; line += 1) isNameMismatch(name, `${name.slice(1)} 400 mg`);
      // Of the processor, which a busy machine gives to others.
      expect([name, Math.max(2e6, process.cpuUsage(begin).user)]).toEqual([name, 2e6]);
    }
  }
});

test('names that differ in capitals alone are the same, even if they name nothing', () => {
  expect(isNameMismatch('12 St', '12 ST')).toBe(false);
  expect(isNameMismatch('12 St', '13 ST')).toBe(true);
});
