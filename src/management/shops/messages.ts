import {
  DELIVERY_SERVICE_LENGTH_MAX,
  FEE_CENTS_MAX,
  PHONE_LENGTH_MAX,
  RESERVE_MINUTES_MAX,
} from '../../tenants/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  title: { de: 'Shops und Adressen', en: 'Shops and addresses' },
  lead: {
    de: 'Jeder Shop nimmt auf eigenen Adressen Bestellanfragen entgegen und zeigt dort seine Zahlungsseite.',
    en: 'Each shop takes order requests at addresses of its own and shows its payment page there.',
  },
  empty: {
    de: 'Noch kein Shop. Eröffnen Sie einen: Danach können Plattformen ihm Bestellanfragen schicken.',
    en: 'No shop yet. Open one: then platforms can send it order requests.',
  },
  full: {
    de: (max: number) => `Sie haben ${max} Shops. Für weitere wenden Sie sich an den Betreiber.`,
    en: (max: number) => `You have ${max} shops. For more, ask the operator.`,
  },
  nameHint: {
    de: 'So erkennen Sie den Shop, zum Beispiel „Filiale Nord“.',
    en: 'How you tell the shop from others, for example “North branch”.',
  },
  messages: { de: 'E-Mails an Kunden', en: 'E-mails to customers' },
  sendEmails: { de: 'Kunden per E-Mail benachrichtigen', en: 'Tell customers by e-mail' },
  sendEmailsHint: {
    de: 'Wenn eine Bestellung abholbereit ist oder verschickt wurde. Ohne Artikel; mit Link zum Abmelden.',
    en: 'When an order is ready or was shipped. Without items; with a link to opt out.',
  },
  replyTo: { de: 'Antworten gehen an', en: 'Replies go to' },
  noPlace: { de: 'fehlt', en: 'missing' },
  delivery: { de: 'Vierte Lieferart', en: 'Fourth option' },
  deliveryHint: {
    de: 'Die vierte Lieferart neben Abholung, Versand und Express. Plattformen müssen sie genauso schreiben: Ändern Sie sie nur in Absprache, sonst werden ihre Anfragen damit abgewiesen.',
    en: 'The fourth shipping option beside Abholung, Versand and Express. Platforms have to write it in exactly this way: change it only in agreement with them, or their requests with it are refused.',
  },
  deliveryNewHint: {
    de: 'Die vierte Lieferart neben Abholung, Versand und Express. Leer heißt sie „Lieferdienst“.',
    en: 'The fourth shipping option besides Abholung (pickup), Versand (shipping) and Express. Left empty, it is called “Lieferdienst”.',
  },
  deliveryFault: {
    de: `Bitte höchstens ${DELIVERY_SERVICE_LENGTH_MAX} Zeichen und nicht Abholung, Versand oder Express.`,
    en: `At most ${DELIVERY_SERVICE_LENGTH_MAX} characters, please, and not Abholung, Versand or Express.`,
  },
  placeHint: {
    de: 'Anschrift, Telefon und Öffnungszeiten stehen auf Zahlungsseite, Papieren und in Nachrichten.',
    en: 'Customers read address, phone and opening hours on the payment page, on paper and in messages.',
  },
  street: { de: 'Straße und Hausnummer', en: 'Street and number' },
  postalCode: { de: 'Postleitzahl', en: 'Postal code' },
  city: { de: 'Ort', en: 'City' },
  phone: { de: 'Telefon', en: 'Phone' },
  phoneHint: { de: 'So, wie man sie wählt: 030 5557 1200.', en: 'As it is dialed: 030 5557 1200.' },
  phoneFault: {
    de: `Bitte nur Ziffern, Leerzeichen und + ( ) / . -, mindestens 4 und höchstens ${PHONE_LENGTH_MAX} Zeichen.`,
    en: `Digits, spaces and + ( ) / . - only, please, at least 4 and at most ${PHONE_LENGTH_MAX} characters.`,
  },
  openingHours: { de: 'Öffnungszeiten', en: 'Opening hours' },
  openingHoursHint: {
    de: 'In einer Zeile: Mo–Fr 8–18.30 Uhr, Sa 8–13 Uhr.',
    en: 'In one line: Mon–Fri 8–18:30, Sat 8–13.',
  },
  tooLong: {
    de: (max: number) => `Bitte höchstens ${max} Zeichen.`,
    en: (max: number) => `At most ${max} characters, please.`,
  },
  fees: { de: 'Gebühren', en: 'Fees' },
  feesLead: {
    de: 'Was eine Lieferart kostet, in Euro. Unbezahlte Anfragen mit höherer Gebühr werden nachgefragt; leer: jede bis zur höchsten gilt.',
    en: 'What a shipping option costs, in euros. Unpaid requests with a higher fee are asked about; empty: any up to the highest is accepted.',
  },
  feeMax: { de: 'Höchste Gebühr', en: 'Highest fee' },
  feeMaxHint: {
    de: 'Ein höherer Rest zwischen Artikeln und Gesamtbetrag wird immer nachgefragt.',
    en: 'A larger remainder between items and total is always asked about.',
  },
  feeFault: {
    de: `Bitte einen Betrag bis ${FEE_CENTS_MAX / 100} €.`,
    en: `An amount up to ${FEE_CENTS_MAX / 100} €, please.`,
  },
  reservation: { de: 'Vormerkung', en: 'Reservation' },
  reservationLead: {
    de: 'So viele Minuten merkt eine Anfrage ihren Bestand vor, wenn der Schlüssel der Plattform es darf. Vorschlag: 30 und 4320 (drei Tage); 0: gar nicht.',
    en: 'For this many minutes a request reserves its stock, if the key of the platform may. Proposed: 30 and 4320 (three days); 0: not at all.',
  },
  reservePending: { de: 'Unbezahlte Anfrage (Minuten)', en: 'Unpaid request (minutes)' },
  reservePaid: { de: 'Bezahlte Anfrage (Minuten)', en: 'Paid request (minutes)' },
  minutesFault: {
    de: `Bitte ganze Minuten, höchstens ${RESERVE_MINUTES_MAX} (sieben Tage).`,
    en: `Whole minutes, please, at most ${RESERVE_MINUTES_MAX} (seven days).`,
  },
  shipping: { de: 'Versandwege', en: 'Ways of shipping' },
  shippingLead: {
    de: 'Botendienst ist, wer an Weisungen Ihrer Apotheke gebunden ist; alles andere ist Versand. Regeln und Wörter richten sich danach.',
    en: 'An own courier is bound by the instructions of your pharmacy; all else is mail order. Rules and words go by that.',
  },
  kinds: { bote: { de: 'Botendienst', en: 'Own courier' }, versand: { de: 'Versand', en: 'Mail order' } },
  aliases: { de: 'Andere Namen', en: 'Other names' },
  aliasesHint: {
    de: 'Wie Plattformen die Versandarten nennen: UPS = Versand, Kurier = Express',
    en: 'What platforms call the options: UPS = Versand, Kurier = Express',
  },
  aliasFault: {
    de: 'Bitte Paare wie UPS = Versand, mit Kommas dazwischen. Rechts steht eine Versandart des Shops, links ein anderer Name.',
    en: 'Pairs such as UPS = Versand, please, with commas between them. On the right an option of the shop, on the left another name.',
  },
  hosts: { de: 'Internetadressen', en: 'Addresses' },
  host: { de: 'Internetadresse', en: 'Address' },
  hostHint: {
    de: 'Nur der Name, zum Beispiel rx.ihre-apotheke.de, ohne https:// und ohne Pfad.',
    en: 'The name alone, for example rx.your-pharmacy.com, without https:// and without a path.',
  },
  firstHost: { de: 'Erste Adresse', en: 'First address' },
  noHost: {
    de: 'Noch keine Adresse. Fügen Sie eine hinzu, damit der Shop erreichbar ist.',
    en: 'No address yet. Add one, so that the shop can be reached.',
  },
  linkHost: { de: 'Steht in Zahlungslinks', en: 'Stands in payment links' },
  inactive: { de: 'Inaktiv', en: 'Inactive' },
  pending: { de: 'Wartet auf Freischaltung', en: 'Waits to be activated' },
  verifying: { de: 'Wird geprüft', en: 'Being verified' },
  failed: { de: 'Fehlgeschlagen', en: 'Failed' },
  moved: { de: 'Zeigt woanders hin', en: 'Points elsewhere' },
  movedTitle: {
    de: (host: string) => `${host} zeigt nicht mehr hierher`,
    en: (host: string) => `${host} no longer points here`,
  },
  movedLead: {
    de: 'Ihr DNS-Eintrag führt woanders hin: Bestellanfragen und Zahlungsseiten kommen dort an, nicht hier. Stellen Sie den CNAME wieder auf dieses Ziel, oder entfernen Sie die Adresse. Sie bleibt bis dahin Ihrem Shop zugeordnet.',
    en: 'Your DNS record leads elsewhere: order requests and payment pages arrive there, not here. Set the CNAME to this target again, or remove the address. Until then it stays with your shop.',
  },
  openTitle: { de: 'Shop eröffnen', en: 'Open a shop' },
  open: { de: 'Shop eröffnen', en: 'Open shop' },
  details: { de: 'Angaben', en: 'Details' },
  addTitle: { de: 'Weitere Internetadresse', en: 'Another address' },
  add: { de: 'Hinzufügen', en: 'Add' },
  hostsFull: {
    de: (max: number) => `Höchstens ${max} Adressen je Shop. Entfernen Sie zuerst eine.`,
    en: (max: number) => `At most ${max} addresses per shop. Remove one first.`,
  },
  waiting: { de: (host: string) => `${host} freischalten`, en: (host: string) => `Activate ${host}` },
  dnsLead: {
    de: '1. Legen Sie beim Anbieter Ihrer Domain diese beiden DNS-Einträge an. Der CNAME führt hierher, der TXT beweist, dass die Adresse Ihnen gehört.',
    en: '1. At the provider of your domain, set these two DNS records. The CNAME leads here, the TXT proves that the address is yours.',
  },
  dnsValue: { de: 'Wert', en: 'Value' },
  found: { de: 'gefunden', en: 'found' },
  notFound: { de: 'noch nicht gefunden', en: 'not found yet' },
  lastCheck: { de: 'Zuletzt geprüft', en: 'Last checked' },
  check: { de: 'Jetzt prüfen', en: 'Check now' },
  again: { de: 'Noch einmal versuchen', en: 'Try again' },
  dnsType: { de: 'Typ', en: 'Type' },
  dnsNameHint: {
    de: 'Manche Anbieter erwarten nur den Teil vor Ihrer Domain.',
    en: 'Some providers want only the part before your domain.',
  },
  dnsTarget: { de: 'Ziel', en: 'Target' },
  apex: {
    de: 'Ist das die Domain selbst, ohne etwas davor, erlaubt DNS dort keinen CNAME. Bietet Ihr Anbieter ALIAS, ANAME oder CNAME Flattening, nehmen Sie das mit demselben Ziel. Sonst entfernen Sie diese Adresse und fügen eine mit Vorsilbe hinzu:',
    en: 'If this is the domain itself, with nothing before it, DNS allows no CNAME there. If your provider offers ALIAS, ANAME or CNAME flattening, use that with the same target. Otherwise remove this address and add one with a prefix:',
  },
  dnsProxy: {
    de: 'Nutzen Sie selbst Cloudflare, stellen Sie den Eintrag auf „Nur DNS“ (graue Wolke).',
    en: 'If you use Cloudflare yourself, set the record to “DNS only” (grey cloud).',
  },
  next: {
    de: '2. Der Betreiber prüft, dass die Adresse Ihnen gehört, und schaltet sie frei. Hier steht sie dann als aktiv; bis dahin antwortet sie nicht.',
    en: '2. The operator checks that the address is yours and activates it. Then it is shown here as active; until then requests to it are not answered.',
  },
  nextByItself: {
    de: '2. Wir prüfen beide Einträge von selbst, anfangs jede Minute. Sind sie da, wird das Zertifikat ausgestellt, und hier steht die Adresse als aktiv. Bis dahin antwortet sie nicht.',
    en: '2. We check both records by ourselves, every minute at first. Once they are there, the certificate is fetched, and the address is shown here as active. Until then requests to it are not answered.',
  },
  verifyingLead: {
    de: 'Die DNS-Einträge stimmen. Jetzt wird das Zertifikat ausgestellt; das dauert einige Minuten. Lassen Sie beide Einträge stehen.',
    en: 'The DNS records are right. Now the certificate is fetched, which takes some minutes. Leave both records in place.',
  },
  verifyingByOperator: {
    de: 'Die DNS-Einträge stimmen. Der Betreiber schaltet die Adresse frei. Lassen Sie beide Einträge stehen.',
    en: 'The DNS records are right. The operator activates the address. Leave both records in place.',
  },
  failures: {
    de: {
      taken: 'Diese Adresse gehört inzwischen einem anderen Shop.',
      refused:
        'Für diese Adresse gab es kein Zertifikat. Zeigt der CNAME noch hierher, und erlaubt ein CAA-Eintrag Ihrer Domain die Zertifizierungsstellen von Cloudflare?',
    },
    en: {
      taken: 'This address belongs to another shop by now.',
      refused:
        'No certificate was issued for this address. Does the CNAME still point here, and does a CAA record of your domain allow the authorities that Cloudflare uses?',
    },
  },
  remove: { de: 'Entfernen', en: 'Remove' },
  removeTitle: {
    de: (host: string) => `Adresse ${host} entfernen?`,
    en: (host: string) => `Remove the address ${host}?`,
  },
  removePending: {
    de: 'Sie wartet noch auf die Freischaltung. Sie können sie jederzeit wieder hinzufügen; dann braucht sie einen neuen TXT-Eintrag.',
    en: 'It still waits to be activated. You can add it again at any time; it then needs a new TXT record.',
  },
  removeActive: {
    de: [
      'Unter dieser Adresse antwortet sofort nichts mehr.',
      'Plattformen, die sie benutzen, können keine Bestellanfragen mehr einreichen, bis sie umgestellt sind.',
      'Zahlungslinks, die schon verschickt sind, lassen sich nicht mehr öffnen.',
      'Wieder hinzugefügt, braucht sie einen neuen TXT-Eintrag. Löschen Sie den CNAME, wenn Sie sie nicht mehr brauchen.',
    ],
    en: [
      'From this moment on, requests to this address are not answered.',
      'Platforms that use it cannot submit order requests until they have changed over.',
      'Payment links that were sent already can no longer be opened.',
      'Added again, it needs a new TXT record. Delete the CNAME if you no longer need it.',
    ],
  },
  removeNext: {
    de: (host: string) => `Neue Zahlungslinks zeigen dann auf ${host}.`,
    en: (host: string) => `New payment links will point to ${host}.`,
  },
  removeLast: {
    de: 'Danach hat der Shop keine aktive Adresse: Zahlungslinks sind dann nicht möglich.',
    en: 'Afterwards the shop has no active address: payment links are not possible then.',
  },
  hostChanged: {
    de: 'Nicht entfernt: Inzwischen ist die Adresse freigeschaltet. Bitte entscheiden Sie noch einmal.',
    en: 'Not removed: the address was activated in the meantime. Please decide again.',
  },
  isLast: {
    de: 'Das ist die letzte aktive Adresse eines aktiven Shops, sie bleibt. Lassen Sie zuerst eine andere freischalten oder schalten Sie den Shop auf inaktiv.',
    en: 'This is the last active address of an active shop; it cannot be removed. Have another one activated first, or make the shop inactive.',
  },
  intakeOn: { de: 'Der Shop nimmt Bestellanfragen an.', en: 'The shop takes order requests.' },
  intakeOff: { de: 'Der Shop weist Bestellanfragen ab.', en: 'The shop refuses order requests.' },
  deactivate: { de: 'Auf inaktiv schalten', en: 'Make inactive' },
  activate: { de: 'Auf aktiv schalten', en: 'Make active' },
  deactivateTitle: {
    de: (name: string) => `Shop „${name}“ auf inaktiv schalten?`,
    en: (name: string) => `Make the shop “${name}” inactive?`,
  },
  deactivateLead: {
    de: [
      'Neue Bestellanfragen werden sofort abgewiesen; die Plattformen erhalten den Fehler shop_inactive.',
      'Was schon da ist, bleibt: Offene Anfragen, Bestellungen und Zahlungslinks gehen weiter.',
      'Sie können den Shop jederzeit wieder auf aktiv schalten.',
    ],
    en: [
      'New order requests are refused from this moment on; platforms get the error shop_inactive.',
      'What is there stays: open requests, orders and payment links go on.',
      'You can make the shop active again at any time.',
    ],
  },
});
