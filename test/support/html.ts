/** Pages as a browser without scripts reads them. */

export interface Field {
  name: string;
  value: string;
  /** Of an input; else `select` (one field for each option), `textarea` or `button`. */
  type: string;
  /** Whether a browser sends it as it stands: hidden, typed, ticked or chosen. Of buttons only the one that is pressed. */
  isSent: boolean;
}

export interface Form {
  method: string;
  action: string;
  /** Where its buttons send it instead. */
  otherActions: string[];
  fields: Field[];
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function attribute(attributes: string, name: string): string {
  return unescaped(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

/** Every form of a page, in its order. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', inside = '']) => ({
    method: attribute(attributes, 'method') || 'get',
    action: attribute(attributes, 'action'),
    otherActions: [...inside.matchAll(/\sformaction="([^"]*)"/g)].map(([, address = '']) => unescaped(address)),
    fields: fieldsOf(inside),
  }));
}

const FIELD = /<(input|textarea|select|button)\b([^>]*)>(?:(.*?)<\/\1>)?/gs;

/** Every field of a page or a part of one. */
export function fieldsOf(html: string): Field[] {
  const fields = [...html.matchAll(FIELD)].flatMap(([, tag = '', attributes = '', inside = '']): Field[] => {
    const name = attribute(attributes, 'name');
    if (tag === 'textarea') return [{ name, value: unescaped(inside), type: tag, isSent: true }];
    if (tag === 'select') return optionsIn(inside).map((option) => ({ name, type: tag, ...option }));
    const value = attribute(attributes, 'value');
    if (tag === 'button') return [{ name, value, type: tag, isSent: false }];
    const type = attribute(attributes, 'type');
    if (type !== 'radio' && type !== 'checkbox') return [{ name, value, type, isSent: true }];
    return [{ name, value: value || 'on', type, isSent: /\schecked\b/.test(attributes) }];
  });
  return fields.filter(({ name }) => name !== '');
}

function optionsIn(html: string): { value: string; isSent: boolean }[] {
  const options = [...html.matchAll(/<option value="([^"]*)"( selected)?/g)];
  const chosen = options.find(([, , selected]) => selected) ?? options[0];
  return options.map((option) => ({ value: unescaped(option[1] ?? ''), isSent: option === chosen }));
}

/** What a browser would send of the form that is posted to an address, by itself or by one of its buttons. @param which of several */
export function filledIn(html: string, action: string, which = 0): Record<string, string> {
  const isFor = (each: Form) => each.action === action || each.otherActions.includes(action);
  const form = formsOf(html).filter((each) => each.method === 'post' && isFor(each))[which];
  if (!form) throw new Error(`no form for ${action}`);
  return Object.fromEntries(form.fields.filter(({ isSent }) => isSent).map(({ name, value }) => [name, value]));
}

/** The value of the first field with a name, or an empty text. */
export function fieldOn(html: string, name: string): string {
  return unescaped(new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1] ?? '');
}

/** Most bytes of a page as they are sent, compressed. */
export const PAGE_BYTES_MAX = 15 * 1024;

/** How many bytes a page has when it is sent: gzip. */
export async function sentBytes(html: string): Promise<number> {
  const sent = new Blob([html]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(sent).arrayBuffer()).byteLength;
}

/** What a page says, without markup. */
export function textOf(html: string): string {
  const body = html.replace(/<(script|style|head)\b.*?<\/\1>/gs, '');
  return unescaped(body.replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Where the links of a page lead, those that fit. */
export function linksOf(html: string, pattern = /^/): string[] {
  const links = [...html.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].map(([, href = '']) => unescaped(href));
  return links.filter((href) => pattern.test(href));
}
