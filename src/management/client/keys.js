/**
 * Keys for whoever keeps a hand on the keyboard. A letter moves the focus and never decides: what it leads to is done by
 * Enter. `data-key="x"` names where the key x leads. A letter waits a moment for the next key: it may begin a scan
 * (scan.js), and then it means nothing.
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
   * The focus is the marker: Enter then opens the row by itself, and a screen reader says where one is.
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
    // Otherwise the letter would stand in the field that gets the focus.
    event.preventDefault();
    if (event.repeat) act();
    else waitingLetter = setTimeout(act, SCAN_GAP_MS);
  });

  addEventListener('click', (event) => {
    if (clicked(event, '[data-opens-shortcuts]')) shortcuts?.showModal();
  });
}
