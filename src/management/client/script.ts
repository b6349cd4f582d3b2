import { KEYS } from './keys';
import { PICKER } from './picker';
import { REFRESH } from './refresh';
import { SCAN } from './scan';

/** What every page has. */
const BASICS = `
// An error or a one-time secret is what the reader has to see first.
document.querySelector('[data-focus]')?.focus();

// What does nothing without the script is hidden until the script is here; also in what a refresh brings.
function showScripted(root) {
  for (const button of root.querySelectorAll('[data-copy], [data-print], [data-opens-shortcuts]')) button.hidden = false;
}
showScripted(document);

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.innerText);
  } catch {
    // Without permission or https: the browser's own way still works.
    source.focus();
    source.select?.();
    return;
  }
  const label = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = label; }, 2000);
}

addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button?.dataset.copy) copy(button);
  if (button && 'print' in button.dataset) print();
});

// A second click on the way would send the form twice.
addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.forms) delete form.dataset.sent;
});

// A menu closes by Escape and by a click beside it.
for (const menu of document.querySelectorAll('details.menu')) {
  addEventListener('click', (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
}
`;

/** The one script. Every page works without it; it spares a click and a slip. */
export const SCRIPT = `'use strict';\n${[BASICS, SCAN, KEYS, REFRESH, PICKER].join('\n')}`;
