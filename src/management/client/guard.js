/**
 * No letter decides and no scan does. A decision is a button that sends a form by POST. A character takes the focus off it, and
 * shortly after one Enter or Space presses none: the page asks for another Enter. Only the letter that leads to a decision may come
 * before, and the Space that sets a tick.
 */
if (shortcuts) {
  const GUARD_MS = 300;
  /** In a field, so many digits in a row are no words of a person. */
  const CODE_LIKE = /\d{6}/;

  /** When the last character came; the last other than the letter that leads here. */
  let anyAt = -Infinity;
  let otherAt = -Infinity;
  /** Of Enter or Space: what they press comes as a click. */
  let pressedAt = -Infinity;
  let isCodeLike = false;

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
      const { key, target, timeStamp, repeat } = event;
      const element = target instanceof Element ? target : null;
      say('', 'again');
      if (key === 'Enter' && isTick(target)) return event.preventDefault();
      if (key === 'Enter' || (key === ' ' && (isTick(target) || isDecision(element)))) {
        pressedAt = timeStamp;
        isCodeLike = CODE_LIKE.test(typed.text());
        return;
      }
      if (!isCharacter(event) || event.isComposing) return;
      const leadsHere = key === 'a' && shortcuts.dataset.shortcuts === 'on' && !isTypedInto(target) && !repeat;
      anyAt = timeStamp;
      if (leadsHere) return;
      otherAt = timeStamp;
      if (isDecision(element) && element instanceof HTMLElement) element.blur();
    },
    true,
  );

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
        if (at - otherAt < GUARD_MS) swallow(event);
        return;
      }
      if (!isDecision(button) || at - anyAt >= GUARD_MS) return;
      // Enter in a field presses the default button, which decides nothing.
      if (document.activeElement !== button && !isCodeLike) return;
      swallow(event);
      say('again');
    },
    true,
  );
}
