/** Chooses the same language in every block, and keeps the choice for the next page. */
const LANGUAGE = 'docs-language';
/** @type {NodeListOf<HTMLInputElement>} */
const choices = document.querySelectorAll('.tabs input');

/** @param {string | null} language */
function choose(language) {
  for (const choice of choices) if (choice.value === language) choice.checked = true;
}

choose(localStorage.getItem(LANGUAGE));
for (const choice of choices) {
  choice.addEventListener('change', () => {
    localStorage.setItem(LANGUAGE, choice.value);
    choose(choice.value);
  });
}

/** Adds a button to every block of code that copies the shown text. */
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const shown = [...block.querySelectorAll('pre')].find((each) => each.checkVisibility());
    await navigator.clipboard.writeText(shown?.textContent ?? '');
    button.textContent = 'Copied';
  });
  block.querySelector('figcaption, .languages')?.append(button);
}

const SHOWN_MAX = 30;

/** @typedef {{ kind: string, title: string, href: string, words: string }} Entry */

/** The search index, fetched at the first letter. @type {Promise<Entry[]> | undefined} */
let index;

/** Entries that contain every word; matches in titles first. @param {string} query */
async function find(query) {
  index ??= fetch('/docs/search.json').then((answer) => answer.json());
  const words = query.toLowerCase().split(/\s/).filter(Boolean);
  /** @param {string} text */
  const has = (text) => words.every((word) => text.includes(word));
  /** @param {Entry} entry */
  const rank = ({ title }) => (title.toLowerCase() === words.join(' ') ? 0 : has(title.toLowerCase()) ? 1 : 2);
  const found = (await index).filter(({ title, words: more }) => has(`${title.toLowerCase()} ${more}`));
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Shows the results as a list of links.
 * @param {HTMLElement} box
 * @param {Entry[]} found
 */
function show(box, found) {
  const status = document.createElement('p');
  status.role = 'status';
  const rest = found.length > SHOWN_MAX ? `, the first ${SHOWN_MAX} shown` : '';
  status.textContent = found.length === 0 ? 'Nothing has all of these words.' : `${found.length} found${rest}`;
  const list = document.createElement('ul');
  list.className = 'results';
  for (const { kind, title, href } of found.slice(0, SHOWN_MAX)) {
    const link = Object.assign(document.createElement('a'), { href });
    const word = Object.assign(document.createElement('span'), { textContent: kind });
    link.append(`${title} `, word);
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  box.replaceChildren(status, list);
  box.hidden = false;
}

/**
 * Shows results during typing.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} box
 * @param {HTMLElement} found
 */
function searchAsTyped(form, box, found) {
  box.addEventListener('input', async () => {
    const query = box.value.trim();
    if (!query) {
      found.hidden = true;
      return;
    }
    const entries = await find(query).catch(() => null);
    // Without the index, the form still leads to the page of everything, and a later letter fetches the index again.
    if (!entries) index = undefined;
    else if (box.value.trim() === query) show(found, entries);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      found.hidden = true;
      box.focus();
      return;
    }
    /** @type {HTMLElement[]} */
    const stops = [box, ...found.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const next = stops[stops.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step];
    if (step === 0 || found.hidden || !next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) found.hidden = true;
  });
}

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form.search');
const box = form?.querySelector('input');
/** @type {HTMLElement | null | undefined} */
const found = form?.querySelector('.found');
if (form && box && found) searchAsTyped(form, box, found);

// Turns the page of everything into the page of results.
const asked = new URLSearchParams(location.search).get('q')?.trim();
const results = document.getElementById('results');
const title = document.querySelector('h1');
if (asked && results && title && box) {
  box.value = asked;
  title.textContent = 'Search';
  find(asked).then(
    (entries) => show(results, entries),
    () => {},
  );
}
