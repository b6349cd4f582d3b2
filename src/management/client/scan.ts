/**
 * A barcode scanner types like a person, only faster, and ends with Enter. Keys that follow each other in under 50 ms
 * are a scan wherever the focus is: no Enter and no space of it presses a button, chooses anything or sends a form. Into
 * a field that takes text the code is typed as it comes; scanned anywhere else it goes to the page's product field, or
 * its search. Times are those at which the keys came, not those at which a busy page looked at them.
 */
export const SCAN = `
const SCAN_GAP_MS = 50;
const isTypedInto = (element) => element instanceof Element && element.closest('input, select, textarea, [contenteditable]') !== null;

// A letter that waits for the next key before it acts (client/keys.ts).
let waitingLetter;

if (document.querySelector('[data-shortcuts]')) {
  // Shorter than any code: two keys that a person pressed together.
  const LENGTH_MIN = 4;
  const NO_TEXT = ['button', 'submit', 'reset', 'checkbox', 'radio', 'file', 'range', 'color'];
  const takesText = (element) =>
    element.matches?.('textarea, input, [contenteditable]') && !NO_TEXT.includes(element.type) && !element.readOnly;

  let code = '';
  let lastAt = -Infinity;
  let start = null;
  let hasEnded = false;
  let silence;

  // In under 50 ms after a character of the code, or after the Enter that ended it: some scanners send two.
  const isInScan = (event) => event.timeStamp - lastAt < SCAN_GAP_MS && (code !== '' || hasEnded);
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // The product field of the last row, which is the empty one; else the page's search before the header's.
  const scanField = () =>
    [...document.querySelectorAll('main input[data-picker]')].at(-1) ??
    document.querySelector('main [data-search]') ??
    document.querySelector('[data-search]');

  function put(field, text) {
    field.focus();
    field.value = text;
    field.select();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function finish() {
    clearTimeout(silence);
    const [text, from] = [code, start];
    code = '';
    start = null;
    if (text.length < LENGTH_MIN || !from) return;
    // A list jumps to what is typed; it goes back to where it was.
    if (from.element.matches('select')) from.element.value = from.value;
    const field = takesText(from.element) ? from.element : scanField();
    if (field && (field !== from.element || 'picker' in field.dataset)) put(field, text);
  }

  addEventListener('keydown', (event) => {
    if (event.isComposing || ['Shift', 'CapsLock', 'AltGraph', 'Alt', 'Control', 'Meta'].includes(event.key)) return;
    if (event.repeat) {
      if (event.key === 'Enter' && !event.target.matches?.('textarea')) swallow(event);
      return;
    }
    clearTimeout(waitingLetter);
    // No scanner sends arrows or Escape: whoever moves that fast is a person.
    if (event.key.length > 1 && event.key !== 'Enter' && event.key !== 'Tab') {
      lastAt = -Infinity;
      return;
    }
    const isScan = isInScan(event);
    lastAt = event.timeStamp;
    if (!isScan) {
      clearTimeout(silence);
      code = '';
      hasEnded = false;
      const element = event.target instanceof Element ? event.target : document.body;
      start = { element, value: element.value };
    }
    if (event.key === 'Enter') {
      if (!isScan) return;
      swallow(event);
      hasEnded = true;
      return finish();
    }
    if (event.key === 'Tab') return;
    // Some scanners send a separator or the line's end as Ctrl and a letter.
    const isText = !event.ctrlKey && !event.metaKey;
    if (isText) code += event.key;
    if (isScan && !(isText && takesText(event.target))) swallow(event);
    clearTimeout(silence);
    // A scanner that sends no Enter at the end.
    if (isScan && start && !takesText(start.element)) silence = setTimeout(finish, SCAN_GAP_MS * 2);
  }, true);

  // A space presses a button as it is let go.
  addEventListener('keyup', (event) => {
    if (event.key === ' ' && code.length > 1 && isInScan(event) && !takesText(event.target)) swallow(event);
  }, true);
}
`;
