/**
 * Products under the field while one types: a combobox with a list (WAI-ARIA APG, list autocomplete with manual
 * selection). The focus stays in the field; arrows go through the list, Enter takes, Escape shuts it.
 */
export const PICKER = `
{
  const WAIT_MS = 200;
  const LENGTH_MIN = 2;

  function attach(field) {
    const line = field.closest('fieldset');
    const list = document.createElement('div');
    const said = document.createElement('p');
    list.hidden = true;
    list.className = 'choices';
    said.className = 'unseen';
    said.setAttribute('role', 'status');
    field.closest('.field').after(list, said);
    for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-expanded', 'false']]) field.setAttribute(name, value);
    // The button beside it is for pages without this script.
    line.querySelector('.search-line').hidden = true;

    let timer;
    let asked;
    let active = -1;
    const options = () => [...list.querySelectorAll('[data-product]')];

    function mark(index) {
      active = index;
      options().forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
      const option = options()[index];
      if (option) field.setAttribute('aria-activedescendant', option.id);
      else field.removeAttribute('aria-activedescendant');
      option?.scrollIntoView({ block: 'nearest' });
    }

    function shut() {
      clearTimeout(timer);
      asked?.abort();
      list.hidden = true;
      field.setAttribute('aria-expanded', 'false');
      mark(-1);
    }

    async function search() {
      asked?.abort();
      asked = new AbortController();
      const url = field.dataset.picker + '?' + new URLSearchParams({ q: field.value });
      try {
        const answer = await fetch(url, { redirect: 'manual', signal: asked.signal });
        if (!answer.ok) return shut();
        show(await answer.text());
      } catch {
        // Typed on meanwhile, or no network: the field works as it is.
      }
    }

    function show(html) {
      const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('.choices');
      if (!fresh) return shut();
      fresh.setAttribute('role', 'listbox');
      fresh.id = field.id + '-choices';
      list.replaceChildren(fresh);
      options().forEach((option, at) => {
        option.id = fresh.id + '-' + at;
        option.setAttribute('role', 'option');
      });
      said.textContent = fresh.dataset.said;
      list.hidden = options().length === 0;
      field.setAttribute('aria-controls', fresh.id);
      field.setAttribute('aria-expanded', String(!list.hidden));
      mark(-1);
    }

    // What the platform sent stays; only what is empty is filled in.
    function take(option) {
      const beside = (name) => document.getElementById(field.id.replace('product', name));
      field.value = option.dataset.product;
      beside('price').value ||= option.dataset.price;
      beside('quantity').value ||= '1';
      said.replaceChildren(...option.cloneNode(true).childNodes);
      said.className = 'hint search-line';
      dropMatched();
      shut();
      beside('quantity').select();
    }

    // Another id is another product: what the page said of the one before is not said of this one.
    const dropMatched = () => line.querySelector('[data-matched]')?.remove();

    field.addEventListener('input', () => {
      shut();
      dropMatched();
      said.className = 'unseen';
      if (field.value.trim().length >= LENGTH_MIN) timer = setTimeout(search, WAIT_MS);
    });
    field.addEventListener('blur', shut);
    // A press would take the focus, and the list would be gone before the click.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = event.target.closest('[data-product]');
      if (option) take(option);
    });
    field.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const count = options().length;
      const isOpen = !list.hidden;
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (move && isOpen) mark((active + move + count + (active < 0 && move < 0 ? 1 : 0)) % count);
      else if (move && field.value.trim().length >= LENGTH_MIN) search();
      else if (event.key === 'Enter' && isOpen) take(options()[Math.max(active, 0)]);
      else if (event.key === 'Escape' && isOpen) shut();
      else return;
      event.preventDefault();
    });
  }
  for (const field of document.querySelectorAll('input[data-picker]')) attach(field);

  // The sum is that of the lines as the page came.
  for (const total of document.querySelectorAll('[data-total]')) {
    const drop = () => { total.hidden = true; };
    total.closest('form').addEventListener('input', drop);
    total.closest('form').addEventListener('click', (event) => { if (event.target.closest('[data-product]')) drop(); });
  }

}
`;
