import { clicked, elementsOf, showScripted } from './page.js';
import { showSeen } from './seen.js';

/**
 * Checks a form with `data-check` (the path of the server's check) after each change. Every element with an id and
 * `data-checked` is replaced by the server's current result. Until then, it is marked as unchecked, with the text of
 * the attribute if it has any. In a `tbody`, the last row stays because it has the fields.
 */
{
  const WAIT_MS = 400;
  const PENDING_MS = 3000;
  const PENDING_MAX = 10;

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

    /** While the server still works on a check, the check is repeated for half a minute. */
    let left = PENDING_MAX;
    const watchPending = () => {
      if (left > 0 && document.querySelector('[data-pending]')) timer = setTimeout(check, PENDING_MS);
      left -= 1;
    };

    const check = async () => {
      asked = new AbortController();
      const { signal } = asked;
      const fields = [...new FormData(form)].map(([name, value]) => {
        const field = form.elements.namedItem(name);
        return [name, (field instanceof HTMLElement ? field.dataset.taken : null) ?? String(value)];
      });
      try {
        const answer = await fetch(form.dataset.check ?? '', {
          method: 'POST',
          body: new URLSearchParams(fields),
          signal,
        });
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (signal.aborted) return;
        for (const part of parts()) {
          const fresh = page.getElementById(part.id);
          // Without a matching element, the response is another page, for example after the session's end: the mark
          // stays.
          if (!fresh) continue;
          const { activeElement } = document;
          const focused = part.contains(activeElement) ? activeElement?.id : '';
          const caret = activeElement instanceof HTMLInputElement ? activeElement.selectionStart : null;
          const folds = elementsOf('details', part).map((fold) => fold.hasAttribute('open'));
          for (const [at, fold] of elementsOf('details', fresh).entries()) fold.toggleAttribute('open', folds[at]);
          const { length = '', frame = '' } = part.dataset;
          const shown = replaced(part, fresh);
          // The signature now covers another part of the file, so the reader must view the file again.
          const viewer = document.getElementById(frame);
          if (viewer instanceof HTMLIFrameElement && (shown.getAttribute('data-length') ?? '') !== length) {
            delete viewer.dataset.viewed;
            viewer.contentWindow?.location.reload();
          }
          showScripted(shown);
          showSeen(shown);
          const again = document.getElementById(focused ?? '');
          again?.focus({ preventScroll: true });
          if (again instanceof HTMLInputElement && caret !== null) again.setSelectionRange(caret, caret);
        }
        watchPending();
      } catch {
        // A later change aborted the request, or there is no connection. The server checks again before a decision.
      }
    };

    watchPending();
    addEventListener('input', ({ target }) => {
      // Fields may be outside their form.
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

    // A line's button sets fields of the line, as the server does (requests/review-state.ts).
    addEventListener('click', (event) => {
      const button = clicked(event, 'button[name="set"]');
      if (!(button instanceof HTMLButtonElement) || button.form !== form) return;
      event.preventDefault();
      // The button disappears with the finding that it settles, so the focus moves to the line.
      const [change] = elementsOf('summary', button.closest('tbody') ?? form);
      change?.focus({ preventScroll: true });
      if (button.closest('.edit')) change?.closest('details')?.removeAttribute('open');
      for (const [name, value] of new URLSearchParams(button.value)) {
        const field = form.elements.namedItem(name);
        if (field instanceof HTMLSelectElement) {
          // The button sets the field of a question or rejection, which is folded.
          const fold = field.closest('details');
          if (fold) fold.open = true;
          field.value = value;
          elementsOf('input, textarea', fold ?? form)[0]?.focus();
        }
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
