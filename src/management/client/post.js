import { isPost, say, shortcuts } from './scan.js';

/**
 * Sends forms. A form that cannot reach the service stays as it is, says so, and is sent again once the service answers, unless
 * somebody changes it meanwhile. It is sent by fetch. Where the service answers with a redirect, the page goes there; any other
 * answer changed nothing, so the form is sent again in the browser's own way, which shows it. Uploads and what counts attempts are
 * sent that way alone, and so is everything of a page without a session.
 */
{
  const LONGEST_MS = 20_000;
  const AGAIN_MS = 2000;
  const AGAIN_MS_MAX = 30_000;

  /** @type {(form: HTMLFormElement, button: HTMLElement | null) => boolean} */
  const isFetched = (form, button) =>
    shortcuts !== null &&
    (button?.getAttribute('formenctype') ?? form.enctype) !== 'multipart/form-data' &&
    form.target === '' &&
    form.querySelector('[type="password"], [autocomplete="one-time-code"]') === null;

  /** @type {(path: string) => void} */
  const goTo = (path) => {
    const to = new URL(path, location.href);
    const isHere = to.pathname === location.pathname && to.search === location.search && to.hash !== '';
    location.assign(to);
    // Otherwise the browser only scrolls.
    if (isHere) location.reload();
  };

  /** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<void>} */
  const send = async (form, button) => {
    const address = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.href;
    const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
    const changed = new AbortController();
    addEventListener('input', ({ target }) => {
      // A field may stand outside of its form.
      if (target instanceof Element && 'form' in target && target.form === form) changed.abort();
    });
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await fetch(address, {
          method: 'POST',
          body: new URLSearchParams(fields),
          signal: AbortSignal.timeout(LONGEST_MS),
        });
        const to = answer.headers.get('Location') ?? (answer.redirected ? answer.url : null);
        if (answer.status < 500) {
          say('', 'unreached');
          removeEventListener('beforeunload', ask);
          if (to) return goTo(to);
          // Was refused; what it has become meanwhile nobody has sent.
          if (!changed.signal.aborted) return sendPlainly(form, button);
        }
      } catch {
        // No connection, or no answer in time.
      }
      if (changed.signal.aborted) break;
      addEventListener('beforeunload', ask);
      say('unreached');
      await new Promise((resolve) => {
        setTimeout(resolve, Math.min(AGAIN_MS * 2 ** tries, AGAIN_MS_MAX));
        addEventListener('online', resolve, { once: true });
        changed.signal.addEventListener('abort', resolve, { once: true });
      });
      if (changed.signal.aborted) break;
    }
    removeEventListener('beforeunload', ask);
    delete form.dataset.sent;
    say('unsent');
  };

  /** @type {(event: Event) => void} */
  const ask = (event) => event.preventDefault();

  /** @type {(form: HTMLFormElement, button: HTMLElement | null) => void} */
  const sendPlainly = (form, button) => {
    form.dataset.sent = 'plainly';
    form.requestSubmit(button);
  };

  addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !isPost(form)) return;
    if (form.dataset.sent === 'plainly') {
      form.dataset.sent = 'yes';
      return;
    }
    // A second click before the answer would send the form twice.
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'yes';
    if (!isFetched(form, submitter)) return;
    event.preventDefault();
    void send(form, submitter);
  });
  // The next part of a long work.
  const next = document.querySelector('form[data-continue]');
  if (next instanceof HTMLFormElement) next.requestSubmit();
  addEventListener('pageshow', (event) => {
    if (event.persisted) for (const form of document.forms) delete form.dataset.sent;
  });
}
