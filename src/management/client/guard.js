import { isTypedInto } from './page.js';
import { isCharacter, isPost, SCAN_GAP_MS, say, shortcuts, swallow } from './scan.js';

/**
 * Prevents decisions by single letters and by scans. A decision is a button that submits a form by POST. A typed
 * character removes the focus from a decision. Shortly after a character, Enter and Space do not press a decision: the
 * page asks for another Enter. Exceptions are the letter that moves the focus to the decision, and the Space that sets
 * a checkbox. Space presses a decision only if Tab or a pointer moved the focus there. If the page moved the focus
 * there after a checkbox was set, the same key must not decide.
 */
if (shortcuts) {
  const { dataset } = shortcuts;
  const GUARD_MS = 300;
  /** Typed text with at least this many digits may be a code without a check digit. */
  const DIGITS_MIN = 4;

  /** The time of the last character. `otherAt` ignores the letter that moves the focus to the decision. */
  let anyAt = -Infinity;
  let otherAt = -Infinity;
  /** Time of the last Enter or Space. The browser reports the press of a button by these keys as a click. */
  let pressedAt = -Infinity;
  /** The number of digit keys before the last Enter or Space, regardless of Caps Lock. */
  let digits = 0;
  let isCodeLike = false;
  /** Whether the person moved the focus: true for Tab and pointer, false for a key that the page handles. */
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
      // The event's target may be wrong: a letter may just have moved the focus (scan.js), where the key now acts.
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
      // Space would open the select's list, and the list would take the following keys.
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
      // A click by mouse has a `detail` above 0.
      if (event.detail > 0 || !event.isTrusted || !(target instanceof HTMLElement)) return;
      const button = target.closest('button, input');
      // Assistive technology clicks without a key event.
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
