import { isNotifying, notifyOf } from './notify.js';
import { elementsOf, showScripted } from './page.js';

/**
 * Fetches the page again while it is visible, so that it stays current. `data-live` elements get the new text at once.
 * An element with `data-refresh-seconds` and an id is replaced as a whole, unless the reader is using it: new rows of a
 * list (`data-rows`) are then announced and not inserted.
 */
{
  const LONGEST_MS = 300_000;
  const TIMEOUT_MS = 10_000;
  const boxes = () => elementsOf('[id][data-refresh-seconds]');
  const shortestMs = () => Math.min(...boxes().map((box) => Number(box.dataset.refreshSeconds) * 1000));
  /** The links of the rows. @type {(box: HTMLElement) => HTMLElement[]} */
  const rowsOf = (box) => elementsOf('tr .go', box);

  /**
   * Whether the reader is using the element (pointer, focus, selection, scrolled list). Moving content could then cause
   * a wrong click.
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
   * Announces new rows in a live region. It exists from the start because screen readers announce only later changes.
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
      // Equal content is not replaced because a screen reader would read it again.
      if (box.outerHTML !== fresh.outerHTML) replace(box, fresh);
      return;
    }
    if (!('rows' in box.dataset)) return;
    const known = new Set(rowsOf(box).map((row) => row.getAttribute('href')));
    const added = rowsOf(fresh).filter((row) => !known.has(row.getAttribute('href')));
    const show = () => {
      replace(box, fresh);
      added[0]?.focus();
      announce(0);
    };
    announce(added.length, show);
  };

  /** @type {(page: Document) => void} */
  const refreshPage = (page) => {
    notifyOf(page);
    document.title = page.title;
    for (const live of elementsOf('[id][data-live]')) {
      const fresh = page.getElementById(live.id);
      if (fresh && fresh.innerHTML !== live.innerHTML) live.replaceChildren(...fresh.childNodes);
    }
    for (const box of boxes()) refreshBox(box, page);
  };

  // The last response and its entity tag, if any, so that an unchanged page is not sent again. They are kept only in
  // memory: several people share a counter PC, so the browser must not store pages.
  let last = { tag: '', text: '' };

  // Returns null if refreshing should stop: the person signed out, or the page is gone or forbidden.
  const look = async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    /** @type {Record<string, string>} */
    const headers = last.tag ? { 'If-None-Match': last.tag } : {};
    const answer = await fetch(location.href, { headers, redirect: 'manual', cache: 'no-store', signal });
    if (answer.type === 'opaqueredirect' || [401, 403, 404].includes(answer.status)) return null;
    if (answer.status !== 304) {
      if (!answer.ok) throw new Error('not now');
      last = { tag: answer.headers.get('ETag') ?? '', text: await answer.text() };
    }
    // The page is returned even if it is unchanged: an element that was in use before may be replaced now.
    return new DOMParser().parseFromString(last.text, 'text/html');
  };

  /** @type {() => Promise<unknown>} */
  const whenVisible = () =>
    new Promise((resolve) => {
      if (document.hidden) document.addEventListener('visibilitychange', resolve, { once: true });
      else resolve(null);
    });

  // Only one request runs at a time. After each failure the wait doubles.
  const keepFresh = async () => {
    for (let failures = 0; boxes().length > 0; ) {
      const waitMs = Math.min(shortestMs() * 2 ** failures, LONGEST_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (!isNotifying()) await whenVisible();
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
