/**
 * Keys for whoever keeps a hand on the keyboard. A key moves the focus and never decides: what it leads to is done by
 * Enter. `data-key="x"` names where the key x leads; a link is followed, anything else gets the focus.
 */
export const KEYS = `
{
  const shortcuts = document.querySelector('[data-shortcuts]');

  const isTyping = (element) => element.closest('input, select, textarea, [contenteditable]') !== null;

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

  function goTo(key) {
    const target = [...document.querySelectorAll('[data-key]')].find((each) => each.dataset.key === key);
    if (!target) return false;
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    if (target.matches('a[href]')) target.click();
    else target.focus();
    return true;
  }

  const ACTS = {
    '/': focusSearch,
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    '?': () => shortcuts?.showModal(),
  };

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (shortcuts?.open || isTyping(event.target)) return;
    if (Object.hasOwn(ACTS, event.key)) ACTS[event.key]();
    else if (!goTo(event.key)) return;
    // Otherwise the letter would stand in the field that just got the focus.
    event.preventDefault();
  });

  addEventListener('click', (event) => {
    if (event.target.closest('[data-opens-shortcuts]')) shortcuts?.showModal();
  });
}
`;
