import { IMPORT_COLUMNS_MAX, IMPORT_RECORD_LENGTH_MAX } from './limits';

/** A record, and the line of the file on which it begins. */
export interface CsvRecord {
  line: number;
  /** At most `IMPORT_COLUMNS_MAX + 1` fields. Further fields are dropped. */
  fields: string[];
  /** The file ended inside a quoted field. */
  isCut?: true;
  /** The record's text was longer than `IMPORT_RECORD_LENGTH_MAX` and was cut. */
  isLong?: true;
}

/** Matches a character of text. A control character is no text: old programs end a file with one. */
const VISIBLE = /[^\s\p{Cc}]/u;
const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d];

/**
 * Splits CSV into records while its text arrives (RFC 4180: quoted fields may contain separators, quotes and line
 * breaks). Lines end with LF, CR LF or CR. Blank lines are skipped. Records are made on demand, so a caller that stops
 * early builds only those that it took.
 */
export class CsvReader {
  private readonly separator: number;
  /**
   * The fields of the current record, followed by leftovers of earlier ones: the array is reused to avoid allocations.
   */
  private readonly fields: string[] = [];
  private fieldCount = 0;
  private field = '';
  private length = 0;
  private hasText = false;
  private isQuoted = false;
  /**
   * Whether the last character was a quote inside a quoted field. The next character shows whether that quote was
   * doubled or ended the field.
   */
  private isAfterQuote = false;
  private isAfterCr = false;
  private line: number;
  private startLine: number;

  /**
   * @param separator the character between fields: a comma, a semicolon (spreadsheets in some countries) or a tab
   *   (cells that are copied from a spreadsheet)
   * @param line the number of the first line
   */
  constructor(separator: ',' | ';' | '\t' = ',', line = 1) {
    this.separator = separator.charCodeAt(0);
    this.line = this.startLine = line;
  }

  /** The records of a whole text, made on demand. */
  *readAll(text: string): Generator<CsvRecord> {
    yield* this.read(text);
    yield* this.end();
  }

  /**
   * Reads the next piece of the text.
   * @returns the records that are now complete, made on demand
   */
  *read(text: string): Generator<CsvRecord> {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isAfterCr = this.isAfterCr;
      this.isAfterCr = code === CR;
      if (this.isQuoted && !this.isAfterQuote) {
        if (code === QUOTE) {
          this.take(text, start, at);
          this.isAfterQuote = true;
        } else if (code === CR || (code === LF && !isAfterCr)) this.line += 1;
      } else if (this.isAfterQuote && code === QUOTE) {
        this.isAfterQuote = false;
        // The second quote is the first character of the next slice.
        start = at;
      } else {
        if (this.isAfterQuote) {
          this.isQuoted = this.isAfterQuote = false;
          start = at;
        }
        if (code === QUOTE && this.field === '' && start === at) {
          this.isQuoted = true;
          start = at + 1;
        } else if (code === this.separator) {
          this.take(text, start, at);
          this.endField();
          start = at + 1;
        } else if (code === LF || code === CR) {
          this.take(text, start, at);
          start = at + 1;
          if (isAfterCr) {
            // This LF is the second half of a CR LF.
            this.isAfterCr = code === CR;
            continue;
          }
          this.line += 1;
          const record = this.finish();
          if (record) yield record;
        }
      }
    }
    this.take(text, start, text.length);
  }

  /** Returns a list with the last record. The list is empty if the last record ended with a line break. */
  end(): CsvRecord[] {
    const isCut = this.isQuoted && !this.isAfterQuote;
    const record = this.finish();
    if (!record) return [];
    return [isCut ? { ...record, isCut } : record];
  }

  private take(text: string, start: number, end: number): void {
    if (start >= end || this.isAfterQuote) return;
    const taken = text.slice(start, Math.min(end, start + Math.max(0, IMPORT_RECORD_LENGTH_MAX - this.length)));
    this.length += end - start;
    this.hasText ||= VISIBLE.test(taken);
    this.field += taken;
  }

  private endField(): void {
    if (this.fieldCount <= IMPORT_COLUMNS_MAX) {
      this.fields[this.fieldCount] = this.field;
      this.fieldCount += 1;
    }
    this.field = '';
  }

  private finish(): CsvRecord | null {
    this.endField();
    const { startLine, fieldCount, hasText, length } = this;
    this.startLine = this.line;
    this.fieldCount = 0;
    this.length = 0;
    this.hasText = false;
    if (!hasText) return null;
    const fields = this.fields.slice(0, fieldCount);
    return { line: startLine, fields, ...(length > IMPORT_RECORD_LENGTH_MAX && { isLong: true as const }) };
  }
}
