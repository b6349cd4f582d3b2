import { PDF_BYTES_MAX } from '../../prescriptions/limits';

const MIB = 1024 * 1024;

/** Texts about prescriptions, under `prescriptions` of the shared ones. */
export const prescriptions = {
  title: { de: 'Rezept', en: 'Prescription' },
  states: {
    stored: { de: 'zu prüfen', en: 'to check' },
    fetching: { de: 'wird geholt', en: 'being fetched' },
    fetch_failed: { de: 'nicht geholt', en: 'not fetched' },
    approved: { de: 'geprüft', en: 'checked' },
    set_aside: { de: 'beiseitegelegt', en: 'set aside' },
    erased: { de: 'gelöscht', en: 'deleted' },
    none: { de: 'keins nötig', en: 'none needed' },
    missing: { de: 'fehlt', en: 'missing' },
  },
  fileFaults: {
    truncated: {
      de: 'Die Datei ist unvollständig und lässt sich vielleicht nicht öffnen.',
      en: 'The file is incomplete and may not open.',
    },
    empty: { de: 'Die Datei hat keine Seiten.', en: 'The file has no pages.' },
    locked: {
      de: 'Die Datei ist verschlüsselt und lässt sich nur mit einem Kennwort öffnen.',
      en: 'The file is encrypted and opens with a password only.',
    },
  },
  none: { de: 'Es wurde kein Rezept mitgeschickt.', en: 'No prescription was sent along.' },
  hidden: {
    de: 'Ein Rezept liegt vor. Ansehen und prüfen können es nur Apotheker und Inhaber.',
    en: 'There is a prescription. Only pharmacists and owners can see and check it.',
  },
  toReview: { de: 'Noch nicht geprüft', en: 'Not checked yet' },
  approved: {
    de: (when: string): string => `Rezept geprüft am ${when}`,
    en: (when: string): string => `Prescription checked on ${when}`,
  },
  signatureChecked: { de: 'Signatur geprüft', en: 'Signature checked' },
  newTab: { de: 'In neuem Tab öffnen', en: 'Open in a new tab' },
  approve: { de: 'Rezept geprüft', en: 'Prescription checked' },
  approveAgain: { de: 'Für diese Artikel erneut geprüft', en: 'Checked again for these items' },
  covers: { de: 'Das Rezept deckt', en: 'The prescription covers' },
  coversReported: {
    de: 'Laut Meldung eines Programms deckt das Rezept',
    en: 'As a program reported, the prescription covers',
  },
  coversNothing: { de: 'Das Rezept deckt noch keinen Artikel.', en: 'The prescription covers no item yet.' },
  setAside: { de: 'Beiseitegelegt', en: 'Set aside' },
  setAsideAsk: { de: 'Gehört nicht zu dieser Bestellung …', en: 'Does not belong to this order …' },
  setAsideReason: { de: 'Warum beiseitegelegt', en: 'Why it was set aside' },
  replaced: { de: 'Die Plattform hat ein neues geschickt.', en: 'The platform sent a new one.' },
  fetchAgain: { de: 'Erneut holen', en: 'Fetch again' },
  uploadLabel: { de: 'Rezept als PDF hochladen', en: 'File a prescription as PDF' },
  uploadHint: {
    de: `Höchstens ${PDF_BYTES_MAX / MIB} MiB. Danach prüfen Sie es wie jedes andere.`,
    en: `${PDF_BYTES_MAX / MIB} MiB at most. Then check it like any other.`,
  },
  upload: { de: 'Rezept hochladen', en: 'File the prescription' },
  uploadErrors: {
    none: { de: 'Bitte eine PDF-Datei wählen.', en: 'Choose a PDF file.' },
    invalid_prescription_pdf: { de: 'Das ist keine PDF-Datei.', en: 'This is not a PDF file.' },
    prescription_too_large: {
      de: `Die Datei ist zu groß: höchstens ${PDF_BYTES_MAX / MIB} MiB.`,
      en: `The file is too large: ${PDF_BYTES_MAX / MIB} MiB at most.`,
    },
  },
};
