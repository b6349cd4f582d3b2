export interface Posted {
  /** Path and query that the form was posted to. */
  action: string;
  fields: readonly (readonly [name: string, value: string])[];
}

interface Control {
  kind: 'input' | 'select' | 'textarea' | 'button';
  name: string;
  type: string;
  value: string;
  /** Positions of the `<details>` elements around it. */
  folds: number[];
}

interface FoundForm {
  action: string;
  /** Positions of the `<details>` elements around it. */
  folds: number[];
  controls: Control[];
}

/** HTML id that is given to the form that gets its values back. */
export const RESUMED_FORM = 'resumed-form';
/** Hidden fields with such names hold the state that a form was made from. All others say what it is about. */
const STATE = /^(seen|lines$)/;
/** Weights: equal hidden values count more than any number of equal names, and the right action more than both. */
const SAME_ACTION = 1_000_000;
const SAME_HIDDEN = 1000;

/**
 * Puts posted values back into the form of a page that they came from: the one with its action, else the one that shares most
 * names; never one that is about something else (a row of a list). Of hidden fields only the state comes
 * back that the form was made from, so that a change by somebody else in between is still noticed: nobody sees what is in the
 * others, and they decide what the form does. Passwords, files and the interface's own fields (`form_…`) are not filled in.
 * @returns the page, and the values for which it has no field
 */
export async function refill(html: string, posted: Posted): Promise<{ html: string; left: string[] }> {
  const forms = await formsOf(html);
  const scores = forms.map((form) => scoreOf(form, posted));
  const best = scores.indexOf(Math.max(...scores, 1));
  const values = Map.groupBy(posted.fields, ([name]) => name);
  const queues = new Map([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
  const form = forms[best];
  const filled = form ? await fill(html, best, form, queues) : html;
  return { html: filled, left: [...queues.values()].flat().filter((value) => value.trim() !== '') };
}

async function formsOf(html: string): Promise<FoundForm[]> {
  const forms: FoundForm[] = [];
  const folds: number[] = [];
  let [foldCount, current] = [0, null as FoundForm | null];
  const control = (kind: Control['kind']) => (element: Element) => {
    const [name, type, value] = ['name', 'type', 'value'].map((attribute) => attributeOf(element, attribute));
    if (name) current?.controls.push({ kind, name, type: type || 'text', value: value ?? '', folds: [...folds] });
  };
  await rewrite(html, {
    details: (element) => {
      folds.push(foldCount);
      foldCount += 1;
      element.onEndTag(() => void folds.pop());
    },
    form: (element) => {
      const action = attributeOf(element, 'action').split('#')[0] ?? '';
      const form = { action, folds: [...folds], controls: [] };
      forms.push(form);
      current = attributeOf(element, 'method') === 'post' ? form : null;
    },
    input: control('input'),
    select: control('select'),
    textarea: control('textarea'),
    button: control('button'),
  });
  return forms;
}

function scoreOf({ action, controls }: FoundForm, posted: Posted): number {
  const own = controls.filter(({ name }) => !name.startsWith('form_'));
  const isSent = ({ name, value }: Control) => posted.fields.some((field) => field[0] === name && field[1] === value);
  const names = new Set(own.map(({ name }) => name));
  const shared = posted.fields.filter(([name]) => names.has(name)).length;
  if (shared === 0) return 0;
  const hidden = own.filter(({ type }) => type === 'hidden');
  if (hidden.some((each) => !STATE.test(each.name) && !isSent(each))) return 0;
  return (action === posted.action ? SAME_ACTION : 0) + hidden.filter(isSent).length * SAME_HIDDEN + shared;
}

/** The `<details>` elements that are opened so that what somebody typed is visible: around the form, and around what differs in it. */
function foldsOf({ folds, controls }: FoundForm, values: ReadonlyMap<string, readonly string[]>): Set<number> {
  const isTyped = ({ kind, type }: Control) => kind !== 'button' && !['hidden', 'checkbox', 'radio'].includes(type);
  const differs = ({ name, value }: Control) => values.get(name)?.some((sent) => sent !== value) ?? false;
  return new Set([
    ...folds,
    ...controls.filter((each) => isTyped(each) && differs(each)).flatMap((each) => each.folds),
  ]);
}

/** @param queues the values by name; used values are removed */
async function fill(html: string, index: number, form: FoundForm, queues: Map<string, string[]>): Promise<string> {
  let [formAt, foldAt] = [-1, -1];
  const opened = foldsOf(form, queues);
  let select: string | undefined;
  const isHere = (name: string) => formAt === index && name !== '' && !name.startsWith('form_');
  const next = (name: string) => queues.get(name)?.shift();
  const take = (name: string, value: string): boolean => {
    const at = queues.get(name)?.indexOf(value) ?? -1;
    if (at >= 0) queues.get(name)?.splice(at, 1);
    return at >= 0;
  };
  const mark = (element: Element, attribute: string, isOn: boolean) =>
    isOn ? element.setAttribute(attribute, '') : element.removeAttribute(attribute);
  return rewrite(html, {
    details: (element) => {
      foldAt += 1;
      if (opened.has(foldAt)) element.setAttribute('open', '');
    },
    form: (element) => {
      formAt += 1;
      if (formAt === index) element.setAttribute('id', RESUMED_FORM);
    },
    input: (element) => {
      const [name, type] = [attributeOf(element, 'name'), attributeOf(element, 'type')];
      if (!isHere(name) || type === 'password' || type === 'file') return;
      if (type === 'checkbox' || type === 'radio') {
        return mark(element, 'checked', take(name, attributeOf(element, 'value') || 'on'));
      }
      const value = next(name);
      const isFilled = type !== 'hidden' || STATE.test(name);
      if (value !== undefined && isFilled) element.setAttribute('value', escaped(value));
    },
    textarea: (element) => {
      const name = attributeOf(element, 'name');
      const value = isHere(name) ? next(name) : undefined;
      if (value !== undefined) element.setInnerContent(value);
    },
    select: (element) => {
      const name = attributeOf(element, 'name');
      select = isHere(name) && queues.has(name) ? name : undefined;
    },
    option: (element) => {
      if (select !== undefined) mark(element, 'selected', take(select, attributeOf(element, 'value')));
    },
    button: (element) => {
      const name = attributeOf(element, 'name');
      if (isHere(name)) take(name, attributeOf(element, 'value'));
    },
  });
}

function rewrite(html: string, handlers: Record<string, (element: Element) => void>): Promise<string> {
  const rewriter = Object.entries(handlers).reduce(
    (made, [selector, element]) => made.on(selector, { element }),
    new HTMLRewriter(),
  );
  return rewriter.transform(new Response(html)).text();
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Decodes an attribute, which HTMLRewriter gives as it is written in the page. Empty for a missing one. */
function attributeOf(element: Element, name: string): string {
  return (element.getAttribute(name) ?? '').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Encodes an attribute: HTMLRewriter itself encodes only quotes. */
function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
