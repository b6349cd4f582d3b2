import { elementsOf } from './page.js';

/**
 * The button with `data-notify` switches notifications of new requests on or off. They appear while the page is hidden,
 * and contain no names.
 */
const [notifyButton] = elementsOf('[data-notify]');
const NOTIFIES = 'offizin.notify';

export const isNotifying = () =>
  notifyButton !== undefined &&
  'Notification' in window &&
  Notification.permission === 'granted' &&
  localStorage.getItem(NOTIFIES) === 'on';

/** @type {(of?: Document) => (string | null)[]} */
const requestsIn = (of = document) => elementsOf('[data-rows] .go', of).map((row) => row.getAttribute('href'));
/** @type {(of?: Document) => number} */
const waitingIn = (of = document) => Number.parseInt(of.getElementById('count-open')?.textContent ?? '', 10) || 0;
const knownRequests = new Set(requestsIn());

/**
 * Shows a notification with the number of requests that are only in `page`, a newer version of this page. If the total
 * of waiting requests has increased by more than this number, the notification has the increase, because further new
 * requests are on other pages of the list.
 * @type {(page: Document) => void}
 */
export const notifyOf = (page) => {
  const unseen = requestsIn(page).filter((request) => !knownRequests.has(request));
  for (const request of unseen) knownRequests.add(request);
  const count = Math.max(unseen.length, waitingIn(page) - waitingIn());
  if (!notifyButton || !isNotifying() || !document.hidden || count <= 0) return;
  const { one = '', many = '' } = notifyButton.dataset;
  const told = new Notification(count === 1 ? one : many.replace('{n}', String(count)), { tag: NOTIFIES });
  told.addEventListener('click', () => {
    focus();
    told.close();
  });
};

if (notifyButton && 'Notification' in window) {
  const show = () => notifyButton.setAttribute('aria-pressed', String(isNotifying()));
  notifyButton.hidden = Notification.permission === 'denied';
  show();
  notifyButton.addEventListener('click', async () => {
    const isOn = !isNotifying() && (await Notification.requestPermission()) === 'granted';
    localStorage.setItem(NOTIFIES, isOn ? 'on' : 'off');
    notifyButton.hidden = Notification.permission === 'denied';
    show();
  });
}
