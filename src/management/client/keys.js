import { clicked, elementsOf, isTypedInto } from './page.js';
import { SCAN_GAP_MS, scanField, scope, shortcuts, waiting } from './scan.js';

/**
 * Keyboard shortcuts. A letter only moves the focus, so that a wrong key decides nothing. Enter then acts.
 * - `a` moves the focus to the first missing checkbox, or to the decision if none is missing.
 * - `s` moves the focus to the scan field.
 * - Any other letter moves the focus to the element that has the letter as `data-key`.
 *
 * A letter acts only if no other key follows within SCAN_GAP_MS, because it may be the first character of a barcode
 * scan (scan.js).
 */

if (shortcuts) {
  const list = shortcuts;
  const isOn = () => list.dataset.shortcuts === 'on';

  /** Focuses the first search field of these parts of the page. @type {(...parts: string[]) => void} */
  const focusSearch = (...parts) => {
    const [field] = parts.flatMap((part) => elementsOf(`${part} [data-search]`));
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  };

  /**
   * Moves the focus to the next or previous row, so that Enter opens it and screen readers announce it.
   * @type {(step: 1 | -1) => void}
   */
  const moveToRow = (step) => {
    const rows = elementsOf('main tbody tr').filter((row) => row.querySelector('a[href]'));
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step];
    if (!row) return;
    elementsOf('a[href]', row)[0]?.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };

  /** @type {(target: HTMLElement) => void} */
  const goTo = (target) => {
    for (let fold = target.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
      fold.open = true;
    }
    // The radio button that shows the target's tab.
    const tab = document.getElementById(target.dataset.tab ?? '');
    if (tab instanceof HTMLInputElement) tab.checked = true;
    const fields = target.matches('summary') && target.parentElement;
    const [first] = fields ? elementsOf('select, textarea, input:not([type="hidden"])', fields) : [];
    (first ?? target).focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  };

  /** The first missing checkbox, else the decision. @type {() => HTMLElement | undefined} */
  const nextStep = () => {
    const within = scope();
    const missing = elementsOf('[data-tick]', within).find((tick) => tick.matches(':enabled:not(:checked)'));
    return missing ?? elementsOf('[data-decide]', within)[0];
  };

  /** Shortcuts outside dialogs. @type {Record<string, () => void>} */
  const ACTS = {
    // The header's field, which shows the `/`; the page's own if there is none.
    '/': () => focusSearch('header', 'body'),
    f: () => focusSearch('main'),
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    '?': () => list.showModal(),
  };

  /** @type {(key: string) => (() => void) | undefined} */
  const actOf = (key) => {
    const within = scope();
    if (within === document && Object.hasOwn(ACTS, key)) return ACTS[key];
    const named = elementsOf('[data-key]', within).find((each) => {
      return each.dataset.key === key && each.closest('dialog:not([open])') === null;
    });
    const target = (key === 'a' && nextStep()) || named || (key === 's' && scanField());
    return target ? () => goTo(target) : undefined;
  };

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    // With Caps Lock, a scan's digits would be shortcuts.
    if (!isOn() || list.open || event.getModifierState('CapsLock') || isTypedInto(event.target)) return;
    const found = actOf(event.key);
    if (!found) return;
    const act = () => {
      waiting.letter = undefined;
      found();
    };
    // Otherwise the letter would be typed into the field that gets the focus.
    event.preventDefault();
    if (event.repeat) act();
    else waiting.letter = { act, at: event.timeStamp, timer: setTimeout(act, SCAN_GAP_MS) };
  });

  // Setting a checkbox by key moves the focus on; clicking it does not (WCAG 3.2.2; the list of shortcuts says so).
  addEventListener('change', ({ target }) => {
    if (!isOn() || !(target instanceof HTMLInputElement) || !target.matches('[data-tick]:checked:focus-visible'))
      return;
    const next = nextStep();
    if (next) goTo(next);
  });

  // A click into the shown file moves the keyboard focus there. The page takes it back when the pointer leaves.
  addEventListener('mouseover', ({ target }) => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLIFrameElement && target !== activeElement) activeElement.blur();
  });

  addEventListener('click', (event) => {
    if (clicked(event, '[data-opens-shortcuts]')) list.showModal();
  });
}
