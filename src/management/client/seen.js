import { clicked, elementsOf } from './page.js';
import { say } from './scan.js';

/**
 * A tick that says that a file was checked, `data-seen` with the ids of its frame and of its links, can be set once the frame was
 * at least half in view for a second, or a link has opened the file in a tab of its own.
 */

const LOOKED_AT_MS = 1000;

/** Ids of frames and links. @type {Set<string>} */
const seen = new Set();
/** @type {(tick: HTMLElement) => string[]} */
const idsOf = (tick) => (tick.dataset.seen ?? '').split(' ');
/** @type {(tick: HTMLElement) => boolean} */
const isSeen = (tick) => idsOf(tick).some((id) => seen.has(id));

/** @type {(shown: Element) => void} */
const watch = (shown) => {
  const remember = () => {
    seen.add(shown.id);
    showSeen(document);
    say('', 'unseen');
  };
  if (shown.matches('a')) {
    // A click with the middle button too.
    for (const type of ['click', 'auxclick']) shown.addEventListener(type, remember);
    return;
  }
  /** @type {number | undefined} */
  let timer;
  let isHalfInView = false;
  const look = () => {
    clearTimeout(timer);
    if (isHalfInView && !document.hidden) timer = setTimeout(remember, LOOKED_AT_MS);
  };
  const note = (/** @type {IntersectionObserverEntry[]} */ entries) => {
    isHalfInView = (entries.at(-1)?.intersectionRatio ?? 0) >= 0.5;
    look();
  };
  // What stays in view above and below covers it.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const margins = [scrollPaddingTop, scrollPaddingBottom].map((padding) => `-${Number.parseFloat(padding) || 0}px`);
  new IntersectionObserver(note, { threshold: 0.5, rootMargin: `${margins[0]} 0px ${margins[1]}` }).observe(shown);
  document.addEventListener('visibilitychange', look);
};

/** @type {Set<string>} */
const watched = new Set();
/** Tells whether the ticks can be set. They stay focusable, so that the page can say why not. @type {(within: ParentNode) => void} */
export const showSeen = (within) => {
  for (const tick of elementsOf('input[data-seen]', within)) {
    for (const id of idsOf(tick)) {
      const shown = document.getElementById(id);
      if (shown && !watched.has(id)) watch(shown);
      watched.add(id);
    }
    if (tick.matches(':checked') || isSeen(tick)) tick.removeAttribute('aria-disabled');
    else tick.setAttribute('aria-disabled', 'true');
  }
};

showSeen(document);
addEventListener('click', (event) => {
  const tick = clicked(event, 'input[data-seen]');
  if (!(tick instanceof HTMLInputElement) || !tick.checked || isSeen(tick)) return;
  event.preventDefault();
  say('unseen');
});
