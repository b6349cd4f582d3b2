/**
 * What is on a page grows old, so the page is fetched again while somebody looks at it. `data-live` elements take the
 * fresh text at once; an element with `data-refresh-seconds` and an id is replaced as a whole, but never under the
 * reader's hand. Rows of a list (`data-rows`) that came in meanwhile are announced instead.
 */
{
  const LONGEST_MS = 300_000;
  const TIMEOUT_MS = 10_000;
  const boxes = () => elementsOf('[id][data-refresh-seconds]');
  const shortestMs = () => Math.min(...boxes().map((box) => Number(box.dataset.refreshSeconds) * 1000));
  /** @type {(box: HTMLElement) => HTMLElement[]} */
  const rowsOf = (box) => elementsOf('tr[data-row]', box);

  /**
   * Under the cursor, with the focus or a selection in it: whatever moves there is clicked by mistake.
   * @type {(box: HTMLElement) => boolean}
   */
  const isInHand = (box) => {
    const selection = getSelection();
    const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(box, true);
    const isScrolled = 'rows' in box.dataset && scrollY > 0;
    return box.matches(':hover') || box.contains(document.activeElement) || isSelected || isScrolled;
  };

  /** @type {(box: HTMLElement, fresh: HTMLElement) => void} */
  const replace = (box, fresh) => {
    box.replaceWith(fresh);
    showScripted(fresh);
  };

  /**
   * A live region that stands there from the start: what is put into it is read aloud.
   * @type {(count: number, show?: () => void) => void}
   */
  const announce = (count, show) => {
    const [bar] = elementsOf('[data-new-requests]');
    if (!bar || bar.dataset.count === String(count)) return;
    bar.dataset.count = String(count);
    bar.replaceChildren();
    if (count === 0 || !show) return;
    const { one = '', many = '', show: label = '' } = bar.dataset;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', show);
    bar.append(`${count === 1 ? one : many.replace('{n}', String(count))} `, button);
  };

  /** @type {(box: HTMLElement, page: Document) => void} */
  const refreshBox = (box, page) => {
    const fresh = page.getElementById(box.id);
    if (!fresh) return;
    if (!isInHand(box)) {
      if ('rows' in box.dataset) announce(0);
      // What is equal stays: a table that is replaced loses nothing, but a screen reader starts anew.
      if (box.outerHTML !== fresh.outerHTML) replace(box, fresh);
      return;
    }
    if (!('rows' in box.dataset)) return;
    const known = new Set(rowsOf(box).map((row) => row.dataset.row));
    const added = rowsOf(fresh).filter((row) => !known.has(row.dataset.row));
    const show = () => {
      replace(box, fresh);
      added[0]?.querySelector('a')?.focus();
      announce(0);
    };
    announce(added.length, show);
  };

  /** @type {(page: Document) => void} */
  const refreshPage = (page) => {
    document.title = page.title;
    for (const live of elementsOf('[id][data-live]')) {
      const fresh = page.getElementById(live.id);
      if (fresh && fresh.innerHTML !== live.innerHTML) live.replaceChildren(...fresh.childNodes);
    }
    for (const box of boxes()) refreshBox(box, page);
  };

  // Null when there is nothing to come back for: signed out, gone, not ours any more.
  const look = async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(location.href, { redirect: 'manual', cache: 'no-store', signal });
    if (answer.type === 'opaqueredirect' || [401, 403, 404].includes(answer.status)) return null;
    if (!answer.ok) throw new Error('not now');
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  };

  /** @type {() => Promise<unknown>} */
  const whenVisible = () =>
    new Promise((resolve) => {
      if (document.hidden) document.addEventListener('visibilitychange', resolve, { once: true });
      else resolve(null);
    });

  // One look at a time; after a failure twice as long until the next.
  const keepFresh = async () => {
    for (let failures = 0; boxes().length > 0; ) {
      const waitMs = Math.min(shortestMs() * 2 ** failures, LONGEST_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await whenVisible();
      try {
        const page = await look();
        if (page === null) return;
        refreshPage(page);
        failures = 0;
      } catch {
        failures += 1;
      }
    }
  };
  void keepFresh();
}
