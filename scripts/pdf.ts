/** Distances in points: from the upper edge of a page to its first line, and from line to line. */
const TOP = 50;
const LINE = 22;
const HEIGHT = 420;
/** The most characters of a line. A longer line is broken between words. */
const WIDTH = 36;
const PARTS = new RegExp(`\\S.{0,${WIDTH - 1}}(?=\\s|$)|\\S+`, 'g');

/** Returns a PDF with one A6 page and one line of text. */
export function onePagePdf(text: string): Buffer {
  return pdfOf([[text]]);
}

/**
 * Returns a minimal PDF with A6 pages and lines of text, which every reader opens. The text is Latin-1 without
 * brackets.
 */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...pages.flatMap((lines, index) => {
      const parts = lines.flatMap((line) => line.match(PARTS) ?? ['']);
      const shown = parts.map((line) => `(${line}) Tj 0 ${-LINE} Td`).join(' ');
      const content = `BT /F1 13 Tf 24 ${HEIGHT - TOP} Td ${shown} ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 ${HEIGHT}]/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  // Entries are 20 bytes each, the line end included (ISO 32000-1 §7.5.4).
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`, 'latin1');
}
