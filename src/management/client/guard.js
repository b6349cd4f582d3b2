import { isTypedInto } from './page.js';
import { isCharacter, isPost, SCAN_GAP_MS, say, shortcuts, swallow } from './scan.js';

/**
 * No letter decides and no scan does. A decision is a button that sends a form by POST. A character takes the focus off it, and
 * shortly after one Enter or Space presses none: the page asks for another Enter. Only the letter that leads to a decision may come
 * before, and the Space that sets a tick. Space presses a decision only where Tab or a pointer has brought the focus: the page moves
 * it there from a tick, and the key that ticks is not the one that decides.
 */
if (shortcuts) {
  const { dataset } = shortcuts;
  const GUARD_MS = 300;
  /** What is typed into a field with so many digits may be a code that has no check digit. */
  const DIGITS_MIN = 4;

  /** When the last character came; the last other than the letter that leads here. */
  let anyAt = -Infinity;
  let otherAt = -Infinity;
  /** Of Enter or Space: what they press comes as a click. */
  let pressedAt = -Infinity;
  /** How many keys of digits came before that, whatever Caps Lock made of them. */
  let digits = 0;
  let isCodeLike = false;
  /** The person has brought the focus where it is, and no key that the page acts on. */
  let isLedByHand = false;
  let isHandMoving = false;

  /** @type {(element: Element | null) => boolean} */
  const isDecision = (element) =>
    (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
    (element.type === 'submit' || element.type === 'image') &&
    isPost(element.form);
  /** @type {(element: unknown) => boolean} */
  const isTick = (element) => element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);

  addEventListener(
    'keydown',
    (event) => {
      const { key, timeStamp, repeat } = event;
      // A letter may just have moved the focus here (scan.js), and what the key does by itself is done where the focus is.
      const element = document.activeElement;
      say('', 'again');
      isHandMoving = key === 'Tab';
      if (key === ' ' && isDecision(element) && !isLedByHand) {
        event.preventDefault();
        say('again');
        return;
      }
      if (key === 'Enter' && isTick(element)) return event.preventDefault();
      if (key === 'Enter' || (key === ' ' && (isTick(element) || isDecision(element)))) {
        pressedAt = timeStamp;
        isCodeLike = digits >= DIGITS_MIN;
        digits = 0;
        return;
      }
      if (!isCharacter(event) || event.isComposing) return;
      // It would open the list, which takes the keys that follow.
      if (key === ' ' && element instanceof HTMLSelectElement && timeStamp - otherAt < GUARD_MS) event.preventDefault();
      const leadsHere = key === 'a' && dataset.shortcuts === 'on' && !isTypedInto(element) && !repeat;
      anyAt = timeStamp;
      if (/^(Digit|Numpad)\d$/.test(event.code)) digits += 1;
      if (leadsHere) return;
      otherAt = timeStamp;
      if (isDecision(element) && element instanceof HTMLElement) element.blur();
    },
    true,
  );

  addEventListener('pointerdown', () => (isHandMoving = true), true);
  addEventListener('pointerup', () => (isHandMoving = false), true);
  addEventListener('focusin', () => (isLedByHand = isHandMoving), true);

  addEventListener(
    'click',
    (event) => {
      const { target } = event;
      // A mouse counts its clicks.
      if (event.detail > 0 || !event.isTrusted || !(target instanceof HTMLElement)) return;
      const button = target.closest('button, input');
      // Assistive technology clicks without a key.
      const at = pressedAt >= anyAt ? pressedAt : event.timeStamp;
      if (isTick(button)) {
        if (at - otherAt < GUARD_MS || at - anyAt < SCAN_GAP_MS) swallow(event);
        return;
      }
      if (!isDecision(button) || at - anyAt >= GUARD_MS) return;
      // Enter in a field presses the default button, which decides nothing.
      const { activeElement } = document;
      if (activeElement !== button && (!isCodeLike || activeElement?.matches('[data-scan]'))) return;
      swallow(event);
      say('again');
    },
    true,
  );
}
