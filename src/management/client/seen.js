import { clicked, elementsOf } from './page.js';
import { say } from './scan.js';

/**
 * Enables the checkbox for a checked file (`data-seen` has the ids of the file's frame and links) once at least half of
 * the frame was in view for a second, or a link opened the file in its own tab.
 */

const LOOKED_AT_MS = 1000;

/** Ids of frames and links that were seen. @type {Set<string>} */
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
    // Middle clicks count too.
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
  // Fixed bars above and below cover the frame.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const margins = [scrollPaddingTop, scrollPaddingBottom].map((padding) => `-${Number.parseFloat(padding) || 0}px`);
  new IntersectionObserver(note, { threshold: 0.5, rootMargin: `${margins[0]} 0px ${margins[1]}` }).observe(shown);
  document.addEventListener('visibilitychange', look);
};

/** @type {Set<string>} */
const watched = new Set();
/** Enables or disables the checkboxes, which stay focusable for an explanation. @type {(within: ParentNode) => void} */
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
