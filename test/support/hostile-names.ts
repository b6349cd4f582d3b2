/** What a hostile name repeats: each would make a careless reader try every way to divide it. */
const PIECES = [
  '1.000/',
  '1',
  '1 ',
  '1.',
  '1/',
  "1'000",
  '1 x ',
  '1x',
  'mio ',
  '1 mio ',
  '1 i.',
  'mg/',
  '1 mg/1 ',
  '000 ',
  '(',
  '((1 mg) ',
  'a1',
  '22/1 thc ',
  'vitamin ',
  '1 e/',
  '\ufdfa',
];

/** One name for each piece, all as long as asked. */
export function hostileNames(length: number): string[] {
  return PIECES.map((piece) => {
    const begin = `Ibuprofen ${piece}`;
    return `${begin}${piece.repeat(length)}`.slice(0, length - 3).concat(' zz');
  });
}
