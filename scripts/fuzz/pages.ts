/** A form as a browser would send it. */
export interface PageForm {
  action: string;
  /** Hidden, typed, ticked and chosen fields. */
  fields: [name: string, value: string][];
  /** Values that could be chosen instead. */
  choices: Record<string, string[]>;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function attribute(attributes: string, name: string): string {
  return decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

/** Every form that is posted. */
export function formsOn(html: string): PageForm[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action, inside]) =>
    formOf(decoded(action ?? ''), inside ?? ''),
  );
}

function formOf(action: string, inside: string): PageForm {
  const form: PageForm = { action, fields: [], choices: {} };
  const add = (name: string, value: string, isSent = true) => {
    if (name === '') return;
    form.choices[name] = [...(form.choices[name] ?? []), value];
    if (isSent) form.fields.push([name, value]);
  };
  for (const [, attributes = ''] of inside.matchAll(/<input\b([^>]*)>/g)) {
    const isChoice = /type="(radio|checkbox)"/.test(attributes);
    const value = isChoice ? attribute(attributes, 'value') || 'on' : attribute(attributes, 'value');
    add(attribute(attributes, 'name'), value, !isChoice || /\bchecked\b/.test(attributes));
  }
  for (const [, name = '', options = ''] of inside.matchAll(/<select\b[^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option value="([^"]*)"( selected)?/g)];
    const chosen = all.find(([, , selected]) => selected) ?? all[0];
    for (const option of all) add(name, decoded(option[1] ?? ''), option === chosen);
  }
  for (const [, name = '', value = ''] of inside.matchAll(/<textarea\b[^>]*name="([^"]+)"[^>]*>(.*?)<\/textarea>/gs)) {
    add(name, decoded(value));
  }
  // Of several buttons one is pressed.
  for (const [, attributes = ''] of inside.matchAll(/<button\b([^>]*)>/g)) {
    const name = attribute(attributes, 'name');
    add(name, attribute(attributes, 'value'), !form.fields.some(([sent]) => sent === name));
  }
  return form;
}

/** Addresses of the interface that a page links to or asks with a form for. */
export function linksOn(html: string): string[] {
  const links = [...html.matchAll(/<a\b[^>]*\shref="(\/manage[^"#]*)/g)].map(([, href = '']) => decoded(href));
  const asked = [...html.matchAll(/<form\b(?![^>]*method="post")[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inside = '']) => {
      const names = [...inside.matchAll(/\sname="([^"]+)"/g)].map(([, name = '']) => `${decoded(name)}=`);
      return `${decoded(action)}?${names.join('&')}`;
    },
  );
  const assets = [...html.matchAll(/\s(?:href|src)="(\/manage\/assets\/[^"]*)/g)].map(([, path = '']) => path);
  return [...links, ...assets, ...asked.filter((path) => path.startsWith('/manage'))];
}

export function formTokenOn(html: string): string {
  return /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
}
