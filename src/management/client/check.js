import { clicked, elementsOf, showScripted, takePictures } from './page.js';
import { showSeen } from './seen.js';

/**
 * After a change of a form with `data-check`, the address of the server's check, every element with an id and `data-checked` is marked as not
 * checked, with the words of that attribute if it has any, and then replaced by what the server says of the form as it is now. Of a `tbody`
 * the last row stays: it has the fields.
 */
{
  const WAIT_MS = 400;

  /** @type {(part: Element, fresh: Element) => Element} */
  const replaced = (part, fresh) => {
    const fields = part.matches('tbody') ? part.lastElementChild : null;
    if (!fields) {
      part.replaceWith(fresh);
      return fresh;
    }
    for (const row of [...part.children]) if (row !== fields) row.remove();
    fields.before(...[...fresh.children].slice(0, -1));
    return part;
  };

  /** @type {(form: HTMLFormElement) => void} */
  const attach = (form) => {
    /** @type {number | undefined} */
    let timer;
    let asked = new AbortController();
    const parts = () => elementsOf('[id][data-checked]');

    const check = async () => {
      asked = new AbortController();
      const { signal } = asked;
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      try {
        const answer = await fetch(form.dataset.check ?? '', {
          method: 'POST',
          body: new URLSearchParams(fields),
          signal,
        });
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (signal.aborted) return;
        takePictures(page);
        for (const part of parts()) {
          const fresh = page.getElementById(part.id);
          // Without one the answer is another page, as where the session has ended: what was not checked stays marked.
          if (!fresh) continue;
          const focused = part.contains(document.activeElement) ? document.activeElement?.id : '';
          const folds = elementsOf('details', part).map((fold) => fold.hasAttribute('open'));
          for (const [at, fold] of elementsOf('details', fresh).entries()) fold.toggleAttribute('open', folds[at]);
          const shown = replaced(part, fresh);
          showScripted(shown);
          showSeen(shown);
          if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
        }
      } catch {
        // A later change aborted it, or there is no connection: the server checks again before it decides.
      }
    };

    addEventListener('input', ({ target }) => {
      // Fields may stand outside of their form.
      const isIn = target instanceof Element && 'form' in target && target.form === form;
      if (!isIn || target.closest('[data-unchecked]')) return;
      clearTimeout(timer);
      asked.abort();
      for (const part of parts()) {
        if (!part.dataset.checked || part.querySelector('.stale') || part.textContent?.trim() === '') continue;
        const mark = document.createElement('strong');
        mark.className = 'stale';
        mark.textContent = part.dataset.checked ?? '';
        part.prepend(mark, ' ');
      }
      timer = setTimeout(check, WAIT_MS);
    });

    // A button of a line sets fields of it; the server does the same (requests/review-state.ts).
    addEventListener('click', (event) => {
      const button = clicked(event, 'button[name="set"]');
      if (!(button instanceof HTMLButtonElement) || button.form !== form) return;
      event.preventDefault();
      // The button goes with what it settles: the focus stays at the line.
      elementsOf('summary', button.closest('tbody') ?? form)[0]?.focus({ preventScroll: true });
      for (const [name, value] of new URLSearchParams(button.value)) {
        const field = form.elements.namedItem(name);
        if (!(field instanceof HTMLInputElement)) continue;
        if (field.type === 'checkbox') field.checked = value === field.value;
        else field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
  };
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll('form[data-check]');
  for (const form of forms) attach(form);
}
