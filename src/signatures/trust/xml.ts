import { SaxesParser } from 'saxes';
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
  return documentOf(text);
}

/** @throws XmlFault */
function documentOf(text: string): XmlDocument {
  const [before, after]: [Instruction[], Instruction[]] = [[], []];
  let root: Element | null = null;
  let open: Element | null = null;
  let depth = 0;
  const refuse = (why: string) => (): never => {
    throw new XmlFault(why);
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', refuse('The file is no XML'));
  parser.on('doctype', refuse('A DOCTYPE is refused'));
  parser.on('xmldecl', ({ encoding = 'utf-8', version }) => {
    if (encoding.toLowerCase() !== 'utf-8' || version !== '1.0') throw new XmlFault('The file is not UTF-8');
  });
  parser.on('opentag', ({ name, attributes, ns }) => {
    const element: Element = new Element(name, open);
    const written = Object.values(attributes);
    depth += 1;
    if (written.length > ATTRIBUTES_MAX || depth > DEPTH_MAX) throw new XmlFault('An element is too large');
    for (const [prefix, namespace] of Object.entries(ns)) element.declared.set(prefix, namespace);
    for (const { name, prefix, uri, value } of written)
      if (prefix !== 'xmlns' && name !== 'xmlns') element.attributes.push({ name, value, namespace: uri });
    open?.children.push(element);
    root ??= element;
    open = element;
  });
  parser.on('closetag', () => {
    open = open?.parent ?? null;
    depth -= 1;
  });
  for (const event of ['text', 'cdata'] as const) parser.on(event, (said) => open?.children.push(said));
  parser.on('processinginstruction', ({ target, body }) => {
    const list: Node[] = open?.children ?? (root ? after : before);
    list.push({ instruction: body ? `${target} ${body}` : target });
  });
  parser.write(text).close();
  if (!root) throw new XmlFault('There is no element');
  return { root, before, after };
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
