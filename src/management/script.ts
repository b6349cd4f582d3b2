/** The one script. Every page works without it; it spares a click and a slip. */
export const SCRIPT = `
'use strict';

// An error or a one-time secret is what the reader has to see first.
document.querySelector('[data-focus]')?.focus();

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    const text = source.value ?? source.innerText;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without permission or https: the browser's own way still works.
      source.focus();
      source.select?.();
      return;
    }
    const label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// A second click on the way would send the form twice.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.querySelectorAll('form')) delete form.dataset.sent;
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
