/** What platforms call a person's words, without signs and in small letters. */
const NAMES = new Set([
  ...['note', 'notes', 'customernote', 'customernotes', 'ordernote', 'patientnote', 'comment', 'comments', 'message'],
  ...['deliveryinstructions', 'deliverynote', 'deliverynotes', 'deliverycomment'],
]);

/** What a person wrote, as far as the platform sent it beside the fields of the contract: each text once. */
export function platformWords(details: Readonly<Record<string, string>> | null): string[] {
  const texts = Object.entries(details ?? {}).flatMap(([name, text]) =>
    NAMES.has(name.toLowerCase().replace(/[_-]/g, '')) && text !== '' ? [text] : [],
  );
  return [...new Set(texts)];
}
