/**
 * A barcode scanner types like a person, only faster, and ends with Enter. Keys that follow each other in under 50 ms
 * are a scan wherever the focus is: no Enter and no space of it presses a button, chooses anything or sends a form. Into
 * a field that takes text the code is typed as it comes; scanned anywhere else it goes to the page's product field, or
 * its search. Times are those at which the keys came, not those at which a busy page looked at them.
 */

const SCAN_GAP_MS = 50;

/** The letter that acts after SCAN_GAP_MS (keys.js), unless another key comes before. @type {number | undefined} */
let waitingLetter;

/** The page's own search before the one of the header. @type {() => HTMLInputElement | null} */
const searchField = () => document.querySelector('main [data-search]') ?? document.querySelector('[data-search]');

if (document.querySelector('[data-shortcuts]')) {
  // Shorter than any code: two keys that a person pressed together.
  const LENGTH_MIN = 4;

  let code = '';
  let lastAt = -Infinity;
  /** @type {EventTarget | null} */
  let start = null;
  /** What was chosen where the scan began in a list. */
  let chosen = '';
  let hasEnded = false;
  /** @type {number | undefined} */
  let silence;

  /** @type {(target: EventTarget | null) => HTMLInputElement | HTMLTextAreaElement | null} */
  const textField = (target) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    // Neither a button nor a box to check, and nothing that is read-only.
    return isField && target.matches(':read-write') ? target : null;
  };

  /**
   * In under 50 ms after a character of the code, or after the Enter that ended it: some scanners send two.
   * @type {(event: Event) => boolean}
   */
  const isInScan = (event) => event.timeStamp - lastAt < SCAN_GAP_MS && (code !== '' || hasEnded);
  /** @type {(event: Event) => void} */
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // The product field of the last row, which is the empty one; else the page's search before the header's.
  const scanField = () => {
    /** @type {NodeListOf<HTMLInputElement>} */
    const products = document.querySelectorAll('main input[data-picker]');
    return [...products].at(-1) ?? searchField();
  };

  function finish() {
    clearTimeout(silence);
    const [text, from] = [code, start];
    code = '';
    start = null;
    if (text.length < LENGTH_MIN || !from) return;
    // A list jumps to what is typed; it goes back to where it was.
    if (from instanceof HTMLSelectElement) from.value = chosen;
    const field = textField(from) ?? scanField();
    if (!field || (field === from && !('picker' in field.dataset))) return;
    field.focus();
    field.value = text;
    field.select();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  addEventListener(
    'keydown',
    (event) => {
      const { key, target } = event;
      if (event.isComposing || ['Shift', 'CapsLock', 'AltGraph', 'Alt', 'Control', 'Meta'].includes(key)) return;
      if (event.repeat) {
        if (key === 'Enter' && !(target instanceof HTMLTextAreaElement)) swallow(event);
        return;
      }
      clearTimeout(waitingLetter);
      // No scanner sends arrows or Escape: whoever moves that fast is a person.
      if (key.length > 1 && key !== 'Enter' && key !== 'Tab') {
        lastAt = -Infinity;
        return;
      }
      const isScan = isInScan(event);
      lastAt = event.timeStamp;
      if (!isScan) {
        clearTimeout(silence);
        code = '';
        hasEnded = false;
        start = target;
        chosen = target instanceof HTMLSelectElement ? target.value : '';
      }
      if (key === 'Enter') {
        if (!isScan) return;
        swallow(event);
        hasEnded = true;
        return finish();
      }
      if (key === 'Tab') return;
      // Some scanners send a separator or the line's end as Ctrl and a letter.
      const isText = !event.ctrlKey && !event.metaKey;
      if (isText) code += key;
      if (isScan && !(isText && textField(target))) swallow(event);
      clearTimeout(silence);
      // A scanner that sends no Enter at the end.
      if (isScan && start && !textField(start)) silence = setTimeout(finish, SCAN_GAP_MS * 2);
    },
    true,
  );

  // A space presses a button as it is let go.
  addEventListener(
    'keyup',
    (event) => {
      if (event.key === ' ' && code.length > 1 && isInScan(event) && !textField(event.target)) swallow(event);
    },
    true,
  );
}
