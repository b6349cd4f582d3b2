import { elementsOf, showScripted, soundAlarm, soundTaken } from './page.js';
import { isPost, say, shortcuts } from './scan.js';

/**
 * Submits forms by fetch. If the session has ended, the page says so, stays, and submits the form in the next session.
 * If that is another person's session, the page first names that person. If the service cannot be reached, the page
 * says so and retries until the service responds, unless the form is changed meanwhile. If the response is a redirect,
 * the page goes there. Any other response changed nothing, so the browser itself submits the form again and shows the
 * response. After a form with `data-stays` the page stays: only its parts with `data-swap` are replaced by the same
 * parts of the response. Codes that are scanned meanwhile are submitted afterwards. Uploads, forms whose attempts are
 * counted, and forms of pages without a session are submitted only by the browser.
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
    // Otherwise, the browser would only scroll.
    if (isHere) location.reload();
  };

  /** Codes that were scanned while another code was being submitted. @type {string[]} */
  let queued = [];

  /**
   * Replaces the parts of the page that have changed and plays the sound of the result. Unless the scanned code was
   * refused, submits the next queued one. If it was refused, drops all queued ones.
   * @type {(text: string, hash?: string) => boolean} false if `text` is another page, without these parts
   */
  const showIn = (text, hash = '') => {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const parts = elementsOf('[data-swap]').map((part) => ({
      part,
      fresh: elementsOf(`[data-swap="${part.dataset.swap}"]`, page)[0],
    }));
    if (parts.some(({ fresh }) => !fresh)) return false;
    for (const { part, fresh } of parts) {
      if (!fresh) continue;
      part.replaceWith(fresh);
      showScripted(fresh);
    }
    if (soundAlarm()) {
      queued = [];
      elementsOf('[data-focus]')[0]?.focus();
      return true;
    }
    soundTaken();
    document.getElementById(hash)?.focus({ preventScroll: true });
    const field = document.querySelector('[data-scan]');
    if (!(field instanceof HTMLInputElement)) return true;
    field.value = queued.shift() ?? '';
    if (field.value) field.form?.requestSubmit();
    return true;
  };

  /** @type {(path: string) => Promise<boolean>} */
  const stay = async (path) => {
    const { pathname, hash } = new URL(path, location.href);
    if (pathname !== location.pathname || hash === '#status') return false;
    try {
      const answer = await fetch(path, {
        headers: { 'X-Shows-Message': '1' },
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      return answer.ok && !answer.redirected && showIn(await answer.text(), hash.slice(1));
    } catch {
      return false;
    }
  };

  /**
   * Gives the page's forms the token of the browser's current session, after a form was refused.
   * @type {() => Promise<'known' | 'renewed' | 'ended' | 'other'>} `known`: the token is unchanged; `renewed`: it is
   *   new; `ended`: there is no session; `other`: the session is another person's
   */
  const renew = async () => {
    const [box] = elementsOf('[data-alive]');
    const answer = await fetch(box?.dataset.alive ?? '', {
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const link = document.createElement('a');
    Object.assign(link, { href: box?.dataset.signIn, target: '_blank', textContent: box?.dataset.signInText });
    if (answer.type === 'opaqueredirect') {
      say('ended');
      dispatchEvent(new Event('session-ended'));
      elementsOf('[data-said]')[0]?.append(' ', link);
      return 'ended';
    }
    if (!box || !answer.ok) return 'known';
    const { formToken, person, name } = await answer.json();
    /** @type {NodeListOf<HTMLInputElement>} */
    const tokens = document.querySelectorAll('[name="form_token"]');
    const isKnown = tokens[0]?.value === formToken;
    for (const field of tokens) field.value = formToken;
    if (box.dataset.person === person) return isKnown ? 'known' : 'renewed';
    box.dataset.person = person;
    say('other');
    for (const told of elementsOf('[data-said]')) told.textContent = told.textContent.replace('{name}', () => name);
    return 'other';
  };

  /** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<unknown>} */
  const send = async (form, button) => {
    const address = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.href;
    const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
    const changed = new AbortController();
    addEventListener('input', ({ target }) => {
      // A field may be outside its form.
      const isOf = target instanceof Element && 'form' in target && target.form === form;
      if (isOf && !target.matches('[data-stays] [data-scan]')) changed.abort();
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
          const session = [401, 403].includes(answer.status) ? await renew() : 'known';
          say('', 'unreached');
          removeEventListener('beforeunload', ask);
          const stays = 'stays' in form.dataset;
          if (to) return (stays && (await stay(to))) || goTo(to);
          const text = stays && answer.status === 409 ? await answer.text() : '';
          if (text.includes('data-alarm') && showIn(text)) return;
          if (session === 'renewed' && !changed.signal.aborted) return send(form, button);
          if (session === 'ended' || session === 'other') {
            delete form.dataset.sent;
            return;
          }
          // The form was refused. If it was changed meanwhile, it is not submitted again.
          const [scanned] = elementsOf('[data-scan]', form);
          if (scanned instanceof HTMLInputElement) scanned.value = Object.fromEntries(fields)[scanned.name] ?? '';
          if (!changed.signal.aborted) return sendPlainly(form, button);
        }
      } catch {
        // No connection, or no response in time.
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

  // A second Enter without new input in the scan field does not count as a second scan.
  addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-stays] [data-scan]') && target.form)
      target.form.dataset.anew = 'yes';
  });

  addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !isPost(form)) return;
    if (form.dataset.sent === 'plainly') {
      form.dataset.sent = 'yes';
      return;
    }
    // A second click before the response would submit the form twice.
    if (form.dataset.sent) {
      const [field] = elementsOf('[data-scan]', form);
      if ('anew' in form.dataset && field instanceof HTMLInputElement) queued.push(field.value);
      delete form.dataset.anew;
      return event.preventDefault();
    }
    delete form.dataset.anew;
    form.dataset.sent = 'yes';
    if (!isFetched(form, submitter)) return;
    event.preventDefault();
    void send(form, submitter);
  });
  // Submits the next part of a long job.
  const next = document.querySelector('form[data-continue]');
  if (next instanceof HTMLFormElement) next.requestSubmit();
  addEventListener('pageshow', (event) => {
    if (event.persisted) for (const form of document.forms) delete form.dataset.sent;
  });
}
