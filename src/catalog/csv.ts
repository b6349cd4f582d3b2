/** One record, and the line of the file on which it begins. */
export interface CsvRecord {
  line: number;
  fields: string[];
  /** The file ended inside a quoted field. */
  isCut?: true;
}

/**
 * Splits CSV into records while its text arrives (RFC 4180: quoted fields may contain commas, quotes and line breaks).
 * Blank lines are skipped.
 */
export class CsvReader {
  /** @param separator of fields; spreadsheets of some countries write a semicolon, and all copy tabs */
  constructor(private readonly separator: ',' | ';' | '\t' = ',') {}

  private fields: string[] = [];
  private field = '';
  private isQuoted = false;
  /**
   * The last character was a quote inside a quoted field. The next character shows whether it was doubled or ended the
   * field.
   */
  private isAfterQuote = false;
  private line = 1;
  private startLine = 1;

  /** @returns the records that are now complete */
  read(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (const character of text) this.take(character, records);
    return records;
  }

  /** The last record, when the file does not end with a line break. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    const isCut = this.isQuoted && !this.isAfterQuote;
    if (isCut || this.field !== '' || this.fields.length > 0) this.finish(records);
    return isCut ? records.map((record) => ({ ...record, isCut })) : records;
  }

  private take(character: string, records: CsvRecord[]): void {
    if (this.isQuoted && !this.isAfterQuote) {
      if (character === '"') this.isAfterQuote = true;
      else this.field += character;
    } else if (this.isAfterQuote && character === '"') {
      this.field += '"';
      this.isAfterQuote = false;
      return;
    } else {
      if (this.isAfterQuote) {
        this.isQuoted = false;
        this.isAfterQuote = false;
      }
      if (character === '"' && this.field === '') this.isQuoted = true;
      else if (character === this.separator) this.endField();
      else if (character === '\n') this.finish(records);
      else if (character !== '\r') this.field += character;
    }
    if (character === '\n') {
      this.line += 1;
      if (this.fields.length === 0 && this.field === '') this.startLine = this.line;
    }
  }

  private endField(): void {
    this.fields.push(this.field);
    this.field = '';
  }

  private finish(records: CsvRecord[]): void {
    this.endField();
    const isBlank = this.fields.length === 1 && this.fields[0] === '';
    if (!isBlank) records.push({ line: this.startLine, fields: this.fields });
    this.fields = [];
  }
}
