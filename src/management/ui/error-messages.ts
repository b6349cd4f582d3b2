import * as accounts from '../../auth/limits';
import { NOTE_MAX, QUANTITY_MAX, SOURCE_MAX, TEXT_MAX } from '../../orders/limits';
import { URL_LENGTH_MAX } from '../../platform/limits';
import { HOSTS_MAX, NAME_LENGTH_MAX, PENDING_HOSTS_MAX, SHOPS_MAX } from '../../tenants/limits';
import { CALLBACKS_MAX, FILTERED_MAX, SUBSCRIPTIONS_MAX, TESTS_A_MINUTE } from '../../webhooks/limits';
import type { Both, Texts } from '../http/language';

const atMost = (max: number): Both<string> => [`Höchstens ${max} Zeichen.`, `At most ${max} characters.`];

/** Titles and texts of error pages. */
const errors = {
  requestId: ['Fehlernummer', 'Error number'],
  home: ['Zur Startseite', 'To the start page'],
  owners: (names: string) => [`Bei Ihnen: ${names}.`, `At your pharmacy: ${names}.`],
  not_found: [
    ['Diese Seite gibt es nicht', 'Vielleicht wurde sie verschoben oder der Link ist unvollständig.'],
    ['There is no such page', 'It may have moved, or the link is incomplete.'],
  ],
  forbidden: [
    ['Dafür fehlt Ihnen die Berechtigung', 'Fragen Sie einen Inhaber.'],
    ['You may not do this', 'Ask an owner.'],
  ],
  organization_suspended: [
    [
      'Ihre Apotheke ist vorübergehend gesperrt',
      'Nichts geht verloren: Webhooks warten, bis die Sperre aufgehoben ist. Wenden Sie sich an den Betreiber des Dienstes.',
    ],
    [
      'Your pharmacy is suspended for now',
      'Nothing is lost: webhooks wait until the suspension is lifted. Please ask whoever runs the service.',
    ],
  ],
  stale_form: [
    ['Diese Seite war veraltet', 'Es wurde nichts geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.'],
    ['This page was out of date', 'Nothing was changed. Reload the page and try again.'],
  ],
  rate_limited: [
    ['Zu viele Versuche', 'Warten Sie bitte eine Minute.'],
    ['Too many attempts', 'Please wait a minute.'],
  ],
  conflict: [
    [
      'Das geht gerade nicht',
      'Das passt nicht zum jetzigen Status; es wurde nichts geändert. Gehen Sie zurück und laden Sie die Seite neu.',
    ],
    [
      'That is not possible right now',
      'It does not match the current status; nothing was changed. Go back and reload the page.',
    ],
  ],
  invalid: [
    ['Das konnten wir nicht lesen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
    ['We could not read that', 'Go back and try again.'],
  ],
  unavailable: [
    ['Der Speicher antwortet nicht', 'Es ging nichts verloren. Versuchen Sie es gleich noch einmal.'],
    ['The storage does not respond', 'Nothing was lost. Try again in a moment.'],
  ],
  missing: [
    [
      'Die Daten Ihrer Apotheke sind zurzeit nicht erreichbar',
      'Das liegt an uns, und der Betreiber weiß davon. Versuchen Sie es später noch einmal.',
    ],
    [
      'The data of your pharmacy cannot be reached at present',
      'It is our fault, and the operator knows about it. Try again later.',
    ],
  ],
  organization_moving: [
    ['Die Daten Ihrer Apotheke ziehen um', 'Es ging nichts verloren. Versuchen Sie es in einigen Minuten noch einmal.'],
    ['The data of your pharmacy are being moved', 'Nothing was lost. Try again in a few minutes.'],
  ],
  internal: [
    [
      'Da ist etwas schiefgegangen',
      'Es liegt an uns. Versuchen Sie es gleich noch einmal; bleibt es dabei, nennen Sie uns die Fehlernummer.',
    ],
    [
      'Something went wrong',
      'It is our fault. Try again in a moment; if the problem persists, tell us the error number.',
    ],
  ],
} satisfies Texts;

/** Texts of webhook errors, by error code or field. */
const webhookErrorMessages = {
  event_type: ['Bitte ein Ereignis wählen.', 'Please choose an event.'],
  too_many_tests: [
    `Höchstens ${TESTS_A_MINUTE} Testereignisse in einer Minute. Warten Sie einen Moment.`,
    `At most ${TESTS_A_MINUTE} test events a minute. Wait a moment.`,
  ],
  secret_overlap_running: [
    'Der Schlüssel vor dem letzten Erneuern gilt noch. Beenden Sie erst seine Frist, oder lassen Sie alle bisherigen ab sofort enden.',
    'The secret before the last rotation is still valid. End its overlap first, or end all earlier ones at once.',
  ],
  subscription_changed: [
    'Jemand hat das Abonnement inzwischen geändert. Laden Sie die Seite neu.',
    'Somebody has changed the subscription in the meantime. Reload the page.',
  ],
  callback_limit_reached: [
    `Höchstens ${CALLBACKS_MAX} Integrationen haben eine Statusmeldung. Löschen Sie zuerst eine.`,
    `At most ${CALLBACKS_MAX} integrations have a callback. Delete one first.`,
  ],
  sources: [
    `Höchstens ${FILTERED_MAX} Plattformen, jede mit höchstens ${SOURCE_MAX} Zeichen.`,
    `At most ${FILTERED_MAX} platforms, each of at most ${SOURCE_MAX} characters.`,
  ],
  unknown_shop: ['Bitte eigene Shops wählen.', 'Please choose shops of your own.'],
  subscription_limit_reached: [
    `Höchstens ${SUBSCRIPTIONS_MAX} Abonnements. Löschen Sie zuerst eines.`,
    `At most ${SUBSCRIPTIONS_MAX} subscriptions. Delete one first.`,
  ],
} satisfies Texts;

/** Texts of error pages, and of field errors by error code. */
export const errorMessages = {
  errors,
  conflicts: {
    second_factor_on: [
      'Der zweite Faktor ist schon eingeschaltet. Für ein anderes Gerät schalten Sie ihn unter „Mein Konto“ zuerst aus.',
      'The second factor is on already. For another device, first turn it off under “My account”.',
    ],
    own_reset: [
      'Ihr eigenes Passwort ändern Sie unter „Mein Konto“. Fehlt es Ihnen, hilft ein anderer Inhaber.',
      'Change your own password under “My account”. If you lost it, another owner can help.',
    ],
    not_redeliverable: [
      'Jetzt nicht: Die Zustellung ist unterwegs, oder das Abonnement nimmt gerade nichts an.',
      'Not now: the delivery is on its way, or its subscription takes nothing at the moment.',
    ],
    product_not_in_inventory: [
      'Dieses Produkt ist nicht mehr in Ihrem Sortiment.',
      'This product is not in your inventory any more.',
    ],
  },
  fieldErrors: {
    email: [
      'Bitte eine E-Mail-Adresse angeben, zum Beispiel name@apotheke.de.',
      'Please enter an e-mail address, for example name@pharmacy.com.',
    ],
    role: ['Bitte eine Rolle wählen.', 'Please choose a role.'],
    name: [
      `Bitte einen Namen mit höchstens ${NAME_LENGTH_MAX} Zeichen angeben.`,
      `Please enter a name of at most ${NAME_LENGTH_MAX} characters.`,
    ],
    name_too_long: atMost(accounts.NAME_LENGTH_MAX),
    password_too_short: [
      `Mindestens ${accounts.PASSWORD_LENGTH_MIN} Zeichen.`,
      `At least ${accounts.PASSWORD_LENGTH_MIN} characters.`,
    ],
    password_too_long: atMost(accounts.PASSWORD_LENGTH_MAX),
    password_common: [
      'Das Passwort besteht fast nur aus Wörtern, die als Erstes ausprobiert werden. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
      'The password is made almost only of words that are tried first. Use several words that have nothing to do with each other.',
    ],
    password_pattern: [
      'Das Passwort wiederholt sich oder folgt der Tastatur, zum Beispiel 1234 oder qwertz. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
      'The password repeats itself or follows the keyboard, for example 1234 or qwerty. Use several words that have nothing to do with each other.',
    ],
    password_personal: [
      'Bitte nicht Ihr Name, Ihre E-Mail-Adresse oder der Name der Apotheke. Nehmen Sie mehrere Wörter, die nichts mit Ihnen zu tun haben.',
      'Please do not use your name, your e-mail address or the name of the pharmacy. Use several words that have nothing to do with you.',
    ],
    wrong_password: ['Das ist nicht Ihr Passwort.', 'This is not your password.'],
    wrong_code: ['Der Code stimmt nicht oder ist zu alt.', 'The code is wrong or too old.'],
    passphrase_length: ['Bitte 16 bis 200 Zeichen.', '16 to 200 characters, please.'],
    lost: ['Bitte wählen, was verloren ist.', 'Please choose what was lost.'],
    member_exists: ['Diese Person gehört schon zum Team.', 'This person is on the team already.'],
    member_limit_reached: [
      `Das Team ist voll: höchstens ${accounts.MEMBERS_MAX} Personen.`,
      `The team is full: at most ${accounts.MEMBERS_MAX} people.`,
    ],
    last_owner: [
      'Ein Inhaber muss bleiben. Machen Sie zuerst eine andere Person dazu.',
      'The team needs at least one owner. Make another person an owner first.',
    ],
    text_too_long: atMost(TEXT_MAX),
    reason_required: ['Bitte einen Grund wählen.', 'Please choose a reason.'],
    invalid_transition: [
      'Dieser Schritt geht nicht mehr: Die Bestellung hat inzwischen den Status, der hier steht.',
      'This step is no longer possible: the order now has the status shown here.',
    ],
    prescription_not_approved: [
      'Erst muss ein Apotheker oder Inhaber das Rezept prüfen: Die Bestellung hat rezeptpflichtige Artikel.',
      'A pharmacist or an owner has to check the prescription first: the order has items that require one.',
    ],
    prescription_not_covering: [
      'Das Rezept ist nicht für diese Artikel und Mengen geprüft. Ein Apotheker oder Inhaber muss es erneut prüfen.',
      'The prescription is not checked for these items and quantities. A pharmacist or an owner has to check it again.',
    ],
    prescription_not_stored: ['Das Rezept liegt nicht mehr vor.', 'The prescription is no longer stored.'],
    not_fetchable: [
      'Das Rezept wird schon abgerufen oder liegt vor.',
      'The prescription is being fetched already, or is here.',
    ],
    order_locked: [
      'Die Angaben zur Person sind gelöscht; hier wird nichts mehr eingetragen.',
      'The person was erased from this order; nothing is written into it any more.',
    ],
    order_not_payable: [
      'Diese Bestellung kann nicht bezahlt werden: Sie ist bezahlt, beendet, erstattet oder kostet nichts.',
      'This order cannot be paid: it is paid, ended, refunded or costs nothing.',
    ],
    original_missing: [
      'Das Original des Rezepts fehlt noch. Bestätigen Sie es, bevor Sie die Bestellung abgeben oder versenden.',
      'The original of the prescription is still missing. Confirm it before you hand the order over or ship it.',
    ],
    on_hold: [
      'Die Bestellung ist angehalten: Setzen Sie sie fort, bevor Sie sie abgeben oder versenden.',
      'The order is on hold: take it off hold before you hand it over or ship it.',
    ],
    withdrawal_undecided: ['Erst über den Storno entscheiden.', 'Decide on the requested cancellation first.'],
    withdrawal_decided: ['Über den Storno ist entschieden.', 'The requested cancellation is already decided.'],
    rest_owed: [
      'Ein Teil der Bestellung kommt noch. Geben Sie ab, was da ist, oder stornieren Sie die Nachlieferung.',
      'The rest of the order is not here yet. Hand over what is there, or cancel the rest.',
    ],
    not_packed: ['Es sind noch nicht alle Packungen abgehakt.', 'Not every pack is ticked yet.'],
    not_being_packed: ['Diese Bestellung wird gerade nicht gepackt.', 'This order is not being packed now.'],
    unknown_code: [
      'Kein Code einer Packung oder eines Etiketts, oder nicht ganz gelesen. Bitte noch einmal scannen.',
      'No code of a pack or label, or not read whole. Please scan again.',
    ],
    wrong_pack: ['Falsche Packung.', 'Wrong pack.'],
    nothing_expected: ['Auf diese Packung wartet keine Bestellung.', 'No order waits for this pack.'],
    pack_already_scanned: [
      'Diese Packung ist schon gescannt. Jede zählt einmal.',
      'This pack was scanned already. Each counts once.',
    ],
    pack_already_left: [
      'Diese Packung ist mit einem früheren Teil der Bestellung schon abgegeben.',
      'This pack has left with an earlier part of the order.',
    ],
    pack_expired: ['Die Packung ist verfallen.', 'The pack has expired.'],
    differences_open: ['Bitte jede Abweichung bestätigen.', 'Please acknowledge each difference.'],
    total_is_paid: [
      'Die Bestellung ist bezahlt, und ihre Summe würde sich ändern. Nehmen Sie gleich viele Packungen zum gleichen Preis.',
      'The order is paid, and its total would change. Choose the same number of packs at the same price.',
    ],
    payment_open: [
      'Es ist noch nichts bezahlt. Sagen Sie, dass bezahlt wurde, oder warum ohne Zahlung.',
      'Nothing was paid yet. Say that it was, or why not.',
    ],
    address_missing: ['Es fehlt die Anschrift.', 'The address is missing.'],
    prescription_expired: [
      'Ein Rezept ist inzwischen abgelaufen. Bestätigen Sie, dass Sie es noch beliefern.',
      'A prescription has expired by now. Confirm that you still supply it.',
    ],
    shipping_blocked: [
      'Ein Artikel ist für diese Lieferart nicht vorgesehen. Bestätigen Sie, dass er trotzdem so abgegeben wird.',
      'An item is not intended for this delivery method. Confirm that it is supplied anyway.',
    ],
    not_paid: ['Erstatten lässt sich nur, was bezahlt ist.', 'Only what was paid can be refunded.'],
    refund_exceeds_paid: [
      'Das ist mehr, als von der Zahlung noch übrig ist.',
      'This is more than what is left of the payment.',
    ],
    order_not_deletable: [
      'Nur eine stornierte Bestellung, von der nichts abgegeben ist, kann gelöscht werden.',
      'Only a canceled order of which nothing has left can be deleted.',
    ],
    legal_hold: [
      'Die Kundendaten oder die Anfrage werden aus rechtlichen Gründen aufbewahrt.',
      'The customer or the request is kept for legal reasons.',
    ],
    iban_missing: [
      'Für Ihre Apotheke ist keine IBAN hinterlegt. Inhaber tragen sie unter Einstellungen › Apotheke ein.',
      'Your pharmacy has no IBAN on file. Owners enter it under Settings › Pharmacy.',
    ],
    shop_host_missing: [
      'Der Shop hat noch keine aktive Adresse für die Zahlungsseite. Inhaber fügen sie unter Einstellungen › Shops hinzu.',
      'The shop has no active address for the payment page yet. Owners add one under Settings › Shops.',
    ],
    quantity: [`Eine ganze Zahl von 1 bis ${QUANTITY_MAX}.`, `A whole number from 1 to ${QUANTITY_MAX}.`],
    later: ['Höchstens die Menge der Position.', 'At most the quantity of the item.'],
    expected_on: ['Ein Tag ab heute, höchstens in einem Jahr.', 'A day from today on, within a year.'],
    quantity_missing: [
      'Bitte eine Menge angeben; mit 0 entfällt der Artikel.',
      'Please enter a quantity; with 0 the item is left out.',
    ],
    price: ['Ein Preis in Euro, zum Beispiel 4,95.', 'A price in euros, for example 4.95.'],
    product: ['Bitte eine Produktkennung angeben.', 'Please enter a product ID.'],
    note_too_long: [`Höchstens ${NOTE_MAX} Zeichen.`, `${NOTE_MAX} characters at most.`],
    kind: ['Bitte eine Art wählen.', 'Please choose a type.'],
    scopes: ['Bitte mindestens ein Recht wählen.', 'Please choose at least one permission.'],
    event_types: ['Bitte mindestens ein Ereignis wählen.', 'Please choose at least one event.'],
    api_key_limit_reached: [
      `Höchstens ${accounts.API_KEYS_MAX} aktive Schlüssel. Widerrufen Sie zuerst einen.`,
      `At most ${accounts.API_KEYS_MAX} active keys. Revoke one first.`,
    ],
    date_past: ['Bitte einen Tag wählen, der noch nicht vorbei ist.', 'Please choose a day that is not over yet.'],
    date: ['Bitte ein Datum angeben, zum Beispiel 31.12.2027.', 'Please enter a date, for example 12/31/2027.'],
    since: ['Bitte einen vergangenen Zeitpunkt angeben.', 'Please enter a time in the past.'],
    overlap: ['Bitte wählen, wie lange der bisherige noch gilt.', 'Please choose how long the old one stays valid.'],
    ...webhookErrorMessages,
    key_overlap_running: [
      'Ein früherer Schlüssel dieser Integration gilt noch. Widerrufen Sie ihn zuerst, oder lassen Sie diesen ab sofort enden.',
      'An earlier key of this integration is still valid. Revoke it first, or end this one at once.',
    ],
    not_a_url: [
      'Bitte eine vollständige Adresse angeben, zum Beispiel https://beispiel.de/webhook.',
      'Please enter a whole address, for example https://example.com/webhook.',
    ],
    not_https: ['Die Adresse muss mit https:// beginnen.', 'The address has to start with https://.'],
    credentials: [
      'Bitte ohne Benutzername und Kennwort in der Adresse.',
      'Please leave user name and password out of the address.',
    ],
    port: ['Bitte ohne Portnummer.', 'Please leave out the port number.'],
    ip_address: ['Bitte einen Namen statt einer IP-Adresse angeben.', 'Please enter a name, not an IP address.'],
    not_public: ['Diese Adresse ist aus dem Internet nicht erreichbar.', 'The internet cannot reach this address.'],
    own_host: ['Bitte eine Adresse außerhalb von Offizin angeben.', 'Please enter an address outside Offizin.'],
    too_long: atMost(URL_LENGTH_MAX),
    not_a_host: [
      'Bitte nur einen Namen wie rx.ihre-apotheke.de angeben, ohne https://, Port und Pfad.',
      'Please enter a name only, like rx.your-pharmacy.com, without https://, port and path.',
    ],
    single_label: ['Bitte einen Namen angeben, den es im Internet gibt.', 'Enter a name that is on the internet.'],
    base_host: [
      'Diese Adresse gehört zu Offizin selbst. Bitte eine Ihrer Domains angeben.',
      'This address belongs to Offizin itself. Please enter one of your own domains.',
    ],
    host_taken: [
      'Diese Adresse ist schon vergeben oder von Ihnen angefragt. Gehört sie Ihnen, wenden Sie sich an den Betreiber.',
      'This address is taken, or you have asked for it already. If it is yours, ask the operator.',
    ],
    host_limit_reached: [
      `Höchstens ${HOSTS_MAX} Adressen je Shop. Entfernen Sie zuerst eine.`,
      `At most ${HOSTS_MAX} addresses per shop. Remove one first.`,
    ],
    pending_host_limit_reached: [
      `Höchstens ${PENDING_HOSTS_MAX} Adressen warten gleichzeitig auf die Freischaltung. Entfernen Sie zuerst eine.`,
      `At most ${PENDING_HOSTS_MAX} addresses wait to be activated at a time. Remove one first.`,
    ],
    shop_limit_reached: [
      `Höchstens ${SHOPS_MAX} Shops. Für weitere wenden Sie sich an den Betreiber.`,
      `At most ${SHOPS_MAX} shops. For more, ask the operator.`,
    ],
    last_host: [
      'Nicht entfernt: Inzwischen ist es die letzte aktive Adresse des Shops.',
      'Not removed: it is now the last active address of the shop.',
    ],
    changed: [
      'Inzwischen hat jemand anderes gespeichert. Prüfen Sie Ihre Angaben und speichern Sie noch einmal.',
      'Somebody else saved in the meantime. Check what you typed and save once more.',
    ],
    insufficient_stock: [
      'So viele sind nicht da: Der Bestand kann nicht unter 0 fallen.',
      'There are not that many: stock cannot go below 0.',
    ],
    weighing_needed: [
      'Dieser Artikel wird gewogen. Tragen Sie an der Position die Einwaage ein; fehlt mehr als 0,1 g, wird er zum Teil nachgeliefert.',
      'This item is weighed. Enter its weight there; if more than 0.1 g is missing, the rest comes later.',
    ],
    unit_fixed: [
      'Die Einheit wechselt nur mit neuer Zählung, und solange keine Bestellung oder Vormerkung etwas davon hält. Offene zuerst abschließen oder stornieren, dann auf der Seite des Produkts „Einheit wechseln“.',
      'The unit changes only with a new count, and while no order or reservation holds any of it. Close or cancel those first; then use “Change the unit” on the product’s page.',
    ],
    slug_taken: [
      'Ein anderes Produkt Ihrer Apotheke hat diesen Kurznamen.',
      'Another product of your pharmacy has this short name.',
    ],
    pzn_taken: [
      'Ein anderes eigenes Produkt Ihrer Apotheke hat diese PZN.',
      'Another own product of your pharmacy has this PZN.',
    ],
    changed_meanwhile: [
      'Inzwischen hat jemand anderes diese Angabe geändert.',
      'Somebody else has changed this in the meantime.',
    ],
    overrides_too_large: [
      'Die Angaben dieses Shops sind zusammen zu lang. Kürzen Sie die Beschreibung.',
      'The values of this shop are too long together. Shorten the description.',
    ],
    other: ['Diese Angabe geht so nicht.', 'This entry is not valid.'],
  },
} satisfies Texts;
