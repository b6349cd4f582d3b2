/**
 * What is on a page grows old, so the page is fetched again while somebody looks at it. `data-live` elements take the
 * fresh text at once; an element with `data-refresh-seconds` and an id is replaced as a whole, but never under the
 * reader's hand. Rows of a list (`data-rows`) that came in meanwhile are announced instead.
 */
export const REFRESH = `
{
  const LONGEST_MS = 300000;
  const boxes = () => [...document.querySelectorAll('[id][data-refresh-seconds]')];
  const shortestMs = () => Math.min(...boxes().map((box) => Number(box.dataset.refreshSeconds) * 1000));
  const keysOf = (box) => [...box.querySelectorAll('tr[data-row]')].map((row) => row.dataset.row);

  // Under the cursor, with the focus or a selection in it: whatever moves there is clicked by mistake.
  function isInHand(box) {
    const selection = getSelection();
    const isSelected = !selection.isCollapsed && selection.containsNode(box, true);
    const isScrolled = 'rows' in box.dataset && scrollY > 0;
    return box.matches(':hover') || box.contains(document.activeElement) || isSelected || isScrolled;
  }

  function replace(box, fresh) {
    box.replaceWith(fresh);
    showScripted(fresh);
  }

  // A live region that stands there from the start: what is put into it is read aloud.
  function announce(count, show) {
    const bar = document.querySelector('[data-new-requests]');
    if (!bar || bar.dataset.count === String(count)) return;
    bar.dataset.count = count;
    bar.replaceChildren();
    if (count === 0) return;
    const text = count === 1 ? bar.dataset.one : bar.dataset.many.replace('{n}', count);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = bar.dataset.show;
    button.addEventListener('click', show);
    bar.append(text + ' ', button);
  }

  function refreshBox(box, page) {
    const fresh = page.getElementById(box.id);
    if (!fresh) return;
    if (!isInHand(box)) {
      if ('rows' in box.dataset) announce(0);
      // What is equal stays: a table that is replaced loses nothing, but a screen reader starts anew.
      if (box.outerHTML !== fresh.outerHTML) replace(box, fresh);
      return;
    }
    if (!('rows' in box.dataset)) return;
    const known = new Set(keysOf(box));
    const added = keysOf(fresh).filter((key) => !known.has(key));
    announce(added.length, () => {
      replace(box, fresh);
      const first = [...fresh.querySelectorAll('tr[data-row]')].find((row) => row.dataset.row === added[0]);
      first?.querySelector('a[href]').focus();
      announce(0);
    });
  }

  function refreshPage(page) {
    document.title = page.title;
    for (const live of document.querySelectorAll('[id][data-live]')) {
      const fresh = page.getElementById(live.id);
      if (fresh && fresh.innerHTML !== live.innerHTML) live.replaceChildren(...fresh.childNodes);
    }
    for (const box of boxes()) refreshBox(box, page);
  }

  // Null when there is nothing to come back for: signed out, gone, not ours any more.
  async function look() {
    const answer = await fetch(location.href, { redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(10000) });
    if (answer.type === 'opaqueredirect' || [401, 403, 404].includes(answer.status)) return null;
    if (!answer.ok) throw new Error('not now');
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  }

  const whenVisible = () => new Promise((resolve) => {
    if (!document.hidden) return resolve();
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });

  // One look at a time; after a failure twice as long until the next.
  async function keepFresh() {
    for (let failures = 0; boxes().length > 0;) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(shortestMs() * 2 ** failures, LONGEST_MS)));
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
  }
  keepFresh();
}
`;
