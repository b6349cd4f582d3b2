import { elementsOf } from './page.js';

/**
 * Keeps the navigation's counts current on every page. Reports a lost connection and the time of its loss, an ended
 * session, or a page from an earlier day than the server's. Polls every 25 s while the page is visible, so a lost
 * connection is reported within 35 s.
 */
{
  const EVERY_MS = 25_000;
  const TIMEOUT_MS = 8_000;
  const [box] = elementsOf('[data-alive]');
  const pad = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const now = () => {
    const at = new Date();
    return `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  };
  let knownAt = now();
  let tag = '';
  let today = box?.dataset.day;

  /** @type {(state: 'current' | 'lost' | 'old' | 'out') => void} */
  const sayState = (state) => {
    if (!box) return;
    if (state === 'current') knownAt = now();
    box.dataset.state = state;
    const said = (box.dataset[state] ?? '').replace('{time}', knownAt);
    const link = document.createElement('a');
    if (state === 'old') Object.assign(link, { href: '', textContent: box.dataset.reload });
    else Object.assign(link, { href: box.dataset.signIn, target: '_blank', textContent: box.dataset.signInText });
    // Screen readers announce the text again only if it changes.
    if (box.dataset.shown !== said) box.replaceChildren(said, ...(['old', 'out'].includes(state) ? [' ', link] : []));
    box.dataset.shown = said;
  };

  /** @type {(counts: Record<string, [string, string]>) => void} */
  const showCounts = (counts) => {
    for (const [id, [count, of]] of Object.entries(counts)) {
      const element = document.getElementById(id);
      if (!element) continue;
      const word = document.createElement('span');
      word.className = 'unseen';
      word.textContent = ` ${of}`;
      element.replaceChildren(...(count ? [count, word] : []));
    }
  };

  const ask = async () => {
    try {
      const headers = tag ? { 'If-None-Match': tag } : undefined;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(box?.dataset.alive ?? '', { headers, redirect: 'manual', cache: 'no-store', signal });
      if (answer.type === 'opaqueredirect' || answer.status === 401) return sayState('out');
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error('not now');
        tag = answer.headers.get('ETag') ?? '';
        const known = await answer.json();
        showCounts(known.counts);
        today = known.day;
        Object.assign(box?.dataset ?? {}, known.texts);
      }
      sayState(today === box?.dataset.day ? 'current' : 'old');
    } catch {
      sayState('lost');
    }
  };

  if (box) {
    sayState('current');
    setInterval(() => void (document.hidden || ask()), EVERY_MS);
    document.addEventListener('visibilitychange', () => void (document.hidden || ask()));
    addEventListener('offline', () => sayState('lost'));
    addEventListener('session-ended', () => sayState('out'));
    addEventListener('online', () => void ask());
  }
}
