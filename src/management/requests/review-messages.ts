/** Texts of the page of a request around its items: prescriptions, what is open, the decision. */
export const reviewMessages = {
  previous: { de: 'Vorige Anfrage', en: 'Previous request' },
  next: { de: 'Nächste Anfrage', en: 'Next request' },
  place: {
    de: (place: number, of: string): string => `${place} von ${of}`,
    en: (place: number, of: string): string => `${place} of ${of}`,
  },
  prescription: {
    de: (number: number): string => `Rezept ${number}`,
    en: (number: number): string => `Prescription ${number}`,
  },
  whichPrescription: { de: 'Rezept anzeigen', en: 'Show prescription' },
  wider: { de: 'Rezept breiter', en: 'Prescription wider' },
  noneSent: { de: 'Kein Rezept mitgeschickt', en: 'No prescription was sent' },
  noneSentHint: {
    de: 'Laden Sie das Rezept hoch, oder bitten Sie mit einer Rückfrage darum.',
    en: 'Upload the prescription, or ask for it with a question.',
  },
  fetching: { de: 'Das Rezept wird gerade geholt.', en: 'The prescription is being fetched.' },
  fetchFailed: { de: 'Das Rezept konnte nicht geholt werden.', en: 'The prescription could not be fetched.' },
  thereAre: {
    de: (count: number): string => (count === 1 ? 'Ein Rezept liegt vor' : `${count} Rezepte liegen vor`),
    en: (count: number): string => (count === 1 ? 'There is a prescription' : `There are ${count} prescriptions`),
  },
  whoMayCheck: {
    de: (names: string): string =>
      `Rezepte sehen und prüfen Apotheker und Inhaber${names === '' ? '.' : `, bei Ihnen ${names}.`}`,
    en: (names: string): string =>
      `Pharmacists and owners see and check prescriptions${names === '' ? '.' : `: with you ${names}.`}`,
  },
  whoMayApprove: {
    de: 'Annehmen kann, wer das Rezept prüft.',
    en: 'Whoever checks the prescription can accept.',
  },
  saveReview: { de: 'Änderungen speichern', en: 'Save changes' },
  prepared: {
    de: (who: string, when: string): string => `Vorbereitet von ${who}, ${when}.`,
    en: (who: string, when: string): string => `Prepared by ${who}, ${when}.`,
  },
  somebody: { de: 'einem früheren Mitglied', en: 'a former member' },
  discardDraft: { de: 'Vorbereitung verwerfen', en: 'Discard the preparation' },
  asideShort: { de: 'Gehört nicht dazu …', en: 'Not part of it …' },
  asideTitle: {
    de: (which: string): string => `${which} gehört nicht zu dieser Bestellung`,
    en: (which: string): string => `${which} is not part of this order`,
  },
  asideHint: {
    de: 'Es bleibt bei der Anfrage und gilt nicht als geprüft.',
    en: 'It stays with the request and does not count as checked.',
  },
  asideReasons: {
    de: ['Andere Person', 'Andere Bestellung', 'Doppelt geschickt', 'Kein Rezept'],
    en: ['Another person', 'Another order', 'Sent twice', 'No prescription'],
  },
  asideNow: { de: 'Beiseitelegen', en: 'Set aside' },
  aside: {
    de: (which: string): string => `${which} beiseitegelegt:`,
    en: (which: string): string => `${which} set aside:`,
  },
  takeBack: { de: 'Zurückholen', en: 'Take back' },
  checkedOne: {
    de: (which: string): string => `${which} geprüft`,
    en: (which: string): string => `${which} checked`,
  },
  checkedBefore: {
    de: (which: string, when: string): string => `${which} geprüft am ${when}`,
    en: (which: string, when: string): string => `${which} checked on ${when}`,
  },
  originalFollows: { de: 'Bestellung wartet auf das Original', en: 'Order waits for the original' },
  noneNeeded: {
    de: 'Kein Rezept nötig: alle Artikel sind rezeptfrei.',
    en: 'No prescription needed: nothing requires one.',
  },
  onlyOverTheCounter: {
    de: 'Ohne Rezept lässt sich nur annehmen, was rezeptfrei ist.',
    en: 'Without a prescription you can accept only what requires none.',
  },
  decisionLabel: { de: 'Entscheidung', en: 'Decision' },
  obstacles: {
    de: (count: number): string => (count === 1 ? '1 Hindernis:' : `${count} Hindernisse:`),
    en: (count: number): string => (count === 1 ? '1 blocker:' : `${count} blockers:`),
  },
  toAcknowledge: {
    de: (count: number): string => `${count} zu bestätigen:`,
    en: (count: number): string => `${count} to confirm:`,
  },
  more: { de: (count: number): string => `und ${count} weitere`, en: (count: number): string => `and ${count} more` },
  line: { de: (number: number): string => `Pos. ${number}`, en: (number: number): string => `Line ${number}` },
  withReason: { de: 'mit Begründung annehmen', en: 'accept with a reason' },
  askForNew: { de: 'Neues Rezept erbitten', en: 'Ask for a new prescription' },
  packs: {
    de: (count: number): string => (count === 1 ? '1 Packung' : `${count} Packungen`),
    en: (count: number): string => (count === 1 ? '1 pack' : `${count} packs`),
  },
  askTitle: { de: 'Rückfrage stellen', en: 'Ask a question' },
  askHint: {
    de: 'Steht in der Liste und im Verlauf; die Anfrage wartet dann auf die Antwort.',
    en: 'Shown in the list and the timeline; the request then waits for the answer.',
  },
  rejectTitle: {
    de: (person: string): string => `Anfrage von ${person} ablehnen?`,
    en: (person: string): string => `Reject the request from ${person}?`,
  },
  toOrder: { de: 'Bestellung ansehen', en: 'View order' },
};
