/** Handles picked rows: the heading's checkbox picks all rows, and rows that will be refused are announced. */
for (const form of document.forms) {
  const boxes = [...form.querySelectorAll('td.pick input')].filter((box) => box instanceof HTMLInputElement);
  const why = form.querySelector('[data-bulk-why]');
  const all = form.querySelector('[data-pick-all]');
  if (!(why instanceof HTMLElement) || !(all instanceof HTMLInputElement)) continue;

  const tell = () => {
    const picked = boxes.filter(({ checked }) => checked);
    all.checked = picked.length === boxes.length;
    all.indeterminate = picked.length > 0 && !all.checked;
    const refused = picked.flatMap(({ dataset }) => dataset.why ?? []);
    why.hidden = refused.length === 0;
    const text = why.querySelector('span');
    if (text) text.textContent = refused.join(', ');
  };

  all.hidden = false;
  form.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of boxes) box.checked = all.checked;
    tell();
  });
  // The checkboxes are cleared after the event.
  form.addEventListener('reset', () => setTimeout(tell));
  // After a return to the page, the checkboxes may still be set.
  addEventListener('pageshow', tell);
}
