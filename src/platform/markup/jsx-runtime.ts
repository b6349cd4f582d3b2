import type { JSX as Hono } from 'hono/jsx/jsx-runtime';
import { type Child, escaped, Markup, textOf } from './markup';

type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => Child;

/**
 * What JSX is compiled to (`jsxImportSource` in tsconfig.json, `imports` in package.json): an element becomes text at once. Hono's
 * runtime makes a tree of objects first, because it also waits for promises; that took more than twice as long.
 * @param props their names are never input: they are not escaped
 */
export function jsx(tag: string | Component, props: Props): Markup {
  if (typeof tag === 'function') return asMarkup(tag(props));
  let text = `<${tag}`;
  for (const name in props) if (name !== 'children') text += attribute(name, props[name]);
  if (VOID.has(tag)) return new Markup(`${text}>`);
  const end = ENDLESS.has(tag) ? '' : `</${tag}>`;
  return new Markup(`${text}>${textOf(props.children as Child)}${end}`);
}

export { jsx as jsxDEV, jsx as jsxs };

export function Fragment({ children }: { children?: Child }): Markup {
  return asMarkup(children);
}

function asMarkup(child: Child): Markup {
  return child instanceof Markup ? child : new Markup(textOf(child));
}

/** Elements without an end (HTML standard §13.1.2). */
const VOID = listed('area base br col embed hr img input link meta source track wbr');
/** Elements that the next of their kind ends, or the end of what holds them (HTML standard §13.1.2.4): nothing else follows one in its parent. */
const ENDLESS = listed('dd dt li option tbody td th thead tr');
/** Attributes that are there or not (HTML standard §2.3.2); `true` and `false` are values of all others. */
const BOOLEAN = listed(
  'allowfullscreen async autofocus autoplay checked controls default defer disabled formnovalidate hidden inert ismap ' +
    'itemscope loop multiple muted nomodule novalidate open playsinline readonly required reversed selected',
);

function attribute(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean' && BOOLEAN.has(name)) return value ? ` ${name}` : '';
  if (value === '' && name.startsWith('data-')) return ` ${name}`;
  return ` ${name}="${escaped(String(value))}"`;
}

function listed(names: string): Set<string> {
  return new Set(names.split(' '));
}

export declare namespace JSX {
  type Element = Markup;
  type ElementType = string | ((props: never) => Child);
  interface ElementChildrenAttribute {
    children: Child;
  }
  type IntrinsicElements = Hono.IntrinsicElements;
}
