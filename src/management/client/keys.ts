/**
 * Keys for whoever keeps a hand on the keyboard. A letter moves the focus and never decides: what it leads to is done by
 * Enter. `data-key="x"` names where the key x leads. A letter waits a moment for the next key: it may begin a scan
 * (client/scan.ts), and then it means nothing.
 */
export const KEYS = `
{
  const shortcuts = document.querySelector('[data-shortcuts]');

  // The page's own search before the one of the header.
  function focusSearch() {
    const field = document.querySelector('main [data-search]') ?? document.querySelector('[data-search]');
    field?.focus();
    field?.select();
  }

  // The focus is the marker: Enter then opens the row by itself, and a screen reader says where one is.
  function moveToRow(step) {
    const rows = [...document.querySelectorAll('main tbody tr')].filter((row) => row.querySelector('a[href]'));
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step];
    row?.querySelector('a[href]').focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }

  const targetOf = (key) => [...document.querySelectorAll('[data-key]')].find((each) => each.dataset.key === key);

  function goTo(target) {
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    target.focus();
  }

  const ACTS = {
    '/': focusSearch,
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    '?': () => shortcuts?.showModal(),
  };

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (shortcuts?.dataset.shortcuts === 'off' || shortcuts?.open || isTypedInto(event.target)) return;
    const target = targetOf(event.key);
    const act = Object.hasOwn(ACTS, event.key) ? ACTS[event.key] : target && (() => goTo(target));
    if (!act) return;
    // Otherwise the letter would stand in the field that gets the focus.
    event.preventDefault();
    if (event.repeat) act();
    else waitingLetter = setTimeout(act, SCAN_GAP_MS);
  });

  addEventListener('click', (event) => {
    if (event.target.closest('[data-opens-shortcuts]')) shortcuts?.showModal();
  });
}
`;
