import { LimitReached } from '../budget';
import { firstWord, hex, latin1, orNull } from '../bytes';
import { CHANGES, type LaterChanges } from '../result';
import { Dict, dictOf, isName, isSame, keysOf, PdfFault, Ref, refsIn, Stream, Text, type Value } from './objects';
import { isWhite, Parser } from './parse';
import type { PdfFile, Revision } from './revision';
import { DEPTH_MAX, FIELDS_MAX, type Survey, surveyOf } from './signature-fields';

export interface Changes {
  changes: LaterChanges;
  /** The reason why the changes are `other`, for logs of tests. It names objects, never their content. */
  reason: string | null;
}

/**
 * A stamp (the visible appearance of a later signature) might hide signed content. It may be at most as large as this
 * part of its page or this area (square points; 25 cm²), whichever is larger.
 */
const STAMP_PART_MAX = 0.1;
const STAMP_AREA_MAX = 20_000;

class Other extends Error {}

/**
 * Returns the most harmful kind of change between a signed revision and the whole file (ISO 32000-2 §12.8.2.2.2,
 * §12.8.4.3). Each changed object must have one of a few harmless roles, and must have no other role besides.
 * Otherwise, the changes are `other`.
 * @param certified the changes that the signature permits if it certifies the file; see `certifies`
 * @throws LimitReached
 */
export function laterChanges(signed: Revision, final: Revision, certified: 1 | 2 | 3 | null): Changes {
  const { file, end } = signed;
  if (end === file.bytes.length) return { changes: 'none', reason: null };
  if (isLinearized(file)) return { changes: 'other', reason: 'the file is linearized anew' };
  if (isBlank(file, end)) return { changes: 'none', reason: null };
  try {
    const fault = tailFault(file, signed, final);
    if (fault !== null) throw new Other(fault);
    const comparison = new Comparison(signed, final, certified !== null);
    comparison.run();
    if (certified === 1 && comparison.rank >= CHANGES.indexOf('signatures')) throw new Other('certified: no changes');
    return { changes: CHANGES[comparison.rank] ?? 'other', reason: null };
  } catch (error) {
    if (!(error instanceof Other || error instanceof PdfFault)) throw error;
    return { changes: 'other', reason: error.message };
  }
}

/** Keys of a trailer or of a cross-reference stream whose values may change (§7.5.5, §7.5.8). */
const TRAILER_KEYS = new Set([
  ...['Root', 'Size', 'Prev', 'ID', 'Info', 'Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length', 'XRefStm'],
  ...['DocChecksum', 'AuthCode', 'AdditionalStreams'],
]);
/** Keys of a catalog that draw nothing, each with the kind of change that its new value counts as. */
const CATALOG_KEYS: ReadonlyMap<string, LaterChanges> = new Map([
  ...['Metadata', 'Version', 'Extensions'].map((key) => [key, 'metadata'] as const),
  ['DSS', 'validation_data'],
]);
/** Keys that an added signature field may have. Actions are not among them. */
const FIELD_KEYS = new Set(
  'FT,Type,Subtype,T,TU,TM,V,F,Ff,P,Rect,AP,MK,DA,DR,Lock,SV,Kids,Parent,M,NM,Border,BS,H,Q,StructParent'.split(','),
);
/** Keys of an empty signature field that may change when it is signed. */
const SIGNED_KEYS = new Set(['V', 'AP', 'M', 'MK', 'DA']);
/** The annotation flags Hidden and NoView (§12.5.3): either one hides the annotation. */
const UNSEEN = 0b100010;

/** The parent of a list of fields: another field, or the form. */
interface Above {
  /** The parent's object number; null for the form. */
  num: number | null;
  isSignature: boolean;
  /** Whether a field above was signed in a later revision. */
  isSigned: boolean;
  /** Whether the parent may have a value of its own. */
  isValued: boolean;
  depth: number;
}

const FORM: Above = { num: null, isSignature: false, isSigned: false, isValued: false, depth: 0 };

class Comparison {
  rank = 0;
  /** Numbers of the objects that are listed in the cross-references after the signed revision. */
  private readonly listed = new Set<number>();
  private readonly changed = new Map<number, { old: Value; now: Value }>();
  /**
   * Numbers of the changed objects that were compared key by key. They are harmless, no matter which objects refer to
   * them.
   */
  private readonly compared = new Set<number>();
  /**
   * The number of references that were found at allowed places, by object number. No other reference to the object is
   * allowed.
   */
  private readonly owned = new Map<number, number>();
  private references: Survey['references'] = new Map();
  private pages: Survey['pages'] = [];
  private readonly widgets = new Map<number, { isNew: boolean; dict: Dict }>();
  private readonly fields = new Set<number>();
  private readonly names = new Set<string>();

  constructor(
    private readonly signed: Revision,
    private readonly final: Revision,
    private readonly isCertified: boolean,
  ) {
    const newer = final.sections.slice(0, final.sections.length - signed.sections.length);
    for (const { entries } of newer) for (const num of entries.keys()) this.listed.add(num);
  }

  run(): void {
    this.trailers();
    this.difference();
    if (this.changed.size === 0) return;
    const { references, pages, spans, fault } = surveyOf(this.final);
    // `fault` says why a reader that repairs the file might find references that are missing here.
    if (fault !== null) throw new Other(fault);
    const { end } = this.signed;
    if (spans.some(([from, to]) => from < end && to > end))
      throw new Other('an object goes on behind the signed revision');
    [this.references, this.pages] = [references, pages];
    this.catalogs();
    this.allPages();
    for (const [num, { old, now }] of this.changed) {
      if (this.compared.has(num)) continue;
      const count = this.references.get(num) ?? 0;
      // A new object to which nothing refers is unused: a cross-reference stream, an object stream, or a remainder.
      if (count === 0 && old === null) continue;
      if (now === null || this.owned.get(num) !== count)
        throw new Other(`object ${num} is ${old === null ? 'new' : 'changed'} and has no harmless role`);
    }
    for (const [num, allowed] of this.owned)
      if ((this.references.get(num) ?? 0) !== allowed)
        throw new Other(`object ${num} is used for something else as well`);
  }

  private raise(changes: LaterChanges): void {
    this.rank = Math.max(this.rank, CHANGES.indexOf(changes));
  }

  private trailers(): void {
    const [old, now] = [this.signed.trailer, this.final.trailer];
    for (const key of keysOf(old, now)) {
      if (!TRAILER_KEYS.has(key) && !isSame(old.get(key), now.get(key)))
        throw new Other(`the trailer's ${key} differs`);
    }
    // Readers ignore objects whose number is Size or more (§7.5.5).
    const [before, size] = [old.get('Size'), now.get('Size')];
    const highest = [...this.listed].reduce((one, other) => Math.max(one, other), -1);
    if (typeof size !== 'number' || size <= highest || (typeof before === 'number' && size < before))
      throw new Other('Size is too small');
    if (!(now.get('Root') instanceof Ref)) throw new Other('the catalog is no object of its own');
  }

  /** Fills `changed` with the objects that differ between both revisions. @throws Other */
  private difference(): void {
    const nums = new Set(this.listed);
    // When an object stream is rewritten, its objects may change although their own entries do not.
    for (const [num, entry] of this.final.entries) if ('container' in entry && nums.has(entry.container)) nums.add(num);
    for (const num of nums) {
      const entry = this.final.entries.get(num);
      // If a table begins with the head of the free list, some readers take it to begin at object 0.
      if (num > 0 && entry && 'free' in entry && entry.gen === 65_535) throw new Other(`object ${num} is oddly free`);
      if (this.signed.place(num) === this.final.place(num)) continue;
      const [before, after] = [this.signed.read(num), this.final.read(num)];
      if (after?.isOdd) throw new Other(`object ${num} is written oddly`);
      const generation = before ? (this.signed.entries.get(num)?.gen ?? 0) : 0;
      if (after && (entry?.gen ?? 0) !== generation) throw new Other(`object ${num} has another generation`);
      const [old, now] = [before?.value ?? null, after?.value ?? null];
      // Each revision reads the bytes of a stream with its own length, and these bytes are compared. In which object
      // the length is stored does not matter.
      if (now instanceof Stream) this.final.file.budget.step(now.raw.length >> 2);
      if (!isSame(old, now)) this.changed.set(num, { old, now });
    }
  }

  /** Returns an object as each revision has it; null for a revision without the object. */
  private both(num: number): { old: Value; now: Value } {
    const known = this.changed.get(num);
    if (known) return known;
    const same = this.final.read(num)?.value ?? null;
    return { old: same, now: same };
  }

  private catalogs(): void {
    const root = this.final.trailer.get('Root');
    const [old, now] = [this.signed.catalog(), this.final.catalog()];
    for (const key of keysOf(old, now)) {
      const [before, after] = [old.get(key), now.get(key)];
      const change = CATALOG_KEYS.get(key);
      if (change) {
        if (!isSame(before, after)) this.raise(change);
        this.own(after, change, key === 'DSS');
      } else if (key !== 'AcroForm' && !isSame(before, after)) throw new Other(`the catalog's ${key} differs`);
    }
    if (root instanceof Ref) {
      // If the catalog is now another object, it is compared with the catalog of the signed revision.
      const isMoved = !isSame(root, this.signed.trailer.get('Root'));
      if (isMoved && (this.changed.get(root.num)?.old !== null || this.references.get(root.num) !== 1))
        throw new Other('the catalog is another one');
      this.compared.add(root.num);
    }
    const info = this.final.trailer.get('Info');
    if (!isSame(info, this.signed.trailer.get('Info'))) this.raise('metadata');
    this.own(info, 'metadata');
    this.forms(old.get('AcroForm'), now.get('AcroForm'));
  }

  /**
   * Allows all changed objects to which a value refers, at any depth, with any content. Each reference found this way
   * is counted, because nothing else may refer to these objects.
   * @param deep whether unchanged objects are followed, allowed and counted as well
   */
  private own(value: Value | undefined, change: LaterChanges, deep = false, depth = 0): void {
    if (depth > DEPTH_MAX) throw new LimitReached('depth');
    for (const { num } of refsIn(value ?? null)) {
      const changed = this.changed.get(num);
      if (this.compared.has(num) || (!changed && !deep)) continue;
      const isKnown = this.owned.has(num);
      this.allow(num);
      if (changed) this.raise(change);
      if (!isKnown) this.own(changed ? changed.now : this.final.read(num)?.value, change, deep, depth + 1);
    }
  }

  private forms(before: Value | undefined, after: Value | undefined): void {
    const [old, now] = [this.signed.resolve(before), this.final.resolve(after)];
    if (now === null && old === null) return;
    if (!(now instanceof Dict) || (old !== null && !(old instanceof Dict))) throw new Other('the form is gone');
    this.ownOne(after);
    for (const key of keysOf(old, now)) {
      const [was, is] = [old?.get(key), now.get(key)];
      if (key === 'Fields' || isSame(was, is)) continue;
      const isUnused = old === null || this.isForSignatures(old);
      if (key === 'SigFlags' && typeof is === 'number') continue;
      if (key === 'NeedAppearances' && is === false && was === undefined) continue;
      if (!isUnused || !['DR', 'DA', 'Q'].includes(key)) throw new Other(`the form's ${key} differs`);
      this.own(is, 'signatures');
    }
    this.kids(old?.get('Fields'), now.get('Fields'), FORM);
  }

  /** Whether all fields of a form are signature fields. The form's defaults then draw nothing. */
  private isForSignatures(form: Dict): boolean {
    const fields = this.signed.resolve(form.get('Fields'));
    const isOne = (field: Value): boolean => field instanceof Dict && isName(field.get('FT'), 'Sig');
    return !Array.isArray(fields) || fields.every((each) => isOne(this.signed.resolve(each)));
  }

  /** Allows one reference to a changed object. The caller compares the object's content. */
  private ownOne(value: Value | undefined): void {
    if (value instanceof Ref && this.changed.has(value.num)) this.allow(value.num);
  }

  private allow(num: number): void {
    this.owned.set(num, (this.owned.get(num) ?? 0) + 1);
  }

  /**
   * Compares two lists of fields.
   * @throws Other unless all old fields keep their order and all new fields are signature fields
   */
  private kids(before: Value | undefined, after: Value | undefined, above: Above): void {
    const [old, now] = [this.list(this.signed, before), this.list(this.final, after)];
    const { num, isValued } = above;
    this.ownOne(after);
    for (const kept of old) if (kept instanceof Ref) this.field(kept.num, above);
    const added = this.added(old, now);
    // A field that held a value of its own would lose this value and become a group.
    if (added.length > 0 && num !== null && (old.length === 0 || isValued))
      throw new Other(`field ${num} becomes a group`);
    for (const each of added) this.newField(each, num, 'Fields');
  }

  private list(revision: Revision, value: Value | undefined): Value[] {
    const list = revision.resolve(value);
    if (list === null) return [];
    if (!Array.isArray(list)) throw new Other('a list is none');
    this.final.file.budget.step(list.length);
    return list;
  }

  /** Returns the references that were added to a list. @throws Other if anything else in the list changed */
  private added(old: readonly Value[], now: readonly Value[]): Ref[] {
    const added: Ref[] = [];
    let next = 0;
    for (const value of now) {
      if (next < old.length && isSame(value, old[next])) next += 1;
      else if (value instanceof Ref) added.push(value);
      else throw new Other('a list has another value');
    }
    if (next < old.length) throw new Other('a list lost a value');
    if (new Set(added.map(({ num }) => num)).size < added.length) throw new Other('a list has a value twice');
    return added;
  }

  /**
   * Compares a field that existed before. @throws Other unless it is the same, or an empty signature field that was
   * signed
   */
  private field(num: number, above: Above): void {
    if (this.fields.has(num)) return;
    this.fields.add(num);
    if (this.fields.size > FIELDS_MAX || above.depth > DEPTH_MAX) throw new LimitReached('depth');
    const { old: before, now: value } = this.both(num);
    if (!(value instanceof Dict) || !(before instanceof Dict)) {
      if (this.changed.has(num)) throw new Other(`field ${num} is none`);
      return;
    }
    this.names.add(nameIn(above.num, value));
    const type = before.get('FT');
    const isSignature = type === undefined ? above.isSignature : isName(type, 'Sig');
    const held = value.get('V');
    const isSigned = above.isSigned || (isSignature && (before.get('V') ?? null) === null && held instanceof Ref);
    for (const key of keysOf(before, value)) {
      const [was, is] = [before.get(key), value.get(key)];
      if (key === 'Kids' || isSame(was, is)) continue;
      // A signature may lock a field: only its ReadOnly flag may be set.
      if (key === 'Ff' && numberOf(was) === (numberOf(is) & ~1)) continue;
      if (isSigned && key === 'Type' && was === undefined && isName(is, 'Annot')) continue;
      if (isSigned && key === 'F' && ((numberOf(was) ^ numberOf(is)) & UNSEEN) === 0) continue;
      if (!isSigned || !SIGNED_KEYS.has(key)) throw new Other(`field ${num}: ${key} differs`);
    }
    this.compared.add(num);
    if (isSigned) {
      this.signature(held);
      this.widgets.set(num, { isNew: false, dict: value });
      // If the reference to the appearance is unchanged, the object that it points to was redrawn.
      const [was, is] = [before.get('AP'), value.get('AP')];
      if (was instanceof Ref && !isSame(was, is) && this.references.has(was.num))
        throw new Other(`object ${was.num} is used for something else as well`);
      this.appearance(is, isSame(was, is));
    }
    const own = { num, isSignature, isSigned, isValued: type !== undefined, depth: above.depth + 1 };
    if (before.get('Kids') !== undefined || value.get('Kids') !== undefined)
      this.kids(before.get('Kids'), value.get('Kids'), own);
  }

  /** Allows the dictionary of a later signature. @throws Other if the object existed before */
  private signature(value: Value | undefined): void {
    if (!(value instanceof Ref)) return;
    const dict = this.changed.get(value.num)?.now;
    if (!(dict instanceof Dict)) throw new Other('a field was given an object that was there before');
    const isTimestamp = isName(dict.get('SubFilter'), 'ETSI.RFC3161');
    this.own(value, isTimestamp ? 'validation_data' : 'signatures');
  }

  private appearance(value: Value | undefined, isKept: boolean): void {
    if (!isKept) this.own(value, 'validation_data');
    else if (value instanceof Ref && this.changed.has(value.num)) this.own(value, 'signatures');
    else {
      // The reference to the normal appearance may change, but not the objects that the appearance uses.
      const dict = this.final.resolve(value);
      const normal = dict instanceof Dict ? dict.get('N') : undefined;
      if (!(normal instanceof Ref) || !this.changed.has(normal.num)) return;
      if (value instanceof Ref && this.references.get(value.num) !== 1)
        throw new Other(`object ${value.num} is used for something else as well`);
      this.own(normal, 'signatures');
    }
  }

  /** Allows a new signature field, or a new widget of one. @throws Other for anything else */
  private newField(ref: Ref, parent: number | null, where: string): void {
    const { num } = ref;
    this.fields.add(num);
    if (this.fields.size > FIELDS_MAX) throw new LimitReached('depth');
    const change = this.changed.get(num);
    if (!change || change.old !== null || !(change.now instanceof Dict))
      throw new Other(`${where}: object ${num} is not new`);
    const dict = change.now;
    if (this.widgets.has(num)) throw new Other(`field ${num} is there twice`);
    const isWidget = where === 'Kids';
    if (isWidget ? dict.get('FT') !== undefined : !isName(dict.get('FT'), 'Sig'))
      throw new Other(`field ${num} is no signature's`);
    for (const key of keysOf(dict)) if (!FIELD_KEYS.has(key)) throw new Other(`field ${num} has ${key}`);
    const [type, subtype] = [dict.get('Type'), dict.get('Subtype')];
    if (!(type === undefined || isName(type, 'Annot')) || !(subtype === undefined || isName(subtype, 'Widget')))
      throw new Other(`field ${num} is another annotation`);
    if (parent === null ? dict.get('Parent') !== undefined : !isSame(dict.get('Parent'), new Ref(parent, 0)))
      throw new Other(`field ${num} has another parent`);
    // Fields with the same name are the same field.
    const name = nameIn(parent, dict);
    if (!isWidget && (this.names.has(name) || !(dict.get('T') instanceof Text)))
      throw new Other(`field ${num} has another's name`);
    this.names.add(name);
    this.allow(num);
    this.widgets.set(num, { isNew: true, dict });
    const held = dict.get('V');
    if (held instanceof Ref) this.signature(held);
    else if (held !== undefined) throw new Other(`field ${num} has no object as its value`);
    else this.raise('signatures');
    for (const key of ['AP', 'MK', 'Lock', 'SV', 'DR', 'BS']) this.own(dict.get(key), 'validation_data');
    for (const kid of this.list(this.final, dict.get('Kids'))) {
      if (isWidget || !(kid instanceof Ref)) throw new Other(`field ${num} has odd kids`);
      this.newField(kid, num, 'Kids');
      // This counts the field's reference back to its parent.
      this.allow(num);
    }
    this.ownOne(dict.get('Kids'));
  }

  /** Compares all pages. @throws Other for any change except added widgets of signature fields */
  private allPages(): void {
    for (const num of this.pages) {
      const { old: before, now: page } = this.both(num);
      if (!(page instanceof Dict && before instanceof Dict) || !isName(before.get('Type'), 'Page')) continue;
      for (const key of keysOf(before, page))
        if (key !== 'Annots' && !isSame(before.get(key), page.get(key))) throw new Other(`page ${num}: ${key} differs`);
      this.compared.add(num);
      const [was, is] = [before.get('Annots'), page.get('Annots')];
      const now = this.list(this.final, is);
      const isChanged = this.changed.has(num) || (is instanceof Ref && this.changed.has(is.num));
      const added = isChanged ? this.added(this.list(this.signed, was), now) : [];
      for (const each of added) {
        if (!this.widgets.has(each.num)) throw new Other(`page ${num}: object ${each.num} was added`);
        this.ownOne(each);
      }
      this.ownOne(is);
      this.stamps(now, page, added);
    }
  }

  /** @throws Other if a later signature draws something on the page that may hide the page's content */
  private stamps(annotations: readonly Value[], page: Dict, added: readonly Ref[]): void {
    for (const each of annotations) {
      const widget = each instanceof Ref ? this.widgets.get(each.num) : undefined;
      if (!(each instanceof Ref) || !widget) continue;
      const box = this.box(widget.dict.get('Rect'));
      const [left, bottom, right, top] = box;
      const isHidden = (numberOf(widget.dict.get('F')) & UNSEEN) !== 0;
      if (left === right || bottom === top || isHidden) continue;
      const [x, y, toX, toY] = this.pageBox(page);
      const largest = Math.max(STAMP_AREA_MAX, STAMP_PART_MAX * (toX - x) * (toY - y));
      if ((right - left) * (top - bottom) > largest) throw new Other(`field ${each.num} is large`);
      if (!widget.isNew && !added.includes(each)) continue;
      if (this.isCertified) throw new Other(`field ${each.num} draws on a certified page`);
      for (const other of annotations) {
        if (other === each) continue;
        const annotation = dictOf(this.final.resolve(other));
        const [oLeft, oBottom, oRight, oTop] = this.box(annotation?.get('Rect'));
        if (oLeft < right && left < oRight && oBottom < top && bottom < oTop)
          throw new Other(`field ${each.num} hides another`);
      }
    }
  }

  private box(value: Value | undefined): readonly [number, number, number, number] {
    const box = this.final.resolve(value);
    if (!Array.isArray(box) || box.length !== 4) return [0, 0, 0, 0];
    const [a = 0, b = 0, c = 0, d = 0] = box.map((each) => numberOf(this.final.resolve(each)));
    return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  }

  private pageBox(page: Dict): readonly [number, number, number, number] {
    let node: Dict | null = page;
    for (let depth = 0; node && depth < DEPTH_MAX; depth += 1) {
      const box = this.box(node.get('CropBox') ?? node.get('MediaBox'));
      if (box[2] > box[0]) return box;
      node = dictOf(this.final.resolve(node.get('Parent')));
    }
    return [0, 0, 595, 842];
  }
}

function numberOf(value: Value | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function nameIn(parent: number | null, field: Dict): string {
  const name = field.get('T');
  return `${parent} ${name instanceof Text ? hex(name.bytes.subarray(0, 256)) : ''}`;
}

const COMMENT_BYTES_MAX = 128;
/** Words that a reader could take for the start of an object if the reader repairs the file. */
const WORDS = /obj|xref|trailer|stream|%PDF|\/|<</;

/** Whether the file has only white space from the offset `from` on. */
function isBlank(file: PdfFile, from: number): boolean {
  for (let at = from; at < file.bytes.length; at += 1) if (!isWhite(file.bytes[at])) return false;
  return true;
}

const TABLE = /^xref[\s\dnf]+$/;
const BEGINNING_BYTES = 2_048;

/**
 * Whether a file with an appended revision says that it is linearized (ISO 32000-2 Annex F). This is untrue once bytes
 * are appended. A reader that trusts the statement begins with the first cross-reference in the file.
 */
function isLinearized(file: PdfFile): boolean {
  const beginning = latin1(file.bytes.subarray(0, BEGINNING_BYTES));
  const at = beginning.search(/(?<!\d)\d{1,10}\s{1,9}\d{1,5}\s{1,9}obj/);
  if (at < 0) return false;
  const value = orNull(() => file.objectAt(at, file.bytes.length, null, null))?.value;
  const length = value instanceof Dict && value.get('Linearized') !== undefined ? value.get('L') : null;
  return typeof length === 'number' ? length === file.bytes.length : length instanceof Ref;
}

/**
 * Checks that all readers understand the bytes after a revision alike (ISO 32000-2 §7.5.6). These bytes may only be the
 * new cross-references, objects that these name, and short comments.
 * @returns why readers may understand the bytes differently; null if they cannot
 */
function tailFault(file: PdfFile, signed: Revision, final: Revision): string | null {
  const count = final.sections.length - signed.sections.length;
  const newer = final.sections.slice(0, Math.max(0, count));
  if (count < 1 || signed.sections.some(({ at }, index) => final.sections[count + index]?.at !== at))
    return 'the cross-references do not go on from the signed ones';
  // Some programs point to the white space in front of an object or a table.
  const start = (at: number): number => {
    let from = at;
    while (isWhite(file.bytes[from]) && from < at + 2) from += 1;
    return from;
  };
  if (newer.some(({ isOdd }) => isOdd)) return 'an odd cross-reference';
  if (newer.some(({ trailer }) => trailer.get('XRefStm') !== undefined)) return 'a hybrid cross-reference';
  const sections = new Map(newer.map((section) => [start(section.at), section]));
  const places = new Map<number, number>();
  for (const { entries } of newer)
    for (const [num, entry] of entries) if ('at' in entry && entry.at >= signed.end) places.set(start(entry.at), num);
  // A cross-reference stream is an object like any other.
  for (const { at, isStream } of newer) if (isStream) places.set(start(at), -1);
  const met = { sections: new Set<number>(), last: -1, isClosed: false };
  const parser = new Parser(file.bytes, signed.end, file.bytes.length, file.budget);
  try {
    while (skipped(parser)) {
      const at = parser.at;
      const section = sections.get(at);
      if (section) {
        met.sections.add(at);
        met.last = at;
      }
      met.isClosed = false;
      if (section && !section.isStream) {
        const table = latin1(file.bytes.subarray(at, firstWord(file.bytes, 'trailer', at, section.to)));
        if (!TABLE.test(table)) return 'a table that is written oddly';
        parser.at = section.to;
        continue;
      }
      if (parser.peek() === 'startxref') {
        parser.word();
        if (start(parser.integer()) !== met.last) return 'a startxref that does not point to its cross-reference';
        met.isClosed = true;
        continue;
      }
      const num = places.get(at);
      if (num === undefined) return `something at ${at} that no cross-reference names`;
      const read = file.objectAt(at, file.bytes.length, num < 0 ? null : num, (ref) => final.length(ref, true));
      if (read.isOdd) return `object ${read.num} is written oddly`;
      parser.at = read.to;
    }
  } catch (error) {
    if (error instanceof PdfFault) return error.message;
    throw error;
  }
  if (met.sections.size !== sections.size || !met.isClosed || met.last !== start(final.startxref))
    return 'a cross-reference is missing';
  return null;
}

/** Skips white space and harmless comments. @returns whether bytes are left @throws PdfFault for any other comment */
function skipped(parser: Parser): boolean {
  for (;;) {
    while (parser.at < parser.end && isWhite(parser.bytes[parser.at])) parser.at += 1;
    if (parser.at >= parser.end) return false;
    if (parser.bytes[parser.at] !== 37) return true;
    const from = parser.at;
    parser.skipComment();
    const comment = latin1(parser.bytes.subarray(from, Math.min(parser.at, from + COMMENT_BYTES_MAX + 1)));
    if (comment.length > COMMENT_BYTES_MAX || WORDS.test(comment.slice(1))) throw new PdfFault(`A comment at ${from}`);
  }
}
