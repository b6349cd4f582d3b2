import { elementsOf } from './page.js';

/** The select for a message's language: shows the chosen text in the field named by `data-texts`, and in the links. */
addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  const field = document.getElementById(target.dataset.texts ?? '');
  const [chosen] = target.selectedOptions;
  if (!(field instanceof HTMLTextAreaElement) || !chosen) return;
  const { subject = '', text = '', dir = '' } = chosen.dataset;
  Object.assign(field, { value: text, lang: chosen.lang, dir });
  const body = `body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
  for (const link of elementsOf('a[data-written]')) {
    const { written = '' } = link.dataset;
    const about = written.startsWith('mailto:') ? `subject=${encodeURIComponent(subject)}&` : '';
    link.setAttribute('href', `${written}?${about}${body}`);
  }
});
