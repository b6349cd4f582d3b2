/**
 * Keyboard shortcuts. A letter only moves the focus, so that a wrong key decides nothing; Enter then acts. The letter x
 * moves it to the element with `data-key="x"`. A letter acts only when no other key follows within SCAN_GAP_MS, because
 * it may be the first character of a barcode scan (scan.js).
 */
{
  /** @type {HTMLDialogElement | null} */
  const shortcuts = document.querySelector('[data-shortcuts]');

  /** @type {(target: EventTarget | null) => boolean} */
  const isTypedInto = (target) =>
    target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;

  function focusSearch() {
    searchField()?.focus();
    searchField()?.select();
  }

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
    target.focus();
  };

  /** @type {Record<string, () => void>} */
  const ACTS = {
    '/': focusSearch,
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    '?': () => shortcuts?.showModal(),
  };

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (shortcuts?.dataset.shortcuts === 'off' || shortcuts?.open || isTypedInto(event.target)) return;
    const target = elementsOf('[data-key]').find((each) => each.dataset.key === event.key);
    const act = Object.hasOwn(ACTS, event.key) ? ACTS[event.key] : target && (() => goTo(target));
    if (!act) return;
    // Otherwise the letter would be typed into the field that gets the focus.
    event.preventDefault();
    if (event.repeat) act();
    else waitingLetter = setTimeout(act, SCAN_GAP_MS);
  });

  addEventListener('click', (event) => {
    if (clicked(event, '[data-opens-shortcuts]')) shortcuts?.showModal();
  });
}
