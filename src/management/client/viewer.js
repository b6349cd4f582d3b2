import {
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * The viewer of one prescription (requests/viewer-page.tsx), in a frame of the review page. It paints the pages to
 * canvases and tells the review page which of them were seen. A page counts as seen after it was painted and half in
 * view for a second. Nothing in the file is executed.
 */

const SEEN_AFTER_MS = 1000;
const ZOOMS = [1, 1.5, 2.25, 3.4];
/** iOS paints nothing on a canvas with more pixels. */
const CANVAS_PIXELS_MAX = 12_000_000;
/** At zoom 1, the pane shows at least this fraction of a page's height, so that half of the page always fits. */
const IN_PANE = 0.55;

/** @type {(selector: string) => HTMLElement} */
const one = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const view = one('.view');
const { file = '', length = '', assets = '', page: pageText = '', ...texts } = view.dataset;
GlobalWorkerOptions.workerSrc = `${assets}pdf.worker.min.mjs`;
view.dataset.waiting = texts.waits;
/** The worker starts while the file is still loading. */
const worker = new PDFWorker({ verbosity: VerbosityLevel.ERRORS });
const frame = /** @type {HTMLIFrameElement | null} */ (window.frameElement);
const outer = frame?.ownerDocument.defaultView ?? window;

/** The height in px at the top and bottom that fixed bars of the page cover. */
const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(outer.document.documentElement);
const covered = { top: Number.parseFloat(scrollPaddingTop) || 0, bottom: Number.parseFloat(scrollPaddingBottom) || 0 };

/**
 * The state that the review page reads from the frame's `data-viewed` (JSON). Only the review page enables the checkbox
 * (seen.js).
 */
const viewed = { sha256: '', pages: 0, seen: 0, fault: '' };
const tell = () => {
  if (!frame) return;
  frame.dataset.viewed = JSON.stringify(viewed);
  frame.dispatchEvent(new Event('viewed', { bubbles: true }));
};

/**
 * A page of the file; `ratio` is its height divided by its width.
 * @typedef {{ number: number, box: HTMLElement, pip: HTMLElement, ratio: number, isNear: boolean, isHalf: boolean,
 *   isSeen: boolean, isPainted: boolean, timer?: ReturnType<typeof setTimeout> }} Leaf
 */
/** @type {Leaf[]} */
const leaves = [];
/** @type {import('pdfjs-dist').PDFDocumentProxy | undefined} */
let pdf;
let zoom = 0;
let turn = 0;
let now = 0;
/** The number of the current layout. Pages that were painted for an earlier layout are painted again. */
let round = 0;

/** @param {'locked' | 'damaged' | 'unreached'} fault */
const fail = (fault) => {
  viewed.fault = fault === 'unreached' ? '' : fault;
  view.replaceChildren(texts[fault] ?? '');
  view.classList.add('failed');
  one('.bar').hidden = true;
  tell();
};

/** @type {(leaf: Leaf) => void} */
const watch = (leaf) => {
  clearTimeout(leaf.timer);
  if (leaf.isSeen || !leaf.isHalf || !leaf.isPainted || document.hidden) return;
  leaf.timer = setTimeout(() => {
    leaf.isSeen = true;
    leaf.pip.className = 'seen-it';
    viewed.seen += 1;
    tell();
  }, SEEN_AFTER_MS);
};

/** @type {Promise<unknown>} */
let painting = Promise.resolve();
/** Paints the pages near the view, one after another, and frees the others. */
const paint = () => {
  painting = painting.then(async () => {
    for (const leaf of leaves) {
      if (leaf.isNear && !leaf.isPainted) await paintLeaf(leaf);
      if (!leaf.isNear && leaf.isPainted) {
        leaf.isPainted = false;
        leaf.box.replaceChildren();
        watch(leaf);
      }
    }
  });
};

/** @type {(leaf: Leaf) => Promise<void>} */
const paintLeaf = async (leaf) => {
  try {
    const page = await pdf?.getPage(leaf.number);
    if (!page) return;
    const rotation = (page.rotate + turn) % 360;
    const { width, height } = page.getViewport({ scale: 1, rotation });
    const started = round;
    size(leaf, height / width);
    const wanted = (leaf.box.clientWidth / width) * Math.min(Math.max(devicePixelRatio, 1.5), 3);
    const scale = Math.min(wanted, Math.sqrt(CANVAS_PIXELS_MAX / (width * height)));
    const viewport = page.getViewport({ scale, rotation });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) });
    canvas.role = 'img';
    canvas.ariaLabel = sayPage(leaf.number);
    await page.render({ canvas, viewport }).promise;
    leaf.box.replaceChildren(canvas);
    leaf.isPainted = started === round;
    watch(leaf);
  } catch {
    fail('damaged');
  }
};

/** @type {(number: number) => string} */
const sayPage = (number) => pageText.replace('%', String(number)).replace('%', String(leaves.length));

/** Whether the window is as narrow as a phone's. The viewer then shows one page at a time and sizes the frame. */
const isNarrow = () => outer.matchMedia('(max-width: 767px)').matches;

/** Fits the width of a page and half of its height into the pane. @type {(leaf: Leaf, ratio: number) => void} */
const size = (leaf, ratio) => {
  leaf.ratio = ratio;
  // On a phone the whole page and the bar must fit, elsewhere half of the page.
  const room = isNarrow()
    ? Math.max(outer.innerHeight - covered.top - covered.bottom - 110, 320)
    : view.clientHeight / IN_PANE;
  const fitting = Math.floor(Math.min(view.clientWidth - 16, room / ratio));
  const width = fitting * (ZOOMS[zoom] ?? 1);
  Object.assign(leaf.box.style, { width: `${width}px`, height: `${width * ratio}px` });
  if (frame && isNarrow() && leaf.number === now + 1) frame.style.height = `${Math.ceil(fitting * ratio) + 66}px`;
};

/** Lays out the pages and paints them again. */
const layOut = () => {
  round += 1;
  document.body.classList.toggle('single', isNarrow());
  if (frame && !isNarrow()) frame.style.height = '';
  for (const leaf of leaves) {
    leaf.box.hidden = isNarrow() && leaf.number !== now + 1;
    leaf.isPainted = false;
    size(leaf, leaf.ratio);
    watch(leaf);
  }
  paint();
  show();
};

/** Shows the number of the current page and disables buttons that would do nothing. */
const show = () => {
  one('.page-of > span').textContent = sayPage(now + 1);
  /** @type {(name: string, isOff: boolean) => void} */
  const turnOff = (name, isOff) => one(`[value="${name}"]`).toggleAttribute('disabled', isOff);
  turnOff('back', now === 0);
  turnOff('on', now + 1 === leaves.length);
  turnOff('smaller', zoom === 0);
  turnOff('larger', zoom === ZOOMS.length - 1);
};

/** @type {(place: number) => void} */
const goTo = (place) => {
  now = Math.min(Math.max(place, 0), leaves.length - 1);
  if (isNarrow()) layOut();
  view.scrollTop = (leaves[now]?.box.offsetTop ?? 0) - 8;
  show();
};

/** @type {(to: number) => void} */
const zoomTo = (to) => {
  const at = [view.scrollLeft / view.scrollWidth, view.scrollTop / view.scrollHeight];
  zoom = Math.min(Math.max(to, 0), ZOOMS.length - 1);
  layOut();
  view.scrollTo((at[0] ?? 0) * view.scrollWidth, (at[1] ?? 0) * view.scrollHeight);
};

/** @type {Record<string, () => void>} */
const ACTS = {
  back: () => goTo(now - 1),
  on: () => goTo(now + 1),
  smaller: () => zoomTo(zoom - 1),
  larger: () => zoomTo(zoom + 1),
  turn: () => {
    turn = (turn + 90) % 360;
    for (const leaf of leaves) leaf.ratio = 1 / leaf.ratio;
    layOut();
  },
};

/** @type {(pages: number, ratio: number) => void} */
const addLeaves = (pages, ratio) => {
  const pips = one('.pips');
  for (let number = 1; number <= pages; number += 1) {
    const box = document.createElement('div');
    box.className = 'leaf';
    box.dataset.waiting = texts.waits;
    const pip = document.createElement('i');
    leaves.push({ number, box, pip, ratio, isNear: false, isHalf: false, isSeen: false, isPainted: false });
    if (pages > 1 && pages <= 12) pips.append(pip);
  }
  view.replaceChildren(...leaves.map(({ box }) => box));
  /** @type {(entry: IntersectionObserverEntry) => Leaf | undefined} */
  const leafOf = ({ target }) => leaves.find(({ box }) => box === target);
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) Object.assign(leafOf(entry) ?? {}, { isNear: entry.isIntersecting });
      paint();
    },
    { root: view, rootMargin: '60% 0px' },
  );
  // Visibility is measured in the window: the page may have scrolled the frame away, or its fixed bars may cover it.
  const half = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const leaf = leafOf(entry);
        if (!leaf) continue;
        leaf.isHalf = entry.intersectionRatio >= 0.5;
        watch(leaf);
        if (leaf.isHalf && !isNarrow()) now = leaf.number - 1;
      }
      show();
    },
    { threshold: 0.5, rootMargin: `-${covered.top}px 0px -${covered.bottom}px` },
  );
  for (const { box } of leaves) {
    near.observe(box);
    half.observe(box);
  }
};

const open = async () => {
  const answer = await fetch(file).catch(() => undefined);
  if (!answer?.ok || answer.redirected) return fail('unreached');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  viewed.sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, '0'),
    '',
  );
  // If something was appended later, only the signed revision is shown.
  const data = bytes.slice(0, Number(length) || bytes.length);
  const options = { worker, enableXfa: false, useSystemFonts: false, verbosity: VerbosityLevel.ERRORS };
  const urls = {
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    wasmUrl: `${assets}wasm/`,
    iccUrl: `${assets}iccs/`,
  };
  try {
    pdf = await getDocument({ data, ...options, ...urls }).promise;
    const page = await pdf.getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    addLeaves(pdf.numPages, height / width);
  } catch (error) {
    return fail(error instanceof PasswordException ? 'locked' : 'damaged');
  }
  viewed.pages = leaves.length;
  tell();
  layOut();
};

one('.bar').addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button) ACTS[button.value]?.();
});
view.addEventListener('dblclick', () => zoomTo(zoom === 0 ? 2 : 0));
// The frame gives up the focus, so that the page handles keys and scans.
addEventListener('pointerup', () => frame?.blur());
addEventListener('keydown', ({ key }) => {
  if (key === '+') ACTS.larger?.();
  if (key === '-') ACTS.smaller?.();
});
document.addEventListener('visibilitychange', () => leaves.forEach(watch));
// The page requests the next page that was not seen.
frame?.addEventListener('unseen', () => goTo(leaves.findIndex(({ isSeen }) => !isSeen)));
let last = '';
new ResizeObserver(() => {
  // On a phone the viewer itself sets the height, so only the width counts.
  const sizes = `${view.clientWidth} ${isNarrow() ? '' : view.clientHeight}`;
  if (sizes !== last) layOut();
  last = sizes;
}).observe(view);
void open();
