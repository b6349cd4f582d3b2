// @ts-nocheck
// Made from src/codes: npx vitest run --project node test/node/client-codes.test.ts -u
const readCode = (() => {
function pznCheckDigit(sevenDigits        )                {
  const rest = weighted(sevenDigits, (place) => place + 1) % 11;
  return rest === 10 ? null : String(rest);
}
function gtinCheckDigit(digits        )         {
  const sum = weighted(digits, (place) => ((digits.length - place) % 2 === 1 ? 3 : 1));
  return String((10 - (sum % 10)) % 10);
}
function ppnCheckDigits(text        )         {
  const sum = [...text].reduce((total, character, place) => total + character.charCodeAt(0) * (place + 2), 0);
  return String(sum % 97).padStart(2, '0');
}
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
function checkCharacter(text        )         {
  const size = ALPHABET.length;
  let rest = size;
  for (const character of text) {
    const sum = (rest + ALPHABET.indexOf(character)) % size || size;
    rest = (sum * 2) % (size + 1);
  }
  return ALPHABET[(size + 1 - rest) % size]          ;
}
function weighted(digits        , weightAt                           )         {
  return [...digits].reduce((sum, digit, place) => sum + Number(digit) * weightAt(place), 0);
}
const NTIN_PREFIX = '04150';
const PPN_PREFIX = '11';
const PPN_LENGTH = 12;
function isPzn(digits        )          {
  return /^\d{8}$/.test(digits) && pznCheckDigit(digits.slice(0, 7)) === digits[7];
}
function readPzn(text        )                {
  const [, prefix = '', digits = ''] = /^(PZN ?[:-]? ?|-)?(\d{7,8})$/i.exec(text) ?? [];
  if (digits.length === 7 && prefix === '') return null;
  const pzn = digits.padStart(8, '0');
  return digits !== '' && isPzn(pzn) ? pzn : null;
}
function readGtin(digits        )                {
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return null;
  return gtinCheckDigit(digits.slice(0, -1)) === digits.at(-1) ? digits.padStart(14, '0') : null;
}
function pznOfGtin(gtin        )                {
  const pzn = gtin.slice(NTIN_PREFIX.length, -1);
  return gtin.startsWith(NTIN_PREFIX) && isPzn(pzn) ? pzn : null;
}
function pznOfPpn(ppn        )                {
  if (ppn.length !== PPN_LENGTH || !ppn.startsWith(PPN_PREFIX)) return null;
  const pzn = ppn.slice(PPN_PREFIX.length, -2);
  return isPzn(pzn) && ppnCheckDigits(ppn.slice(0, -2)) === ppn.slice(-2) ? pzn : null;
}
const GS = '\x1d';
const RECORD_SEPARATOR = '\x1e';
const END_OF_TRANSMISSION = '\x04';
const LENGTH_MAX = 120;
const SENT_LENGTH_MAX = 3 * LENGTH_MAX;
const VALUE_MAX = 20;
const GS1            = [
  ['01', 'gtin', 14],
  ['17', 'expires', 6],
  ['10', 'batch'],
  ['21', 'serial'],
  ['11', 'other', 6],
  ['15', 'other', 6],
  ['710', 'pzn'],
  ['7003', 'other', 10],
];
const FIXED_LENGTHS                                   = {
  ...{ '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, 20: 4, 41: 16 },
  ...Object.fromEntries([11, 12, 13, 14, 15, 16, 17, 18, 19].map((id) => [id, 8])),
  ...Object.fromEntries([31, 32, 33, 34, 35, 36].map((id) => [id, 10])),
};
const IFA            = [
  ['9N', 'pzn', 12],
  ['8P', 'gtin', 14],
  ['1T', 'batch'],
  ['16D', 'other', 8],
  ['D', 'expires', 6],
  ['S', 'serial'],
];
function readDataMatrix(text        )                  {
  if (text.length > SENT_LENGTH_MAX) return null;
  const content = contentOf(text);
  if (content.length > LENGTH_MAX) return null;
  if (/^\d{2}/.test(content)) return best(content, GS1) ?? best(content, IFA) ?? numberOf(content);
  return /^\d?[A-Z]/.test(content) ? best(content, IFA) : null;
}
function contentOf(text        )         {
  const sent = /^\(\d{2,4}\)/.test(text) ? text.replace(/\((\d{2,4})\)/g, `${GS}$1`) : text;
  return sent
    .replaceAll(RECORD_SEPARATOR, '')
    .replaceAll(END_OF_TRANSMISSION, '')
    .replace(/^\[\)>06/, '')
    .replace(/\{GS\}|<GS>|\[GS\]|<FNC1>|\{FNC1\}|\\x1d|\\u001d|[\u241d|~^\]]/gi, GS)
    .split(GS)
    .filter(Boolean)
    .join(GS);
}
function best(content        , elements                    )                  {
  const hasSeparators = content.includes(GS);
  const sought = hasSeparators
    ? elements
    : elements.filter(([, field, length]) => field !== 'other' && (field !== 'pzn' || length));
  const readings = [...readingsOf(content, sought, hasSeparators)].filter(({ gtin, pzn }) => gtin ?? pzn);
  const most = Math.max(0, ...readings.map(sizeOf));
  const [first, ...others] = readings.filter((reading) => sizeOf(reading) === most);
  if (!first) return null;
  const gtin = first.gtin ?? null;
  const pzn = first.pzn ?? (gtin === null ? null : pznOfGtin(gtin));
  const agreed = (field       ) => (others.every((other) => other[field] === first[field]) ? first[field] : undefined);
  const serial = agreed('serial') ?? (first.serial === undefined ? null : restOf(content, elements));
  return { pzn, gtin, serial, expires: agreed('expires') ?? null, batch: agreed('batch') ?? null };
}
function numberOf(content        )                  {
  const gtin = /^01\d{14}[!-~]*$/.test(content) ? readGtin(content.slice(2, 16)) : null;
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, serial: null, expires: null, batch: null };
}
const sizeOf = (reading      ) => Object.keys(reading).length;
function restOf(content        , [first]                    )         {
  const [id = '', , length = 0] = first ?? [];
  return content.slice(content.startsWith(id) ? id.length + length : 0);
}
function* readingsOf(rest        , elements                    , hasSeparators         )                  {
  if (rest === '') {
    yield {};
    return;
  }
  let isRead = false;
  for (const element of elements) {
    const [id, field] = element;
    if (!rest.startsWith(id)) continue;
    const others = elements.filter((each) => each !== element);
    for (const [value, behind] of valuesOf(rest.slice(id.length), element, hasSeparators)) {
      const read = readValue(field, value, id);
      if (read === null) continue;
      isRead = true;
      for (const said of readingsOf(behind, others, hasSeparators)) yield { ...said, [field]: read };
    }
  }
  if (!isRead && hasSeparators) yield* readingsOf(behindUnknown(rest), elements, hasSeparators);
}
function behindUnknown(rest        )         {
  const fixed = /^\d{3}/.test(rest) ? FIXED_LENGTHS[rest.slice(0, 2)] : undefined;
  const end = rest.indexOf(GS);
  if (fixed !== undefined && (end < 0 || fixed <= end)) return withoutSeparator(rest.slice(fixed));
  return end < 0 ? '' : rest.slice(end + GS.length);
}
function* valuesOf(text        , [, , fixed]         , hasSeparators         )                              {
  const end = hasSeparators && text.includes(GS) ? text.indexOf(GS) : text.length;
  if (fixed !== undefined) {
    if (end >= fixed) yield [text.slice(0, fixed), withoutSeparator(text.slice(fixed))];
    return;
  }
  const from = hasSeparators ? end : 1;
  for (let length = Math.max(1, from); length <= Math.min(end, VALUE_MAX); length += 1) {
    yield [text.slice(0, length), withoutSeparator(text.slice(length))];
  }
}
function withoutSeparator(text        )         {
  return text.startsWith(GS) ? text.slice(GS.length) : text;
}
function readValue(field       , value        , id        )                {
  if (field === 'gtin') return readGtin(value);
  if (field === 'pzn') return id === '9N' ? pznOfPpn(value) : isPzn(value) ? value : null;
  if (field === 'expires') return dayOf(value);
  return value.includes(GS) ? null : value;
}
function dayOf(value        )                {
  if (!/^\d{6}$/.test(value)) return null;
  const [year = 0, month = 0, day = 0] = [0, 2, 4].map((at) => Number(value.slice(at, at + 2)));
  const last = new Date(Date.UTC(2000 + year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day > last) return null;
  const two = (number        ) => String(number).padStart(2, '0');
  return `${2000 + year}-${two(month)}-${two(day || last)}`;
}
const SHOWN = 'yzYZß?-_üÜ+*öÖäÄ#\'´`)=(/&"§;:^°';
const MEANT = 'zyZY-_/?[{]};:\'"\\|=+()*&^@#<>`~';
const LOCKED = '!"§$%&/()=_?';
const UNLOCKED = '1234567890-ß';
const german = lookUp(SHOWN, MEANT);
const unlocked = lookUp(LOCKED, UNLOCKED);
function asSent(text        )           {
  const germanUnlocked = mapped(swapCase(text), unlocked);
  return [text, mapped(text, german), swapCase(text), germanUnlocked, mapped(germanUnlocked, german)];
}
function lookUp(from        , to        )                              {
  const meant = [...to];
  return new Map([...from].map((character, place) => [character, meant[place]          ]));
}
function mapped(text        , characters                             )         {
  return [...text].map((character) => characters.get(character) ?? character).join('');
}
function swapCase(text        )         {
  const swapped = (character        ) => {
    const upper = character.toUpperCase();
    return character === upper ? character.toLowerCase() : upper.length === 1 ? upper : character;
  };
  return [...text].map(swapped).join('');
}
const SHOP_LENGTH = 4;
function shopMark(shopId        )         {
  return shopId.slice(-SHOP_LENGTH).toUpperCase();
}
function labelText({ shop, number }           )         {
  return `OFZ${shop}-${number}-${checkCharacter(`OFZ${shop}${number}`)}`;
}
function readLabel(text        )                   {
  const [, shop, digits] = /^OFZ([0-9A-F]{4})-([1-9]\d{0,8})-[0-9A-Z]$/.exec(text) ?? [];
  if (shop === undefined) return null;
  const label = { shop, number: Number(digits) };
  return labelText(label) === text ? label : null;
}
function readCode(text        )              {
  for (const all of asSent(text.trim())) {
    const sent = all.replace(/^\][A-Za-z]\d/, '');
    const label = readLabel(sent);
    if (label) return { kind: 'label', ...label };
    const pack = readNumber(sent) ?? readDataMatrix(sent);
    if (pack) return { kind: 'pack', ...pack };
  }
  return null;
}
function pznOf(text        )                {
  const code = readCode(text);
  return code?.kind === 'pack' ? code.pzn : null;
}
function readNumber(text        )                  {
  const nothingElse = { serial: null, expires: null, batch: null };
  const pzn = readPzn(text) ?? pznOfPpn(text);
  if (pzn !== null) return { pzn, gtin: null, ...nothingElse };
  const gtin = readGtin(text);
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, ...nothingElse };
}
return readCode;
})();
