import {
  DELIVERY_SERVICE_LENGTH_MAX,
  FEE_CENTS_MAX,
  PHONE_LENGTH_MAX,
  RESERVE_MINUTES_MAX,
} from '../../tenants/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  lead: [
    'Jeder Shop nimmt auf eigenen Adressen Bestellanfragen entgegen und zeigt dort seine Zahlungsseite.',
    'Each shop takes order requests at addresses of its own and shows its payment page there.',
  ],
  empty: [
    'Noch kein Shop. Eröffnen Sie einen: Danach können Plattformen ihm Bestellanfragen schicken.',
    'No shop yet. Open one: then platforms can send it order requests.',
  ],
  full: (max: number) => [
    `Sie haben ${max} Shops. Für weitere wenden Sie sich an den Betreiber.`,
    `You have ${max} shops. For more, ask the operator.`,
  ],
  nameHint: [
    'So erkennen Sie den Shop, zum Beispiel „Filiale Nord“.',
    'How you tell the shop from others, for example “North branch”.',
  ],
  messages: ['E-Mails an Kunden', 'E-mails to customers'],
  sendEmails: ['Kunden per E-Mail benachrichtigen', 'Notify customers by e-mail'],
  sendEmailsHint: [
    'Wenn eine Bestellung abholbereit ist oder verschickt wurde. Ohne Artikel; mit Link zum Abmelden.',
    'When an order is ready or was shipped. Without items; with a link to opt out.',
  ],
  replyTo: ['Antworten gehen an', 'Replies go to'],
  noPlace: ['fehlt', 'missing'],
  delivery: ['Vierte Lieferart', 'Fourth option'],
  deliveryHint: [
    'Unter diesem Namen bestellen Plattformen. Ändern Sie ihn nur in Absprache mit ihnen.',
    'Platforms order by this name. Change it only in agreement with them.',
  ],
  deliveryNewHint: ['Leer: „Lieferdienst“ (Botendienst).', 'Empty: “Lieferdienst” (courier).'],
  deliveryFault: [
    `Bitte höchstens ${DELIVERY_SERVICE_LENGTH_MAX} Zeichen und nicht Abholung, Versand oder Express.`,
    `At most ${DELIVERY_SERVICE_LENGTH_MAX} characters, please, and not Abholung, Versand or Express.`,
  ],
  placeHint: [
    'Anschrift und Telefon stehen auf Zahlungsseite und Papieren, die Öffnungszeiten in Nachrichten.',
    'Address and phone are on the payment page and on paper, opening hours in messages.',
  ],
  street: ['Straße und Hausnummer', 'Street and number'],
  postalCode: ['Postleitzahl', 'Postal code'],
  city: ['Ort', 'City'],
  phone: ['Telefon', 'Phone'],
  phoneHint: ['So, wie man sie wählt: 030 5557 1200.', 'As it is dialed: 030 5557 1200.'],
  phoneFault: [
    `Bitte nur Ziffern, Leerzeichen und + ( ) / . -, mindestens 4 und höchstens ${PHONE_LENGTH_MAX} Zeichen.`,
    `Digits, spaces and + ( ) / . - only, please, at least 4 and at most ${PHONE_LENGTH_MAX} characters.`,
  ],
  openingHours: ['Öffnungszeiten', 'Opening hours'],
  openingHoursHint: ['In einer Zeile: Mo–Fr 8–18.30 Uhr, Sa 8–13 Uhr.', 'In one line: Mon–Fri 8–18:30, Sat 8–13.'],
  tooLong: (max: number) => [`Bitte höchstens ${max} Zeichen.`, `At most ${max} characters, please.`],
  option: ['Lieferart', 'Option'],
  kind: ['Zustellung', 'Delivered by'],
  fee: ['Gebühr (€)', 'Fee (€)'],
  feeNote: ['(leer: nicht festgelegt)', '(empty: not fixed)'],
  feeMax: ['Höchste Gebühr', 'Highest fee'],
  feeMaxHint: [
    'Ein höherer Rest zwischen Artikeln und Gesamtbetrag wird immer nachgefragt.',
    'A larger remainder between items and total is always asked about.',
  ],
  feeFault: [`Bitte einen Betrag bis ${FEE_CENTS_MAX / 100} €.`, `An amount up to ${FEE_CENTS_MAX / 100} €, please.`],
  reservation: ['Vormerkung', 'Reservation'],
  reservationLead: [
    'So lange merkt eine Anfrage ihren Bestand vor, wenn der Schlüssel der Plattform es darf. Vorschlag: 30 Minuten und 3 Tage.',
    'For this long a request reserves its stock, if the key of the platform may. Proposed: 30 minutes and 3 days.',
  ],
  duration: (minutes: number) => {
    if (minutes === 0) return ['gar nicht', 'not at all'];
    if (minutes % 60 > 0) return [`${minutes} Minuten`, `${minutes} minutes`];
    const [hours, days] = [minutes / 60, minutes / 1440];
    return days % 1 > 0 || days < 2 ? [`${hours} Stunden`, `${hours} hours`] : [`${days} Tage`, `${days} days`];
  },
  reservePendingMinutes: ['Unbezahlte Anfrage', 'Unpaid request'],
  reservePaidMinutes: ['Bezahlte Anfrage', 'Paid request'],
  minutesFault: [
    `Bitte ganze Minuten, höchstens ${RESERVE_MINUTES_MAX} (sieben Tage).`,
    `Whole minutes, please, at most ${RESERVE_MINUTES_MAX} (seven days).`,
  ],
  shipping: ['Lieferarten', 'Delivery methods'],
  kinds: { bote: ['Eigene Boten', 'Own couriers'], versand: ['Paketdienst', 'Parcel service'] },
  aliases: ['Andere Namen', 'Other names'],
  aliasesNote: ['(mit Kommas getrennt)', '(separated by commas)'],
  aliasFault: [
    'Bitte mit Kommas trennen. Jeder Name gehört zu einer Lieferart und ist selbst keine.',
    'Separate them with commas, please. Each name belongs to one option and is none itself.',
  ],
  hosts: ['Internetadressen', 'Web addresses'],
  host: ['Internetadresse', 'Web address'],
  hostHint: [
    'Nur der Name, zum Beispiel rx.ihre-apotheke.de, ohne https:// und ohne Pfad.',
    'The name alone, for example rx.your-pharmacy.com, without https:// and without a path.',
  ],
  firstHost: ['Erste Internetadresse', 'First web address'],
  noHost: [
    'Noch keine Adresse. Fügen Sie eine hinzu, damit der Shop erreichbar ist.',
    'No address yet. Add one, so that the shop can be reached.',
  ],
  linkHost: ['Steht in Zahlungslinks', 'Used in payment links'],
  inactive: ['Inaktiv', 'Inactive'],
  pending: ['Wartet auf Freischaltung', 'Waiting for activation'],
  verifying: ['Wird geprüft', 'Being verified'],
  failed: ['Fehlgeschlagen', 'Failed'],
  moved: ['Zeigt woanders hin', 'Points elsewhere'],
  movedTitle: (host: string) => [`${host} zeigt nicht mehr hierher`, `${host} no longer points here`],
  movedLead: [
    'Ihr DNS-Eintrag führt woanders hin: Bestellanfragen und Zahlungsseiten kommen dort an, nicht hier. Stellen Sie den CNAME wieder auf dieses Ziel, oder entfernen Sie die Adresse. Sie bleibt bis dahin Ihrem Shop zugeordnet.',
    'Your DNS record leads elsewhere: order requests and payment pages arrive there, not here. Set the CNAME to this target again, or remove the address. Until then it stays with your shop.',
  ],
  openTitle: ['Shop eröffnen', 'Open a shop'],
  open: ['Shop eröffnen', 'Open shop'],
  details: ['Angaben', 'Details'],
  addTitle: ['Weitere Internetadresse', 'Another address'],
  add: ['Hinzufügen', 'Add'],
  hostsFull: (max: number) => [
    `Höchstens ${max} Adressen je Shop. Entfernen Sie zuerst eine.`,
    `At most ${max} addresses per shop. Remove one first.`,
  ],
  waiting: (host: string) => [`${host} freischalten`, `Activate ${host}`],
  dnsLead: [
    '1. Legen Sie beim Anbieter Ihrer Domain diese beiden DNS-Einträge an. Der CNAME führt hierher, der TXT beweist, dass die Adresse Ihnen gehört.',
    '1. At the provider of your domain, set these two DNS records. The CNAME leads here, the TXT proves that the address is yours.',
  ],
  dnsValue: ['Wert', 'Value'],
  found: ['gefunden', 'found'],
  notFound: ['noch nicht gefunden', 'not found yet'],
  lastCheck: ['Zuletzt geprüft', 'Last checked'],
  check: ['Jetzt prüfen', 'Check now'],
  again: ['Noch einmal versuchen', 'Try again'],
  dnsNameHint: [
    'Manche Anbieter erwarten nur den Teil vor Ihrer Domain.',
    'Some providers want only the part before your domain.',
  ],
  dnsTarget: ['Ziel', 'Target'],
  apex: [
    'Ist das die Domain selbst, ohne etwas davor, erlaubt DNS dort keinen CNAME. Bietet Ihr Anbieter ALIAS, ANAME oder CNAME Flattening, nehmen Sie das mit demselben Ziel. Sonst entfernen Sie diese Adresse und fügen eine mit Vorsilbe hinzu:',
    'If this is the domain itself, with nothing before it, DNS allows no CNAME there. If your provider offers ALIAS, ANAME or CNAME flattening, use that with the same target. Otherwise remove this address and add one with a prefix:',
  ],
  dnsProxy: [
    'Nutzen Sie selbst Cloudflare, stellen Sie den Eintrag auf „Nur DNS“ (graue Wolke).',
    'If you use Cloudflare yourself, set the record to “DNS only” (gray cloud).',
  ],
  next: [
    '2. Der Betreiber prüft, dass die Adresse Ihnen gehört, und schaltet sie frei. Hier steht sie dann als aktiv; bis dahin antwortet sie nicht.',
    '2. The operator checks that the address is yours and activates it. Then it is shown here as active; until then requests to it are not answered.',
  ],
  nextByItself: [
    '2. Wir prüfen beide Einträge von selbst, anfangs jede Minute. Sind sie da, wird das Zertifikat ausgestellt, und hier steht die Adresse als aktiv. Bis dahin antwortet sie nicht.',
    '2. We check both records by ourselves, every minute at first. Once they are there, the certificate is fetched, and the address is shown here as active. Until then requests to it are not answered.',
  ],
  verifyingLead: [
    'Die DNS-Einträge stimmen. Jetzt wird das Zertifikat ausgestellt; das dauert einige Minuten. Lassen Sie beide Einträge stehen.',
    'The DNS records are right. Now the certificate is fetched, which takes a few minutes. Leave both records in place.',
  ],
  verifyingByOperator: [
    'Die DNS-Einträge stimmen. Der Betreiber schaltet die Adresse frei. Lassen Sie beide Einträge stehen.',
    'The DNS records are right. The operator activates the address. Leave both records in place.',
  ],
  failures: [
    {
      taken: 'Diese Adresse gehört inzwischen einem anderen Shop.',
      refused:
        'Für diese Adresse gab es kein Zertifikat. Zeigt der CNAME noch hierher, und erlaubt ein CAA-Eintrag Ihrer Domain die Zertifizierungsstellen von Cloudflare?',
    },
    {
      taken: 'This address belongs to another shop by now.',
      refused:
        'No certificate was issued for this address. Does the CNAME still point here, and does a CAA record of your domain allow the authorities that Cloudflare uses?',
    },
  ],
  remove: ['Entfernen', 'Remove'],
  removeTitle: (host: string) => [`Adresse ${host} entfernen?`, `Remove the address ${host}?`],
  removePending: [
    'Sie wartet noch auf die Freischaltung. Sie können sie jederzeit wieder hinzufügen; dann braucht sie einen neuen TXT-Eintrag.',
    'It still waits to be activated. You can add it again at any time; it then needs a new TXT record.',
  ],
  removeActive: [
    [
      'Unter dieser Adresse antwortet sofort nichts mehr.',
      'Plattformen, die sie benutzen, können keine Bestellanfragen mehr einreichen, bis sie umgestellt sind.',
      'Zahlungslinks, die schon verschickt sind, lassen sich nicht mehr öffnen.',
      'Wieder hinzugefügt, braucht sie einen neuen TXT-Eintrag. Löschen Sie den CNAME, wenn Sie sie nicht mehr brauchen.',
    ],
    [
      'From this moment on, requests to this address are not answered.',
      'Platforms that use it cannot submit order requests until they have changed over.',
      'Payment links that were sent already can no longer be opened.',
      'Added again, it needs a new TXT record. Delete the CNAME if you no longer need it.',
    ],
  ],
  removeNext: (host: string) => [
    `Neue Zahlungslinks zeigen dann auf ${host}.`,
    `New payment links will point to ${host}.`,
  ],
  removeLast: [
    'Danach hat der Shop keine aktive Adresse: Zahlungslinks sind dann nicht möglich.',
    'Afterwards the shop has no active address: payment links are not possible then.',
  ],
  hostChanged: [
    'Nicht entfernt: Inzwischen ist die Adresse freigeschaltet. Bitte entscheiden Sie noch einmal.',
    'Not removed: the address was activated in the meantime. Please decide again.',
  ],
  isLast: [
    'Das ist die letzte aktive Adresse eines aktiven Shops, sie bleibt. Lassen Sie zuerst eine andere freischalten oder schalten Sie den Shop auf inaktiv.',
    'This is the last active address of an active shop; it cannot be removed. Have another one activated first, or make the shop inactive.',
  ],
  intakeOn: ['Nimmt Anfragen an', 'Takes order requests'],
  intakeOff: ['Weist Bestellanfragen ab', 'Refuses order requests'],
  deactivate: ['Inaktiv schalten', 'Make inactive'],
  activate: ['Aktiv schalten', 'Make active'],
  deactivateTitle: (name: string) => [`Shop „${name}“ inaktiv schalten?`, `Make the shop “${name}” inactive?`],
  deactivateLead: [
    [
      'Neue Bestellanfragen werden sofort abgewiesen; die Plattformen erfahren, dass der Shop nicht annimmt.',
      'Was schon da ist, bleibt: Offene Anfragen, Bestellungen und Zahlungslinks gehen weiter.',
      'Sie können den Shop jederzeit wieder auf aktiv schalten.',
    ],
    [
      'New order requests are refused from this moment on; platforms are told that the shop does not take any.',
      'What is there stays: open requests, orders and payment links go on.',
      'You can make the shop active again at any time.',
    ],
  ],
});
