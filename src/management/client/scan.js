import { readCode } from '../../codes/read.ts';
import { clicked, elementsOf } from './page.js';

/**
 * Handles barcode scanners. A scanner types like a person, at any speed, and ends with Enter. Only the check digit
 * shows that typed characters are a code (src/codes). The Enter after a code does nothing else: the effect of the
 * code's keys is undone, and the code goes to the page's scan field, else to the search, which opens the matching page.
 * In notes and searches, the code stays text.
 */

/** No person types keys with shorter gaps. */
export const SCAN_GAP_MS = 50;

/**
 * A shortcut (keys.js) that acts unless another key follows within SCAN_GAP_MS.
 * @type {{ letter?: { act: () => void, at: number, timer: number } }}
 */
export const waiting = {};

/** The shortcuts dialog, on every page of a signed-in person. @type {HTMLDialogElement | null} */
export const shortcuts = document.querySelector('[data-shortcuts]');

/** The open dialog, else the page. @type {() => ParentNode} */
export const scope = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;

/** @type {(form: unknown) => boolean} */
export const isPost = (form) => form instanceof HTMLFormElement && form.method === 'post';

/**
 * Shows a status message. The shortcuts dialog has all messages as attributes, in the reader's language.
 * @type {(name: string, instead?: string) => void} `instead`: if given, the new message replaces only this message; if
 *   another one is shown, it stays
 */
export const say = (name, instead) => {
  for (const box of elementsOf('[data-said]')) {
    if (instead !== undefined && box.dataset.said !== instead) continue;
    box.dataset.said = name;
    box.textContent = shortcuts?.dataset[name] ?? '';
  }
};

/** The field for scanned codes. @type {() => HTMLInputElement | null} */
export const scanField = () => {
  const fields = elementsOf('[data-scan]', scope()).filter((field) => field.checkVisibility());
  return /** @type {HTMLInputElement | null} */ (fields.at(-1) ?? null);
};

/** @type {(event: Event) => void} */
export const swallow = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Whether a key is a character. @type {(event: KeyboardEvent) => boolean} */
export const isCharacter = ({ key, ctrlKey, metaKey }) => key.length === 1 && !ctrlKey && !metaKey;

/** Whether a field of the page was changed. @type {() => boolean} */
const hasEdits = () =>
  elementsOf('main form[method="post"] :is(input, textarea, select)').some((field) => {
    if (field instanceof HTMLSelectElement) {
      const preset = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(preset, 0);
    }
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
    // A checkbox without a `value` attribute has the value `on`, which differs from `defaultValue`.
    if (/^(checkbox|radio)$/.test(field.type)) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  });

/** The characters since the last pause, Enter, or other non-character key. */
const typed = (() => {
  /** A pause that ends a code. It is longer than any delay of a slow connection. */
  const PAUSE_MS = 1000;
  const KEYS_MAX = 200;
  const PREFIX_MAX = 4;
  /**
   * A code may begin after a gap this long between two keys. `BURST_MIN`: the fewest keys of a `burst`.
   */
  const HITCH_MS = 300;
  const BURST_MIN = 4;

  /** @typedef {{ text: string, at: number, target: EventTarget | null, before: string | boolean | undefined }} Key */
  /** @type {Key[]} */
  let keys = [];

  /** @type {(target: EventTarget | null) => string | boolean | undefined} */
  const stateOf = (target) => {
    if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) return target.checked;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    return isField || target instanceof HTMLSelectElement ? target.value : undefined;
  };

  return {
    /** @type {(event: KeyboardEvent, text: string) => void} */
    add({ timeStamp, target }, text) {
      if (timeStamp - (keys.at(-1)?.at ?? 0) > PAUSE_MS) keys = [];
      keys.push({ text, at: timeStamp, target, before: stateOf(target) });
      if (keys.length > KEYS_MAX) keys.shift();
    },
    clear() {
      keys = [];
    },
    text: () => keys.map(({ text }) => text).join(''),
    /**
     * The keys of a code, without the scanner's prefix, shortcuts, and earlier keys of a person.
     * @returns {{ keys: Key[], code: { kind: string, pzn?: string | null, gtin?: string | null }, text: string } | undefined}
     */
    code() {
      let isPrefix = true;
      for (const [from, { at, text: first }] of keys.entries()) {
        const isAfterPause = at - (keys[from - 1]?.at ?? at) >= HITCH_MS;
        const mayBegin = isAfterPause || (isPrefix && from <= PREFIX_MAX);
        isPrefix &&= !/\d/.test(first);
        if (!mayBegin) continue;
        const rest = keys.slice(from);
        const text = rest
          .map((key) => key.text)
          .join('')
          .replace(/^\][a-z]\d(?=\D?\d)/i, '');
        const code = readCode(text);
        if (code) return { keys: rest, code, text };
      }
    },
    /** The last keys that were typed faster than a person types. @type {(enter: Event) => Key[]} */
    burst({ timeStamp }) {
      let from = keys.length;
      for (let after = timeStamp; from > 0; from -= 1) {
        const { at } = /** @type {Key} */ (keys[from - 1]);
        if (after - at >= SCAN_GAP_MS) break;
        after = at;
      }
      return keys.length - from < BURST_MIN ? [] : keys.slice(from);
    },
    /** Restores the value that each field had before these keys. @type {(undone: Key[]) => void} */
    undo(undone) {
      const first = new Map(undone.toReversed().map(({ target, before }) => [target, before]));
      for (const [target, before] of first) {
        if (before === undefined || stateOf(target) === before) continue;
        const field = /** @type {HTMLInputElement} */ (target);
        if (typeof before === 'boolean') field.checked = before;
        else field.value = before;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    },
  };
})();

/**
 * Sends a code to the page's scan field, else to the search.
 * @type {(read: Omit<NonNullable<ReturnType<typeof typed.code>>, 'keys'>, first?: { target: EventTarget | null }) => void}
 */
export const send = ({ code, text }, first) => {
  const begun = first?.target instanceof HTMLInputElement && first.target.matches('[data-scan]') ? first.target : null;
  const field = begun ?? scanField();
  const number = code.pzn ?? code.gtin ?? text;
  const isFilledIn = field?.dataset.scan === 'pzn';
  if (field && !(isFilledIn && code.kind === 'label')) {
    field.focus();
    field.value = isFilledIn ? number : text;
    field.select();
    field.dispatchEvent(new Event('input', { bubbles: true }));
    if (isFilledIn) return;
    // Leaving for another page would lose the edits on this one.
    if (!isPost(field.form) && hasEdits()) say('unsaved');
    else field.form?.requestSubmit();
    return;
  }
  const search = document.querySelector('[data-search="codes"]');
  if (!(search instanceof HTMLInputElement)) return;
  search.value = code.pzn ? `PZN ${code.pzn}` : number;
  search.focus();
  search.select();
  if (hasEdits()) say('unsaved');
  else search.form?.requestSubmit();
};

if (shortcuts) {
  /** Some scanners send Enter twice. */
  const ECHO_MS = 300;
  let endedAt = -Infinity;

  /** @type {(target: EventTarget | null) => boolean} */
  const isSending = (target) => target instanceof Element && target.matches('[data-scan]:not([data-scan="pzn"])');

  /** Whether a code typed into this field stays text. @type {(target: EventTarget | null) => boolean} */
  const keepsText = (target) => {
    if (!(target instanceof Element) || target.matches('[data-scan], :read-only')) return false;
    if (target.matches('textarea, [type="search"], [data-note]')) return true;
    const isAmount = target.matches('[inputmode="numeric"], [inputmode="decimal"], [data-amount]');
    return target.matches('input') && !isAmount && scanField() === null;
  };

  /** @type {(event: KeyboardEvent) => void} */
  const onEnter = (event) => {
    const { target, timeStamp, repeat } = event;
    const isText = target instanceof HTMLTextAreaElement;
    const read = typed.code();
    const burst = typed.burst(event);
    typed.clear();
    if (repeat || timeStamp - endedAt < ECHO_MS) {
      endedAt = timeStamp;
      return isText ? undefined : swallow(event);
    }
    const [first] = read?.keys ?? burst;
    // The service handles other texts in the scan field.
    if (!first || (!read && isSending(target))) return;
    // In a note, Enter is text; in a search, it starts the search.
    const stays = keepsText(first?.target ?? null) && target === first?.target;
    if (stays && (isText || !isPost(/** @type {HTMLInputElement} */ (target).form))) return;
    swallow(event);
    endedAt = timeStamp;
    if (stays) return;
    if (shortcuts.open) shortcuts.close();
    if (!read) return typed.undo(burst.filter((key) => key.target instanceof HTMLSelectElement));
    typed.undo(read.keys);
    send(read, read.keys[0]);
  };

  addEventListener(
    'keydown',
    (event) => {
      const { key, code, shiftKey, ctrlKey, isComposing, repeat } = event;
      if (isComposing || /^(Shift|CapsLock|AltGraph|Alt|Control|Meta|Dead|Process|Unidentified)$/.test(key)) return;
      // A letter that waited long enough acts before the next key, even if a busy page handles both late.
      if (waiting.letter) {
        clearTimeout(waiting.letter.timer);
        if (event.timeStamp - waiting.letter.at >= SCAN_GAP_MS) waiting.letter.act();
        else waiting.letter = undefined;
      }
      if (key === 'Enter') return onEnter(event);
      // Some scanners send separators within a code as Ctrl with a key.
      if (ctrlKey && typed.text() !== '' && /^(BracketRight|Backslash|Digit6)$/.test(code)) {
        event.preventDefault();
        return typed.add(event, '\x1d');
      }
      if (!isCharacter(event)) return typed.clear();
      if (repeat) return;
      // Caps Lock shifts digits on a German keyboard.
      const digit = /^Digit(\d)$/.exec(code)?.[1];
      typed.add(event, digit && !shiftKey ? digit : key);
    },
    true,
  );
  addEventListener('pointerdown', () => typed.clear(), true);
}

/**
 * On phones whose browser reads codes (`BarcodeDetector`), a button at the top of each page opens the camera. The first
 * known code in its picture is handled like the code of a scanner.
 */
if ('BarcodeDetector' in window && matchMedia('(pointer: coarse)').matches) {
  const LOOK_MS = 150;
  // @ts-expect-error: TypeScript does not know `BarcodeDetector` yet.
  const detector = new window.BarcodeDetector({
    formats: ['code_39', 'code_128', 'data_matrix', 'ean_13', 'itf', 'qr_code'],
  });
  const view = document.createElement('dialog');
  const video = document.createElement('video');
  view.className = 'dialog camera';
  Object.assign(video, { muted: true, playsInline: true });
  view.append(video);
  document.body.append(view);

  /** @type {MediaStream | undefined} */
  let stream;
  const end = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    video.srcObject = null;
  };

  const look = async () => {
    const found = view.open ? await detector.detect(video).catch(() => []) : [];
    if (!view.open) return;
    for (const { rawValue: text } of found) {
      const code = readCode(text);
      if (!code) continue;
      view.close();
      return send({ code, text });
    }
    setTimeout(look, LOOK_MS);
  };

  view.addEventListener('close', end);
  view.addEventListener('click', () => view.close());
  for (const button of elementsOf('[data-camera]')) button.hidden = false;
  addEventListener('click', async (event) => {
    if (!clicked(event, '[data-camera]')) return;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    } catch {
      return say('barred');
    }
    video.srcObject = stream;
    view.showModal();
    await video.play();
    void look();
  });
}
