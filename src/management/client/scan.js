/**
 * A barcode scanner sends keys like a keyboard, only faster, and ends with Enter. Keys that follow each other in under
 * 50 ms are a scan: no Enter or space in it may press a button, choose anything or send a form. If the focus is in a
 * text field, the code is typed there; otherwise it goes to the page's product field, else to its search. The events'
 * own times are compared, because a busy page handles them late.
 */

const SCAN_GAP_MS = 50;

/** Timer of a shortcut (keys.js): it acts after SCAN_GAP_MS if no other key comes first. @type {number | undefined} */
let waitingLetter;

/** The page's own search; the header's if the page has none. @type {() => HTMLInputElement | null} */
const searchField = () => document.querySelector('main [data-search]') ?? document.querySelector('[data-search]');

if (document.querySelector('[data-shortcuts]')) {
  // Shorter than any code: a person pressed two keys almost together.
  const LENGTH_MIN = 4;

  let code = '';
  let lastAt = -Infinity;
  /** @type {EventTarget | null} */
  let start = null;
  /** The selection of the list that had the focus when the scan began. */
  let chosen = '';
  let hasEnded = false;
  /** @type {number | undefined} */
  let silence;

  /** @type {(target: EventTarget | null) => HTMLInputElement | HTMLTextAreaElement | null} */
  const textField = (target) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    // Buttons, checkboxes and read-only fields take no text.
    return isField && target.matches(':read-write') ? target : null;
  };

  /**
   * Whether it came in under 50 ms after a character of the code or after its Enter: some scanners send two of them.
   * @type {(event: Event) => boolean}
   */
  const isInScan = (event) => event.timeStamp - lastAt < SCAN_GAP_MS && (code !== '' || hasEnded);
  /** @type {(event: Event) => void} */
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // The product field of the last row, which is empty; else the search.
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
    // A list selects by typed letters, so the scan has changed its selection: restore it.
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
      // No scanner sends arrow keys or Escape: a person pressed them.
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
      // Some scanners send separators and the line end as Ctrl with a letter.
      const isText = !event.ctrlKey && !event.metaKey;
      if (isText) code += key;
      if (isScan && !(isText && textField(target))) swallow(event);
      clearTimeout(silence);
      // Some scanners send no Enter at the end.
      if (isScan && start && !textField(start)) silence = setTimeout(finish, SCAN_GAP_MS * 2);
    },
    true,
  );

  // Space presses a button on keyup.
  addEventListener(
    'keyup',
    (event) => {
      if (event.key === ' ' && code.length > 1 && isInScan(event) && !textField(event.target)) swallow(event);
    },
    true,
  );
}
