import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { Fault } from '../bytes';

/** Thrown for a text that is no XML, or for XML that is refused here. */
export class XmlFault extends Fault {}

const BYTES_MAX = 10 * 1024 * 1024;
/**
 * The most `<` in a file. Each element, end tag, comment and instruction has one. The largest list of 2026 has about
 * 60,000.
 */
const MARKS_MAX = 400_000;
const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 64;

/** The name of an element or an attribute, and the namespace of its prefix. */
type Named = Pick<SaxesAttributeNS, 'name' | 'prefix' | 'local' | 'uri'>;

/** A processing instruction, as it is written. */
interface Instruction {
  instruction: string;
}

export type Node = Element | Instruction | string;

const XML = 'http://www.w3.org/XML/1998/namespace';

/** An element of XML 1.0 with namespaces. */
export class Element {
  readonly children: Node[] = [];

  constructor(
    readonly tag: Named,
    readonly attributes: readonly SaxesAttributeNS[],
    /** The namespaces that are declared on this element, by prefix. The prefix of the default namespace is empty. */
    readonly scope: ReadonlyMap<string, string>,
    /** The element around this one. Null for the document, which contains the root element and the instructions. */
    readonly parent: Element | null,
  ) {}

  /** The element's name without the prefix. */
  get local(): string {
    return this.tag.local;
  }

  get elements(): Element[] {
    return this.children.filter((child) => child instanceof Element);
  }

  all(local: string): Element[] {
    return this.elements.filter((child) => child.local === local);
  }

  /** Returns the descendant at a path of local names. Each step takes the first child with that name. */
  at(...path: string[]): Element | undefined {
    return path.reduce<Element | undefined>((from, local) => from?.elements.find((each) => each.local === local), this);
  }

  /** The element's own text, trimmed. */
  get text(): string {
    return this.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim();
  }

  /** The value of the attribute with this name and no prefix. */
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

/**
 * Reads XML 1.0 in UTF-8. If there are too many marks (`<`), nothing is parsed. A DOCTYPE is refused. Without it, there
 * are only the five entities of XML, and no default values.
 * @returns the root element
 * @throws XmlFault
 */
export function readXml(bytes: Uint8Array): Element {
  if (bytes.length > BYTES_MAX) throw new XmlFault('The file is too large');
  let marks = 0;
  for (let at = bytes.indexOf(0x3c); at >= 0; at = bytes.indexOf(0x3c, at + 1)) marks += 1;
  if (marks > MARKS_MAX) throw new XmlFault('The file has too many elements');
  try {
    return documentOf(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    throw error instanceof TypeError ? new XmlFault('The file is not UTF-8') : error;
  }
}

/** Builds the tree of a document. @returns its root element @throws XmlFault */
function documentOf(text: string): Element {
  const document = new Element({ name: '', prefix: '', local: '', uri: '' }, [], new Map(), null);
  let open = document;
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
  parser.on('opentag', (tag) => {
    const written = Object.values(tag.attributes);
    depth += 1;
    if (written.length > ATTRIBUTES_MAX || depth > DEPTH_MAX) throw new XmlFault('An element is too large');
    const declared = Object.entries(tag.ns);
    const scope = declared.length > 0 ? new Map([...open.scope, ...declared]) : open.scope;
    const attributes = written.filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns');
    const element = new Element(tag, attributes, scope, open);
    open.children.push(element);
    open = element;
  });
  parser.on('closetag', () => {
    open = open.parent ?? document;
    depth -= 1;
  });
  for (const event of ['text', 'cdata'] as const) parser.on(event, (said) => open.children.push(said));
  parser.on('processinginstruction', ({ target, body }) => {
    open.children.push({ instruction: body ? `${target} ${body}` : target });
  });
  parser.write(text).close();
  const [root] = document.elements;
  if (!root) throw new XmlFault('There is no element');
  return root;
}

interface Canonical {
  /** An element that is left out with all that it contains. */
  without?: Element;
  /**
   * Whether to write Canonical XML 1.0, which has each namespace where it is declared. By default, the exclusive form
   * is written.
   */
  isInclusive?: boolean;
  /** The prefixes in InclusiveNamespaces. Even the exclusive form writes these as Canonical XML does. */
  prefixes?: readonly string[];
}

/**
 * Returns the canonical form of an element, without comments: Exclusive XML Canonicalization 1.0, or Canonical XML 1.0.
 * Canonical XML would also copy `xml:` attributes from the elements around, which this function cannot do. It therefore
 * refuses an element with such attributes around it.
 * @throws XmlFault
 */
export function canonical(element: Element, options: Canonical = {}): string {
  const out: string[] = [];
  if (options.isInclusive)
    for (let at = element.parent; at; at = at.parent)
      if (at.attributes.some(({ uri }) => uri === XML)) throw new XmlFault('An attribute is inherited');
  write(element, new Map([['', '']]), options, out);
  return out.join('');
}

/** Returns the canonical form of an element's document, with the instructions before and after the root element. */
export function canonicalDocument({ parent }: Element, options: Canonical): string {
  const nodes = (parent?.children ?? []).filter((node) => typeof node !== 'string');
  return nodes.map((node) => (node instanceof Element ? canonical(node, options) : written(node))).join('\n');
}

function written({ instruction }: Instruction): string {
  return `<?${instruction}?>`;
}

function write(
  { tag, attributes, scope, children }: Element,
  rendered: ReadonlyMap<string, string>,
  options: Canonical,
  out: string[],
): void {
  const used = [tag.prefix, ...attributes.map(({ prefix }) => prefix).filter(Boolean)];
  const isWanted = (prefix: string) => options.isInclusive || options.prefixes?.includes(prefix || '#default');
  const inner = new Map(rendered);
  out.push('<', tag.name);
  for (const prefix of [...new Set([...used, ...[...scope.keys()].filter(isWanted)])].sort()) {
    const namespace = scope.get(prefix) ?? '';
    if (prefix === 'xml' || inner.get(prefix) === namespace) continue;
    inner.set(prefix, namespace);
    out.push(` ${prefix ? `xmlns:${prefix}` : 'xmlns'}="${escaped(namespace, IN_VALUES)}"`);
  }
  const key = ({ uri, local }: Named): string => `${uri}\u0000${local}`;
  for (const { name, value } of attributes.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)))
    out.push(` ${name}="${escaped(value, IN_VALUES)}"`);
  out.push('>');
  for (const child of children) {
    if (typeof child === 'string') out.push(escaped(child, IN_TEXT));
    else if (!(child instanceof Element)) out.push(written(child));
    else if (child !== options.without) write(child, inner, options, out);
  }
  out.push('</', tag.name, '>');
}

const IN_TEXT = /[&<>\r]/g;
const IN_VALUES = /[&<"\t\n\r]/g;
const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
};

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => REFERENCES[character] ?? character);
}
