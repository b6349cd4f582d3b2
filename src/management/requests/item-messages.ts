import { texts } from '../http/language';

/** Texts of the items of a request, in the reader's language. */
export const itemMessages = texts({
  here: { de: 'Auf dieser Seite', en: 'On this page' },
  past: { de: 'Historie', en: 'History' },
  course: { de: 'Verlauf', en: 'Timeline' },
  caption: { de: 'Was abgegeben wird', en: 'What is supplied' },
  product: { de: 'Produkt, das abgegeben wird', en: 'Product that is supplied' },
  change: { de: 'Ändern', en: 'Change' },
  line: { de: (place: number): string => `Position ${place}`, en: (place: number): string => `line ${place}` },
  changeLine: {
    de: (place: number): string => `Position ${place} ändern`,
    en: (place: number): string => `Change line ${place}`,
  },
  add: { de: 'Weiteren Artikel scannen oder suchen', en: 'Scan or search another item' },
  addHint: { de: 'Scannen oder suchen …', en: 'Scan or search …' },
  added: { de: 'von der Apotheke ergänzt', en: 'added by the pharmacy' },
  removed: { de: 'gestrichen', en: 'removed' },
  remove: { de: 'Streichen', en: 'Remove' },
  restore: { de: 'Zurücknehmen', en: 'Put back' },
  asked: { de: 'angefragt', en: 'requested' },
  each: { de: (price: string): string => `à ${price}`, en: (price: string): string => `${price} each` },
  noProduct: { de: 'kein Produkt', en: 'no product' },
  instead: {
    de: (supplied: string, asked: string): string => `${supplied} statt ${asked}`,
    en: (supplied: string, asked: string): string => `${supplied} instead of ${asked}`,
  },
  asAsked: { de: 'wie angefragt', en: 'as requested' },
  unsaid: { de: 'ohne Angabe', en: 'not stated' },
  ownPrice: { de: 'Ihr Preis ist', en: 'your price is' },
  sent: { de: 'Gesendet', en: 'Sent' },
  asSent: { de: 'wie gesendet', en: 'as sent' },
  ownApplies: { de: 'es gilt Ihr Preis', en: 'your price applies' },
  takePrice: { de: (price: string): string => `${price} nehmen`, en: (price: string): string => `Take ${price}` },
  asCoPayment: {
    de: (price: string): string => `${price} als Zuzahlung`,
    en: (price: string): string => `${price} as co-payment`,
  },
  unitsOrPacks: {
    de: (quantity: number, step: number, unit: string) =>
      `${quantity} Dosen (${quantity * step} ${unit}) oder ${quantity} ${unit}?`,
    en: (quantity: number, step: number, unit: string) =>
      `${quantity} ${unit}, or ${quantity} packs of ${step} ${unit} (${quantity * step} ${unit})?`,
  },
  packsOf: {
    de: (count: number, step: number, unit: string, all: number) => `${count} × ${step} ${unit} (${all} ${unit})`,
    en: (count: number, step: number, unit: string, all: number) => `${count} × ${step} ${unit} (${all} ${unit})`,
  },
  noWholePacks: {
    de: (quantity: number, unit: string, next: number) =>
      `${quantity} ${unit}: nicht in ganze Dosen teilbar, die nächste Menge ist ${next} ${unit}`,
    en: (quantity: number, unit: string, next: number) =>
      `${quantity} ${unit}: no whole packs, the next amount is ${next} ${unit}`,
  },
  setQuantity: {
    de: (count: number): string => `Menge auf ${count}`,
    en: (count: number): string => `Quantity to ${count}`,
  },
  splitLine: {
    de: (now: number, later: number): string => `Heute ${now}, ${later} nachliefern`,
    en: (now: number, later: number): string => `${now} today, ${later} later`,
  },
  nowAndLater: {
    de: (now: number, day: string, later: number): string => `Heute ${now}, am ${day} ${later}`,
    en: (now: number, day: string, later: number): string => `${now} today, ${later} on ${day}`,
  },
  allNow: { de: 'Doch alles heute', en: 'All of it today' },
  later: { de: 'Davon später', en: 'Later, of these' },
  expectedOn: { de: 'Kommt am', en: 'Expected on' },
  otherProduct: { de: 'Produkt suchen', en: 'Find a product' },
  missing: {
    de: (count: number): string => (count === 1 ? '1 fehlt' : `${count} fehlen`),
    en: (count: number): string => `${count} missing`,
  },
  inStock: {
    de: (count: number): string => `${count} vorrätig`,
    en: (count: number): string => `${count} in stock`,
  },
  noneInStock: { de: 'nicht vorrätig', en: 'none in stock' },
  unmatched: {
    de: 'Keinem Produkt Ihres Sortiments zugeordnet',
    en: 'Matches no product of your inventory',
  },
  expired: {
    de: (day: string): string => `Rezept abgelaufen, ausgestellt am ${day}`,
    en: (day: string): string => `Prescription expired, issued on ${day}`,
  },
  covered: {
    de: (covered: number, needed: number): string => `Rezept deckt ${covered} von ${needed}`,
    en: (covered: number, needed: number): string => `The prescription covers ${covered} of ${needed}`,
  },
  prescriptionPrice: { de: 'Preis eines verordneten Artikels', en: 'Price of a prescribed item' },
  staffCannotTakePrice: {
    de: 'Apotheker und Inhaber können ihn übernehmen.',
    en: 'Pharmacists and owners can take it over.',
  },

  held: { de: 'Aufbewahrung angeordnet', en: 'On legal hold' },
  prescriber: { de: 'verordnet von', en: 'prescribed by' },
  born: { de: 'geb.', en: 'born' },
  paidAmount: { de: (amount: string): string => `Bezahlt ${amount}`, en: (amount: string): string => `Paid ${amount}` },
  customerId: { de: 'Kundennummer', en: 'Customer id' },
  firstOrder: { de: 'Erste Bestellung', en: 'First order' },
  orders: {
    de: (count: string): string => (count === '1' ? '1 Bestellung' : `${count} Bestellungen`),
    en: (count: string): string => (count === '1' ? '1 order' : `${count} orders`),
  },
  rejected: {
    de: (count: string): string => (count === '1' ? '1 abgelehnte Anfrage' : `${count} abgelehnte Anfragen`),
    en: (count: string): string => (count === '1' ? '1 rejected request' : `${count} rejected requests`),
  },
  foundBy: {
    email: { de: 'gleiche E-Mail', en: 'same e-mail' },
    name_and_phone: { de: 'Name und Telefon', en: 'name and phone' },
  },
  duplicate: { de: 'Mögliche Dublette', en: 'Possible duplicate' },
  otherRequest: { de: 'andere Anfrage', en: 'other request' },
  details: { de: 'Angaben', en: 'Details' },
  ofPlatform: { de: 'der Plattform', en: 'from the platform' },
  openQuestion: { de: 'Rückfrage offen', en: 'Open question' },
  withoutAnswer: { de: 'Ohne Antwort annehmen', en: 'Accept without the answer' },
  writeAnswer: { de: 'Antwort eintragen …', en: 'Enter the answer …' },
  saveAnswer: { de: 'Antwort speichern', en: 'Save the answer' },
  withUs: { de: 'Bisher bei uns', en: 'With us before' },
  searchedBy: {
    de: 'Erste Bestellung. Gesucht wurde nach E-Mail sowie nach Name mit Telefon.',
    en: 'First order. Searched by e-mail, and by name with phone.',
  },
  howFound: {
    email: { de: 'Gleiche E-Mail-Adresse.', en: 'Same e-mail address.' },
    name_and_phone: {
      de: 'Gleicher Name mit gleicher Telefonnummer; die E-Mail ist eine andere.',
      en: 'Same name with the same phone number; the e-mail is another one.',
    },
  },
  request: { de: 'Anfrage', en: 'Request' },
  timeline: { de: 'Verlauf und Notizen', en: 'Timeline and notes' },
  noteField: { de: 'Notiz für das Team', en: 'Note for the team' },
  prescriptionsLinked: {
    de: (count: number): string =>
      count === 1 ? 'Rezept als Link, nicht abgerufen' : `${count} Rezepte als Link, nicht abgerufen`,
    en: (count: number): string =>
      count === 1 ? 'Prescription as a link, not fetched' : `${count} prescriptions as links, not fetched`,
  },
  received: { de: 'Anfrage eingegangen', en: 'Request received' },
  prescriptionsReceived: {
    de: (count: number): string => (count === 1 ? 'Rezept abgerufen' : `${count} Rezepte abgerufen`),
    en: (count: number): string => (count === 1 ? 'Prescription received' : `${count} prescriptions received`),
  },
  noShipping: { de: 'Lieferart fehlt', en: 'No shipping option' },
});
