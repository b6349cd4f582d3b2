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

/** Puts a button on every block of code that copies the text that is shown. */
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

/**
 * Shows what is found while one types: the results of the page that the form leads to.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} box
 * @param {HTMLElement} found
 */
function searchAsTyped(form, box, found) {
  let asked = new AbortController();
  box.addEventListener('input', async () => {
    asked.abort();
    asked = new AbortController();
    const query = box.value.trim();
    if (!query) {
      found.hidden = true;
      return;
    }
    const address = new URL(form.action);
    address.searchParams.set('q', query);
    const { signal } = asked;
    const answer = await fetch(address, { signal }).catch(() => null);
    const page = answer && new DOMParser().parseFromString(await answer.text().catch(() => ''), 'text/html');
    // A later letter has asked again.
    if (signal.aborted) return;
    // Without an answer the form itself still leads to the results.
    const results = page?.getElementById('results');
    found.replaceChildren(...(results?.children ?? []));
    found.hidden = !results;
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
