/** Behavior of every page. All pages also work without scripts. */

/** @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
export const elementsOf = (selector, within = document) => {
  /** @type {NodeListOf<HTMLElement>} */
  const found = within.querySelectorAll(selector);
  return [...found];
};

/** The event's target or nearest matching ancestor. @type {(event: Event, selector: string) => HTMLElement | null} */
export const clicked = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @type {(target: EventTarget | null) => boolean} */
export const isTypedInto = (target) =>
  target instanceof Element &&
  target.closest('input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]') !== null;

/** Shows controls and keys that need the script. @type {(within: ParentNode) => void} */
export const showScripted = (within) => {
  for (const button of elementsOf(
    '[data-copy], [data-print], [data-opens-shortcuts], [data-wide], [data-find]',
    within,
  ))
    button.hidden = false;
  if (!document.querySelector('[data-shortcuts="on"]')) return;
  for (const tick of elementsOf('input[name="acknowledged"]', within)) tick.setAttribute('aria-keyshortcuts', 'a');
};

{
  // An error or a one-time secret gets the focus because the reader has to see it first.
  elementsOf('[data-focus]')[0]?.focus();
  showScripted(document);
  // If tabs scroll for lack of space, the current one is scrolled into view.
  for (const tab of elementsOf('.tabs [aria-current]')) {
    if (tab.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.clientWidth / 3;
  }

  addEventListener('click', (event) => {
    const button = clicked(event, '[data-wide]');
    const isWide = button?.closest('main')?.classList.toggle('wide-file');
    if (!button || isWide === undefined) return;
    button.setAttribute('aria-pressed', String(isWide));
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `offizin.pane=${isWide ? 'wide' : ''}; Path=/manage; SameSite=Lax; Max-Age=31536000${secure}`;
  });

  /** @type {(button: HTMLElement, source: HTMLElement) => Promise<void>} */
  const copy = async (button, source) => {
    const field = source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement ? source : null;
    try {
      await navigator.clipboard.writeText(field?.value ?? source.innerText);
    } catch {
      // Copying needs permission and HTTPS. Otherwise the text is selected, so that the reader can copy it.
      source.focus();
      field?.select();
      return;
    }
    const label = button.textContent;
    button.textContent = button.dataset.copied ?? '';
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  };

  addEventListener('click', (event) => {
    const button = clicked(event, 'button');
    const source = document.getElementById(button?.dataset.copy ?? '');
    if (button && source) void copy(button, source);
    if (button && 'print' in button.dataset) print();
  });
  // A paper that was chosen in a menu is printed at once.
  if (location.hash === '#print') addEventListener('load', () => print());

  // Adds up the counted packs. The form submits the shown amount. The button shows the amount, too.
  /** @type {(sum: HTMLInputElement) => void} */
  const sayAmount = (sum) => {
    const button = sum.form?.querySelector('[data-decide], button.primary');
    if (button && sum.value) button.textContent = (sum.dataset.says ?? '').replace('%', sum.value);
  };

  addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    const sum = form?.querySelector('[data-sum]');
    if (!form || !(target instanceof HTMLInputElement) || !(sum instanceof HTMLInputElement)) return;
    if (target.dataset.each) {
      const inputs = [...form.elements].filter((each) => each instanceof HTMLInputElement);
      const counted = inputs.filter(({ dataset }) => dataset.left);
      const fee = inputs.find(({ type, dataset }) => type === 'checkbox' && dataset.each);
      // Once all packs of every line are counted, the fee is refunded as well.
      if (fee && target !== fee && counted.every(({ value, dataset }) => Number(value) === Number(dataset.left)))
        fee.checked = true;
      let cents = 0;
      for (const { type, checked, value, dataset } of inputs) {
        if (dataset.each) cents += Number(type === 'checkbox' ? checked : value) * Number(dataset.each);
      }
      sum.value = cents > 0 ? (cents / 100).toFixed(2).replace('.', sum.dataset.sum ?? '.') : sum.defaultValue;
    }
    sayAmount(sum);
  });

  const sum = document.querySelector('[data-sum]');
  if (sum instanceof HTMLInputElement) sayAmount(sum);

  // A filter set by mouse or finger applies at once. By keyboard it does not, because arrow keys pass other values.
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.closest('.filters') || target.value === 'between') return;
    if (!target.matches(':focus-visible')) target.form?.requestSubmit();
  });

  // Content that takes longer to make than its page is fetched after the page, and again while the page stays open.
  for (const link of elementsOf('[data-later]')) {
    let next = 0;
    const ask = async () => {
      if (document.hidden || performance.now() < next) return;
      const answer = await fetch(link.dataset.later ?? '', { redirect: 'error' }).catch(() => null);
      if (answer?.ok) [link.textContent, next] = [await answer.text(), performance.now() + 300_000];
    };
    setInterval(ask, 30_000);
    addEventListener('visibilitychange', ask);
    void ask();
  }

  // Menus close on Escape and on a click outside.
  const openMenus = () => elementsOf('details:is(.menu, [data-pop])[open]');
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.told')) return;
    for (const menu of openMenus()) if (!menu.contains(target)) menu.removeAttribute('open');
  });
  addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Escape' || !(target instanceof Element)) return;
    for (const menu of openMenus()) {
      if (!menu.contains(target)) continue;
      menu.removeAttribute('open');
      menu.querySelector('summary')?.focus();
    }
  });
}

/** @type {AudioContext | undefined} */
let audio;

/**
 * Plays tones, because packers look at the shelf and not at the screen. Browsers allow sound after a key or a click.
 * @type {(beeps: number, pitchHz: number, seconds: number) => void}
 */
const beep = (beeps, pitchHz, seconds) => {
  if (!('AudioContext' in window)) return;
  audio ??= new AudioContext();
  const VOLUME = 0.3;
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  for (let index = 0; index < beeps; index += 1) {
    const tone = audio.createOscillator();
    tone.type = 'square';
    tone.frequency.value = pitchHz;
    tone.connect(volume);
    tone.start(audio.currentTime + 2 * index * seconds);
    tone.stop(audio.currentTime + (2 * index + 1) * seconds);
  }
};

/** One short high tone: the scan was taken. */
export const soundTaken = () => beep(1, 1320, 0.06);

/** Three low tones if the page, or a new part of it, shows a refusal. @type {(within?: ParentNode) => boolean} */
export const soundAlarm = (within) => {
  if (elementsOf('[data-alarm]', within).length === 0) return false;
  beep(3, 330, 0.12);
  return true;
};

soundAlarm();
