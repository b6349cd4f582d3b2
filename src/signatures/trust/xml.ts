import { Fault } from '../bytes';

/** Text that is not the XML it should be, or XML that is not read here. */
export class XmlFault extends Fault {}

const BYTES_MAX = 10 * 1024 * 1024;
/** Each element, end, comment and instruction begins with one; the largest list of 2026 has some 60,000. */
const MARKS_MAX = 400_000;
const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 64;

interface Attribute {
  name: string;
  namespace: string;
  value: string;
}

/** A processing instruction, as it is written. */
interface Instruction {
  instruction: string;
}

export type Node = Element | Instruction | string;

const XML = 'http://www.w3.org/XML/1998/namespace';

/** An element of XML 1.0 with namespaces. */
export class Element {
  readonly children: Node[] = [];
  readonly attributes: Attribute[] = [];
  /** The namespaces that it declares itself, by prefix; the default one by an empty prefix. */
  readonly declared = new Map<string, string>();

  constructor(
    readonly name: string,
    readonly parent: Element | null,
  ) {}

  get prefix(): string {
    return prefixOf(this.name);
  }

  /** Its name without the prefix. */
  get local(): string {
    return this.name.slice(this.name.indexOf(':') + 1);
  }

  get namespace(): string {
    return this.namespaceOf(this.prefix);
  }

  /** The namespace that a prefix stands for here; empty for no default namespace. @throws XmlFault for an unknown one */
  namespaceOf(prefix: string): string {
    for (let at: Element | null = this; at; at = at.parent) {
      const found = at.declared.get(prefix);
      if (found !== undefined) return found;
    }
    if (prefix === 'xml') return XML;
    if (prefix === '') return '';
    throw new XmlFault('A prefix is not declared');
  }

  get elements(): Element[] {
    return this.children.filter((child) => child instanceof Element);
  }

  all(local: string): Element[] {
    return this.elements.filter((child) => child.local === local);
  }

  /** The element that a path of local names leads to; each takes the first one. */
  at(...path: string[]): Element | undefined {
    return path.reduce<Element | undefined>((from, local) => from?.elements.find((each) => each.local === local), this);
  }

  /** The text that it holds itself, without white space around it. */
  get text(): string {
    return this.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim();
  }

  /** The value of an attribute that has no prefix. */
  attribute(name: string): string | undefined {
    return this.attributes.find((each) => each.name === name)?.value;
  }

  *descendants(): Generator<Element> {
    for (const child of this.elements) {
      yield child;
      yield* child.descendants();
    }
  }
}

function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
}

/** A document: its one element, with the instructions around it. */
export interface XmlDocument {
  root: Element;
  before: Instruction[];
  after: Instruction[];
}

/**
 * Reads XML 1.0 in UTF-8. What it holds is counted before anything is built. A DOCTYPE is refused, so there are no
 * entities but the five of XML, and no default values.
 * @throws XmlFault
 */
export function readXml(bytes: Uint8Array): XmlDocument {
  if (bytes.length > BYTES_MAX) throw new XmlFault('The file is too large');
  let marks = 0;
  for (let at = bytes.indexOf(0x3c); at >= 0; at = bytes.indexOf(0x3c, at + 1)) marks += 1;
  if (marks > MARKS_MAX) throw new XmlFault('The file has too many elements');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new XmlFault('The file is not UTF-8');
  }
  return new Reader(text.replace(/\r\n?/g, '\n')).document();
}

const NAME = /[A-Za-z_\u00c0-\ufffd][-.\w:\u00b7-\ufffd]{0,127}/y;
const SPACE = /[ \t\n]*/y;
/** What XML 1.0 allows no document to hold (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  document(): XmlDocument {
    if (FORBIDDEN.test(this.source)) throw new XmlFault('A character is forbidden');
    const [before, after]: [Instruction[], Instruction[]] = [[], []];
    let root: Element | null = null;
    this.declaration();
    while (this.at < this.source.length) {
      this.skip(SPACE);
      if (this.at === this.source.length) break;
      if (this.source.startsWith('<!--', this.at)) this.until('<!--', '-->');
      else if (this.source.startsWith('<?', this.at)) (root ? after : before).push(this.instruction());
      else if (root) throw new XmlFault('There is more behind the element');
      else root = this.tree();
    }
    if (!root) throw new XmlFault('There is no element');
    return { root, before, after };
  }

  private declaration(): void {
    if (!/^<\?xml[ \t\n]/.test(this.source.slice(0, 6))) return;
    const encoding = /encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})["']/.exec(this.until('<?', '?>'))?.[1] ?? 'utf-8';
    if (encoding.toLowerCase() !== 'utf-8') throw new XmlFault('The file is not UTF-8');
  }

  private instruction(): Instruction {
    const instruction = this.until('<?', '?>').replace(/^(\S{1,128})\s+/, '$1 ');
    if (/^xml(?:\s|$)/i.test(instruction)) throw new XmlFault('A declaration is in the wrong place');
    return { instruction };
  }

  /** One element with all that it holds. */
  private tree(): Element {
    const { element: root, isEmpty } = this.start(null);
    if (isEmpty) return root;
    for (let [open, depth] = [root, 1]; ; ) {
      const next = this.source.indexOf('<', this.at);
      if (next < 0) throw new XmlFault('An element has no end');
      if (next > this.at) open.children.push(unescaped(this.source.slice(this.at, next)));
      this.at = next;
      if (this.source.startsWith('</', next)) {
        this.at += 2;
        if (this.word(NAME) !== open.name) throw new XmlFault('An element ends as another');
        this.skip(SPACE);
        this.expect('>');
        if (!open.parent) return root;
        open = open.parent;
        depth -= 1;
      } else if (this.source.startsWith('<!--', next)) this.until('<!--', '-->');
      else if (this.source.startsWith('<![CDATA[', next)) open.children.push(this.until('<![CDATA[', ']]>'));
      else if (this.source.startsWith('<?', next)) open.children.push(this.instruction());
      else {
        const { element, isEmpty: isClosed } = this.start(open);
        open.children.push(element);
        if (isClosed) continue;
        open = element;
        depth += 1;
        if (depth > DEPTH_MAX) throw new XmlFault('Elements are nested too deeply');
      }
    }
  }

  /** The start of an element: `<!` of a DOCTYPE has no name, and is refused here. */
  private start(parent: Element | null): { element: Element; isEmpty: boolean } {
    this.expect('<');
    const element = new Element(this.word(NAME), parent);
    const written = new Map<string, string>();
    for (;;) {
      const from = this.at;
      this.skip(SPACE);
      if (this.source[this.at] === '>' || this.source[this.at] === '/') break;
      if (this.at === from || written.size >= ATTRIBUTES_MAX) throw new XmlFault('An element is wrong');
      const name = this.word(NAME);
      this.skip(SPACE);
      this.expect('=');
      this.skip(SPACE);
      const quote = this.source[this.at] ?? '';
      if ((quote !== '"' && quote !== "'") || written.has(name)) throw new XmlFault('An attribute is wrong');
      const value = this.until(quote, quote);
      if (value.includes('<')) throw new XmlFault('An attribute is wrong');
      written.set(name, unescaped(value.replace(/[\t\n]/g, ' ')));
    }
    const isEmpty = this.source[this.at] === '/';
    if (isEmpty) this.at += 1;
    this.expect('>');
    for (const [name, value] of written) {
      if (name === 'xmlns') element.declared.set('', value);
      else if (prefixOf(name) === 'xmlns') element.declared.set(name.slice(6), value);
    }
    for (const [name, value] of written) {
      const prefix = prefixOf(name);
      if (name === 'xmlns' || prefix === 'xmlns') continue;
      element.attributes.push({ name, value, namespace: prefix ? element.namespaceOf(prefix) : '' });
    }
    return { element, isEmpty };
  }

  private until(begin: string, end: string): string {
    const from = this.at + begin.length;
    const to = this.source.indexOf(end, from);
    if (to < 0) throw new XmlFault('Something has no end');
    this.at = to + end.length;
    return this.source.slice(from, to);
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.source) ?? [];
    this.at += found.length;
    return found;
  }

  private word(pattern: RegExp): string {
    const found = this.skip(pattern);
    if (!found) throw new XmlFault('A name is missing');
    return found;
  }

  private expect(character: string): void {
    if (this.source[this.at] !== character) throw new XmlFault(`"${character}" is missing`);
    this.at += 1;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,12};?)/g, (_, written: string) => {
    const number = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}));$/.exec(written);
    const code = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10) : 0;
    const found = number && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ENTITIES[written.slice(0, -1)];
    if (found === undefined || !written.endsWith(';') || FORBIDDEN.test(found))
      throw new XmlFault('An entity is unknown');
    return found;
  });
}

interface Canonical {
  /** Left out with all that it holds. */
  without?: Element;
  /** Canonical XML 1.0: each namespace is written where it is declared. Otherwise exclusive. */
  isInclusive?: boolean;
  /** InclusiveNamespaces: prefixes that exclusive canonicalization treats as the other does. */
  prefixes?: readonly string[];
}

/**
 * The canonical form of an element, without comments: Exclusive XML Canonicalization 1.0, or Canonical XML 1.0. The
 * latter's inherited `xml:` attributes are not copied, so an element below one that has them is refused.
 * @throws XmlFault
 */
export function canonical(element: Element, options: Canonical = {}): string {
  const out: string[] = [];
  if (options.isInclusive)
    for (let at = element.parent; at; at = at.parent)
      if (at.attributes.some(({ namespace }) => namespace === XML)) throw new XmlFault('An attribute is inherited');
  write(element, new Map([['', '']]), options, out);
  return out.join('');
}

/** The canonical form of a document, with the instructions around its element. */
export function canonicalDocument({ root, before, after }: XmlDocument, options: Canonical): string {
  const written = ({ instruction }: Instruction): string => `<?${instruction}?>`;
  return [...before.map(written), canonical(root, options), ...after.map(written)].join('\n');
}

function write(element: Element, rendered: ReadonlyMap<string, string>, options: Canonical, out: string[]): void {
  const prefixes = new Set([element.prefix, ...element.attributes.map(({ name }) => prefixOf(name)).filter(Boolean)]);
  const inherited = options.isInclusive ? null : options.prefixes;
  if (options.isInclusive || inherited?.length)
    for (let at: Element | null = element; at; at = at.parent)
      for (const prefix of at.declared.keys())
        if (!inherited || inherited.includes(prefix || '#default')) prefixes.add(prefix);
  const inner = new Map(rendered);
  const declarations: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const namespace = element.namespaceOf(prefix);
    if (prefix === 'xml' || inner.get(prefix) === namespace) continue;
    inner.set(prefix, namespace);
    declarations.push(` ${prefix ? `xmlns:${prefix}` : 'xmlns'}="${escapedValue(namespace)}"`);
  }
  const key = ({ namespace, name }: Attribute): string => `${namespace}\u0000${name.slice(name.indexOf(':') + 1)}`;
  const attributes = [...element.attributes]
    .sort((one, other) => (key(one) < key(other) ? -1 : 1))
    .map(({ name, value }) => ` ${name}="${escapedValue(value)}"`);
  out.push('<', element.name, ...declarations, ...attributes, '>');
  for (const child of element.children) {
    if (typeof child === 'string') out.push(escapedText(child));
    else if (!(child instanceof Element)) out.push(`<?${child.instruction}?>`);
    else if (child !== options.without) write(child, inner, options, out);
  }
  out.push('</', element.name, '>');
}

const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
};

function escapedText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => REFERENCES[character] ?? character);
}

function escapedValue(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => REFERENCES[character] ?? character);
}
