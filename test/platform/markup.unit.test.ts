import { expect, test } from 'vitest';
import { Fragment, jsx } from '../../src/platform/markup/jsx-runtime';
import { type Child, Markup, markup } from '../../src/platform/markup/markup';

const SPECIAL = `<b a="1" b='2'>&`;
const ESCAPED = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;';

test('escapes each text once, in elements and in attributes, of JSX and of templates', () => {
  const inner = jsx('b', { title: SPECIAL, children: [SPECIAL, [SPECIAL]] });
  expect(String(inner)).toBe(`<b title="${ESCAPED}">${ESCAPED}${ESCAPED}</b>`);
  expect(String(jsx('p', { children: inner }))).toBe(`<p>${inner}</p>`);
  expect(String(markup`<p title="${SPECIAL}">${[SPECIAL, inner]}</p>`)).toBe(
    `<p title="${ESCAPED}">${ESCAPED}${inner}</p>`,
  );
  expect(String(jsx(({ text }) => text as Child, { text: SPECIAL }))).toBe(ESCAPED);
  expect(String(jsx(Fragment, { children: SPECIAL }))).toBe(ESCAPED);
});

test('lets nothing but markup through as it is: a list or an object in an attribute is escaped too', () => {
  expect(String(jsx('i', { class: [SPECIAL], title: { toString: () => SPECIAL } }))).toBe(
    `<i class="${ESCAPED}" title="${ESCAPED}"></i>`,
  );
  expect(() => jsx('i', { children: { text: SPECIAL } })).toThrow(TypeError);
  expect(String(jsx('i', { children: new Markup('<br/>') }))).toBe('<i><br/></i>');
});

test('writes numbers, and nothing for null, undefined, true and false', () => {
  const children = [0, null, undefined, true, false, ''];
  expect(String(jsx('i', { children }))).toBe('<i>0</i>');
  expect(String(markup`${children}${0}${false}`)).toBe('00');
});

test('writes boolean attributes only where they are true, other ones with their value, and no end where the standard needs none', () => {
  const attributes = {
    hidden: true,
    disabled: false,
    'aria-hidden': false,
    'data-x': true,
    'data-y': '',
    spellcheck: false,
    id: null,
  };
  expect(String(jsx('input', attributes))).toBe(
    '<input hidden aria-hidden="false" data-x="true" data-y spellcheck="false">',
  );
});
