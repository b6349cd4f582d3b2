import { texts } from '../http/language';

/** Texts of the items of a request, in the reader's language. */
export const itemMessages = texts({
  here: ['Auf dieser Seite', 'On this page'],
  past: ['Historie', 'History'],
  course: ['Verlauf', 'Timeline'],
  caption: ['Was abgegeben wird', 'What is supplied'],
  product: ['Produkt, das abgegeben wird', 'Product that is supplied'],
  change: ['Ändern', 'Change'],
  line: (place: number) => [`Position ${place}`, `item ${place}`],
  changeLine: (place: number) => [`Position ${place} ändern`, `Change item ${place}`],
  add: ['Weiteren Artikel scannen oder suchen', 'Scan or search another item'],
  addHint: ['Scannen oder suchen …', 'Scan or search …'],
  added: ['von der Apotheke ergänzt', 'added by the pharmacy'],
  removed: ['gestrichen', 'removed'],
  remove: ['Streichen', 'Remove'],
  restore: ['Zurücknehmen', 'Put back'],
  asked: ['angefragt', 'requested'],
  each: (price: string) => [`à ${price}`, `${price} each`],
  noProduct: ['kein Produkt', 'no product'],
  instead: (supplied: string, asked: string) => [`${supplied} statt ${asked}`, `${supplied} instead of ${asked}`],
  asAsked: ['wie angefragt', 'as requested'],
  unsaid: ['ohne Angabe', 'not stated'],
  ownPrice: ['Ihr Preis ist', 'your price is'],
  sent: ['Gesendet', 'Sent'],
  asSent: ['wie gesendet', 'as sent'],
  ownApplies: ['es gilt Ihr Preis', 'your price applies'],
  takePrice: (price: string) => [`${price} nehmen`, `Take ${price}`],
  asCoPayment: (price: string) => [`${price} als Zuzahlung`, `${price} as co-payment`],
  unitsOrPacks: (quantity: number, step: number, unit: string) => [
    `${quantity} Dosen (${quantity * step} ${unit}) oder ${quantity} ${unit}?`,
    `${quantity} ${unit}, or ${quantity} packs of ${step} ${unit} (${quantity * step} ${unit})?`,
  ],
  packsOf: (count: number, step: number, unit: string, all: number) => [
    `${count} × ${step} ${unit} (${all} ${unit})`,
    `${count} × ${step} ${unit} (${all} ${unit})`,
  ],
  noWholePacks: (quantity: number, unit: string, next: number) => [
    `${quantity} ${unit}: nicht in ganze Dosen teilbar, die nächste Menge ist ${next} ${unit}`,
    `${quantity} ${unit}: not whole packs, the next amount is ${next} ${unit}`,
  ],
  setQuantity: (count: number) => [`Menge auf ${count}`, `Quantity to ${count}`],
  splitLine: (now: number, later: number) => [`Heute ${now}, ${later} nachliefern`, `${now} today, ${later} later`],
  nowAndLater: (now: number, day: string, later: number) => [
    `Heute ${now}, ${later} am ${day}`,
    `${now} today, ${later} on ${day}`,
  ],
  allNow: ['Doch alles heute', 'All of it today'],
  later: ['Davon in Nachlieferung', 'Later, of these'],
  expectedOn: ['Kommt am', 'Expected on'],
  pznOrName: ['PZN oder Name', 'PZN or name'],
  done: ['Fertig', 'Done'],
  otherProduct: ['Produkt suchen', 'Find a product'],
  missing: (count: number) => [count === 1 ? '1 fehlt' : `${count} fehlen`, `${count} missing`],
  inStock: (count: number) => [`${count} vorrätig`, `${count} in stock`],
  noneInStock: ['nicht vorrätig', 'none in stock'],
  unmatched: ['Keinem Produkt Ihres Sortiments zugeordnet', 'Matches no product in your inventory'],
  expired: (day: string) => [`Rezept abgelaufen, ausgestellt am ${day}`, `Prescription expired, issued on ${day}`],
  covered: (covered: number, needed: number) => [
    `Rezept deckt ${covered} von ${needed}`,
    `The prescription covers ${covered} of ${needed}`,
  ],
  prescriptionPrice: ['Preis eines verordneten Artikels', 'Price of a prescribed item'],
  staffCannotTakePrice: ['Apotheker und Inhaber können ihn übernehmen.', 'Pharmacists and owners can accept it.'],

  held: ['Aufbewahrung angeordnet', 'On legal hold'],
  prescriber: ['verordnet von', 'prescribed by'],
  born: ['geb.', 'born'],
  paidAmount: (amount: string) => [`Bezahlt ${amount}`, `Paid ${amount}`],
  customerId: ['Kundennummer', 'Customer ID'],
  firstOrder: ['Erste Bestellung', 'First order'],
  orders: (count: string) =>
    count === '1' ? ['1 Bestellung', '1 order'] : [`${count} Bestellungen`, `${count} orders`],
  rejected: (count: string) =>
    count === '1'
      ? ['1 abgelehnte Anfrage', '1 rejected request']
      : [`${count} abgelehnte Anfragen`, `${count} rejected requests`],
  foundBy: {
    email: ['gleiche E-Mail', 'same e-mail'],
    name_and_phone: ['Name und Telefon', 'name and phone'],
  },
  duplicate: ['Doppelt bestellt?', 'Ordered twice?'],
  otherRequest: ['andere Anfrage', 'other request'],
  details: ['Angaben', 'Details'],
  ofPlatform: ['der Plattform', 'from the platform'],
  openQuestion: ['Rückfrage offen', 'Open question'],
  withoutAnswer: ['Ohne Antwort annehmen', 'Accept without the answer'],
  writeAnswer: ['Antwort eintragen …', 'Enter the answer …'],
  saveAnswer: ['Antwort speichern', 'Save the answer'],
  withUs: ['Bisher bei uns', 'With us before'],
  searchedBy: ['Erste Bestellung (nach E-Mail, Name und Telefon).', 'First order (by e-mail, name and phone).'],
  howFound: {
    email: ['Gleiche E-Mail-Adresse.', 'Same e-mail address.'],
    name_and_phone: ['Gleicher Name, gleiches Telefon, andere E-Mail.', 'Same name, same phone, another e-mail.'],
  },
  request: ['Anfrage', 'Request'],
  timeline: ['Verlauf und Notizen', 'Timeline and notes'],
  noteField: ['Notiz für das Team', 'Note for the team'],
  prescriptionsLinked: (count: number) =>
    count === 1
      ? ['Rezept als Link, nicht abgerufen', 'Prescription as a link, not fetched']
      : [`${count} Rezepte als Link, nicht abgerufen`, `${count} prescriptions as links, not fetched`],
  received: ['Anfrage eingegangen', 'Request received'],
  prescriptionsReceived: (count: number) =>
    count === 1
      ? ['Rezept erhalten', 'Prescription received']
      : [`${count} Rezepte erhalten`, `${count} prescriptions received`],
  noShipping: ['Lieferart fehlt', 'No delivery method'],
});
