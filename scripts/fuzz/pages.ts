import { type Field, formsOf, linksOf } from '../../test/support/html.ts';

/** A form as a browser would send it. */
export interface PageForm {
  action: string;
  /** Hidden, typed, ticked and chosen fields. */
  fields: [name: string, value: string][];
  /** Values that could be chosen instead. */
  choices: Record<string, string[]>;
}

/** Every form that is posted, once for each address that its buttons send it to. */
export function formsOn(html: string): PageForm[] {
  const posted = formsOf(html).filter(({ method }) => method === 'post');
  return posted.flatMap(({ action, otherActions, fields }) => {
    const byName = [...Map.groupBy(fields, ({ name }) => name)];
    const choices = Object.fromEntries(byName.map(([name, all]) => [name, all.map(({ value }) => value)]));
    return [...new Set([action, ...otherActions])].map((each) => ({ action: each, fields: sentOf(fields), choices }));
  });
}

/** Of several buttons one is pressed. */
function sentOf(fields: readonly Field[]): [name: string, value: string][] {
  const sent = fields.filter(({ isSent }) => isSent);
  for (const field of fields) {
    if (field.type === 'button' && !sent.some(({ name }) => name === field.name)) sent.push(field);
  }
  return sent.map(({ name, value }) => [name, value]);
}

/** Addresses of the interface that a page links to or asks with a form for. */
export function linksOn(html: string): string[] {
  const links = linksOf(html, /^\/manage/).map((href) => href.replace(/#.*/, ''));
  const asked = formsOf(html)
    .filter(({ method, action }) => method !== 'post' && action.startsWith('/manage'))
    .map(({ action, fields }) => `${action}?${[...new Set(fields.map(({ name }) => `${name}=`))].join('&')}`);
  const assets = [...html.matchAll(/\s(?:href|src)="(\/manage\/assets\/[^"]*)/g)].map(([, path = '']) => path);
  return [...links, ...assets, ...asked];
}
