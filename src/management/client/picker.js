import { clicked, elementsOf } from './page.js';

/**
 * Suggests products or search hits during typing: a combobox (WAI-ARIA APG, list autocomplete with manual selection).
 * The focus stays in the field. Arrow keys move through the list, Enter chooses, Escape closes it. In the search, Enter
 * opens a hit only if the person moved to it.
 */
{
  const WAIT_MS = 200;
  const LENGTH_MIN = 2;
  const HITS_OF_EACH = 3;

  /** The first hits of each kind on the page of the search. @type {(page: Document) => HTMLElement | undefined} */
  const hitsOf = (page) => {
    const hits = elementsOf('.hits', page).flatMap((table) => elementsOf('.go', table).slice(0, HITS_OF_EACH));
    if (hits.length === 0) return undefined;
    const list = document.createElement('ul');
    list.className = 'choices';
    list.dataset.said = page.querySelector('main .tabs')?.textContent ?? '';
    for (const hit of hits) {
      const option = document.createElement('li');
      Object.assign(option.dataset, { product: '', href: hit.getAttribute('href') });
      const row = hit.closest('tr') ?? list;
      const texts = elementsOf('.settle > *, .what', row).map(({ textContent }) => textContent?.trim());
      const beside = Object.assign(document.createElement('small'), { textContent: texts.join(' · ') });
      option.append(...hit.childNodes, beside);
      list.append(option);
    }
    return list;
  };

  /** @type {(field: HTMLInputElement) => void} */
  const attach = (field) => {
    const path = field.closest('[data-picker]')?.getAttribute('data-picker') ?? field.form?.getAttribute('action');
    const list = document.createElement('div');
    const said = document.createElement('p');
    list.hidden = true;
    list.className = 'choices';
    said.className = 'unseen';
    said.setAttribute('role', 'status');
    (field.closest('.field, label') ?? field).after(list, said);
    const isSearch = field.type === 'search';
    if (!isSearch) field.dataset.scan ??= 'pzn';
    field.setAttribute('role', 'combobox');
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-expanded', 'false');

    /** @type {number | undefined} */
    let timer;
    let asked = new AbortController();
    let active = -1;
    /** The product of the line until another one is taken. */
    let before = field.value;
    const options = () => elementsOf('[data-product]', list);
    const isOfLine = !isSearch && !('adds' in field.dataset);
    const isWords = () => field.value !== before && /\p{L}/u.test(field.value) && !/^P1-/i.test(field.value);
    const isLongEnough = () => field.value.trim().length >= LENGTH_MIN;

    /** @type {(index: number) => void} */
    const mark = (index) => {
      active = index;
      for (const [at, option] of options().entries()) option.setAttribute('aria-selected', String(at === index));
      const option = options()[index];
      if (option) field.setAttribute('aria-activedescendant', option.id);
      else field.removeAttribute('aria-activedescendant');
      option?.scrollIntoView({ block: 'nearest' });
    };

    const shut = () => {
      clearTimeout(timer);
      asked.abort();
      list.hidden = true;
      field.setAttribute('aria-expanded', 'false');
      mark(-1);
    };

    const search = async () => {
      asked.abort();
      asked = new AbortController();
      const url = `${path}?${new URLSearchParams({ q: field.value })}`;
      try {
        const answer = await fetch(url, { redirect: 'manual', signal: asked.signal });
        if (!answer.ok) return shut();
        show(await answer.text());
      } catch {
        // A later key aborted the request, or there is no network. The field works without suggestions.
      }
    };

    /** @type {(html: string) => void} */
    const show = (html) => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      const fresh = isSearch ? hitsOf(page) : elementsOf('.choices', page)[0];
      if (!fresh) return shut();
      fresh.setAttribute('role', 'listbox');
      fresh.id = `${field.name}-choices`;
      list.replaceChildren(fresh);
      for (const [at, option] of options().entries()) {
        option.id = `${fresh.id}-${at}`;
        option.setAttribute('role', 'option');
      }
      said.textContent = fresh.dataset.said ?? '';
      // A code matches only one product, so that product is taken.
      const [only, ...others] = options();
      if (!isSearch && only && others.length === 0 && /^\d{8,}$/.test(field.value)) return take(only);
      list.hidden = options().length === 0;
      if (list.hidden) said.className = 'hint';
      else if (isOfLine) list.scrollIntoView({ block: 'center' });
      field.setAttribute('aria-controls', fresh.id);
      field.setAttribute('aria-expanded', String(!list.hidden));
      mark(-1);
    };

    /** The field with this name in the same line. @type {(name: string) => HTMLInputElement | null} */
    const beside = (name) => {
      const found = field.form?.elements.namedItem(field.name.replace('product', name));
      return found instanceof HTMLInputElement ? found : null;
    };

    /** Fills in a field if it is empty, or if `isOwn`. @type {(name: string, value: string, isOwn?: boolean) => void} */
    const fill = (name, value, isOwn = false) => {
      const found = beside(name);
      if (found && (isOwn || found.value === '')) found.value = value;
    };

    /** @type {(option: HTMLElement) => void} */
    const take = (option) => {
      const { product = '', price = '', href } = option.dataset;
      if (href) return location.assign(href);
      field.value = product;
      before = product;
      delete field.dataset.taken;
      fill('price', price, 'own' in option.dataset);
      fill('quantity', '1');
      said.replaceChildren(...option.cloneNode(true).childNodes);
      said.className = 'hint';
      shut();
      if ('adds' in field.dataset) {
        /** @type {HTMLButtonElement | null} */
        const check = field.form?.querySelector('[formaction$="/check"]') ?? null;
        return field.form?.requestSubmit(check);
      }
      // The findings about the previous product are checked again (check.js).
      beside('quantity')?.dispatchEvent(new Event('input', { bubbles: true }));
      beside('quantity')?.select();
    };

    field.addEventListener('input', (event) => {
      shut();
      // Words name no product: until one is taken, the previous product is checked (check.js).
      if (isOfLine && isWords()) {
        field.dataset.taken = before;
        event.stopPropagation();
      } else delete field.dataset.taken;
      said.className = 'unseen';
      if (isLongEnough()) timer = setTimeout(search, WAIT_MS);
    });
    field.addEventListener('blur', () => {
      shut();
      if (!isOfLine || !isWords()) return;
      field.value = before;
      delete field.dataset.taken;
      said.className = 'unseen';
    });
    // Pressing the mouse button would move the focus and close the list before the click.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = clicked(event, '[data-product]');
      if (option) take(option);
    });
    field.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const count = options().length;
      const isOpen = !list.hidden;
      const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const marked = options()[isSearch ? active : Math.max(active, 0)];
      if (move && isOpen) mark((active + move + count + (active < 0 && move < 0 ? 1 : 0)) % count);
      else if (move && isLongEnough()) void search();
      else if (event.key === 'Enter' && isOpen && marked) take(marked);
      else if (event.key === 'Escape' && isOpen) shut();
      else return;
      event.preventDefault();
    });
  };
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll(
    'header [data-search], input[data-picker], [data-picker] input[name^="product-"]',
  );
  for (const field of fields) attach(field);

  // Shows the line's product field and searches there for the requested name.
  addEventListener('click', (event) => {
    const button = clicked(event, '[data-find]');
    const line = button?.closest('tbody');
    const field = line?.querySelector('[name^="product-"]');
    if (!line || !(field instanceof HTMLInputElement)) return;
    for (const fold of elementsOf('tr:first-child details', line)) fold.setAttribute('open', '');
    field.value = button?.dataset.find || field.value;
    field.focus();
    // Typing replaces the words. A narrow field shows their beginning.
    field.select();
    field.scrollLeft = 0;
    field.dispatchEvent(new Event('input'));
  });
}
