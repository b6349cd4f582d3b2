import { clicked, elementsOf } from './page.js';
import { say } from './scan.js';

/**
 * Enables the checkbox for a checked file once its viewer (viewer.js) has shown every page. The viewer is in the frame
 * that `data-seen` names, and must have shown the exact bytes that the checkbox stands for. If the viewer cannot open
 * the file, the checkbox stays disabled and the page offers another way.
 */

/** @typedef {{ sha256: string, pages: number, seen: number, fault: string }} Viewed */

/** @type {(tick: HTMLInputElement) => HTMLElement | null} */
const frameOf = (tick) => document.getElementById(tick.dataset.seen ?? '');

/** The viewer's state for this checkbox's file. @type {(tick: HTMLInputElement) => Viewed | undefined} */
const viewedOf = (tick) => {
  /** @type {Viewed} */
  const viewed = JSON.parse(frameOf(tick)?.dataset.viewed ?? '{}');
  return viewed.sha256 === tick.value ? viewed : undefined;
};

/** @type {(tick: HTMLInputElement) => boolean} */
const isSeen = (tick) => {
  const { pages = 0, seen = 0, fault = '' } = viewedOf(tick) ?? {};
  return fault === '' && pages > 0 && seen === pages;
};

/** Marks checkboxes of unseen files as disabled; a click shows the reason. @type {(within: ParentNode) => void} */
export const showSeen = (within) => {
  for (const tick of elementsOf('input[data-seen]', within)) {
    if (!(tick instanceof HTMLInputElement)) continue;
    const { pages = 0, seen = 0, fault = '' } = viewedOf(tick) ?? {};
    if (tick.checked || isSeen(tick)) tick.removeAttribute('aria-disabled');
    else tick.setAttribute('aria-disabled', 'true');
    const check = tick.closest('.check');
    for (const count of elementsOf('.seen-pages', check ?? undefined)) {
      count.hidden = pages === 0 || seen === pages || tick.checked;
      count.textContent = (count.dataset.says ?? '').replace('%', String(seen)).replace('%', String(pages));
    }
    const [unopened] = check ? elementsOf('.unopened', check) : [];
    if (unopened && viewedOf(tick)) unopened.hidden = fault === '';
  }
};

showSeen(document);
addEventListener('viewed', () => {
  showSeen(document);
  const [open] = elementsOf('input[data-seen][aria-disabled]');
  if (!open) say('', 'unseen');
});
addEventListener('click', (event) => {
  const tick = clicked(event, 'input[data-seen]');
  if (!(tick instanceof HTMLInputElement) || !tick.checked || isSeen(tick)) return;
  event.preventDefault();
  say('unseen');
  // The viewer turns to the first page that was not seen.
  const frame = frameOf(tick);
  frame?.scrollIntoView({ block: 'nearest' });
  frame?.dispatchEvent(new Event('unseen'));
});
