import * as accounts from '../../auth/limits';
import { NOTE_MAX, QUANTITY_MAX, SOURCE_MAX, TEXT_MAX } from '../../orders/limits';
import { URL_LENGTH_MAX } from '../../platform/limits';
import { HOSTS_MAX, NAME_LENGTH_MAX, PENDING_HOSTS_MAX, SHOPS_MAX } from '../../tenants/limits';
import { CALLBACKS_MAX, FILTERED_MAX, SUBSCRIPTIONS_MAX, TESTS_A_MINUTE } from '../../webhooks/limits';

/** Titles and texts of error pages. */
const errors = {
  requestId: { de: 'Fehlernummer', en: 'Error number' },
  home: { de: 'Zur Startseite', en: 'To the start page' },
  not_found: {
    de: ['Diese Seite gibt es nicht', 'Vielleicht wurde sie verschoben oder der Link ist unvollständig.'],
    en: ['There is no such page', 'It may have moved, or the link is incomplete.'],
  },
  forbidden: {
    de: ['Dafür fehlt Ihnen die Berechtigung', 'Fragen Sie eine Inhaberin oder einen Inhaber.'],
    en: ['You may not do this', 'Ask an owner.'],
  },
  organization_suspended: {
    de: [
      'Ihre Apotheke ist vorübergehend gesperrt',
      'Nichts geht verloren: Webhooks warten, bis die Sperre aufgehoben ist. Wenden Sie sich an den Betreiber des Dienstes.',
    ],
    en: [
      'Your pharmacy is suspended for now',
      'Nothing is lost: webhooks wait until the suspension is lifted. Please ask whoever runs the service.',
    ],
  },
  stale_form: {
    de: [
      'Diese Seite war veraltet',
      'Es wurde nichts geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    ],
    en: ['This page was out of date', 'Nothing was changed. Reload the page and try again.'],
  },
  rate_limited: {
    de: ['Zu viele Versuche', 'Warten Sie bitte eine Minute.'],
    en: ['Too many attempts', 'Please wait a minute.'],
  },
  conflict: {
    de: [
      'Das geht gerade nicht',
      'Das passt nicht zum jetzigen Status; es wurde nichts geändert. Gehen Sie zurück und laden Sie die Seite neu.',
    ],
    en: [
      'That is not possible right now',
      'It does not fit how things stand; nothing was changed. Go back and reload the page.',
    ],
  },
  invalid: {
    de: ['Das konnten wir nicht lesen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
    en: ['We could not read that', 'Go back and try again.'],
  },
  unavailable: {
    de: ['Der Speicher antwortet nicht', 'Es ging nichts verloren. Versuchen Sie es gleich noch einmal.'],
    en: ['The storage does not respond', 'Nothing was lost. Try again in a moment.'],
  },
  missing: {
    de: [
      'Die Daten Ihrer Apotheke sind zurzeit nicht erreichbar',
      'Das liegt an uns, und der Betreiber weiß davon. Versuchen Sie es später noch einmal.',
    ],
    en: [
      'The data of your pharmacy cannot be reached at present',
      'It is our fault, and the operator knows about it. Try again later.',
    ],
  },
  organization_moving: {
    de: [
      'Die Daten Ihrer Apotheke ziehen um',
      'Es ging nichts verloren. Versuchen Sie es in einigen Minuten noch einmal.',
    ],
    en: ['The data of your pharmacy are being moved', 'Nothing was lost. Try again in a few minutes.'],
  },
  internal: {
    de: [
      'Da ist etwas schiefgegangen',
      'Es liegt an uns. Versuchen Sie es gleich noch einmal; bleibt es dabei, nennen Sie uns die Fehlernummer.',
    ],
    en: [
      'Something went wrong',
      'It is our fault. Try again in a moment; if it stays like this, tell us the error number.',
    ],
  },
};

/** Texts of errors of webhooks, by code or by field. */
const webhookErrorMessages = {
  event_type: { de: 'Bitte ein Ereignis wählen.', en: 'Please choose an event.' },
  too_many_tests: {
    de: `Höchstens ${TESTS_A_MINUTE} Testereignisse in einer Minute. Warten Sie einen Moment.`,
    en: `At most ${TESTS_A_MINUTE} test events a minute. Wait a moment.`,
  },
  secret_overlap_running: {
    de: 'Der Schlüssel vor dem letzten Erneuern gilt noch. Beenden Sie erst seine Frist, oder lassen Sie alle bisherigen ab sofort enden.',
    en: 'The secret before the last rotation is still valid. End its overlap first, or end all earlier ones at once.',
  },
  subscription_changed: {
    de: 'Jemand hat das Abonnement inzwischen geändert. Laden Sie die Seite neu.',
    en: 'Somebody has changed the subscription in the meantime. Reload the page.',
  },
  callback_limit_reached: {
    de: `Höchstens ${CALLBACKS_MAX} Integrationen haben eine Statusmeldung. Löschen Sie zuerst eine.`,
    en: `At most ${CALLBACKS_MAX} integrations have a callback. Delete one first.`,
  },
  sources: {
    de: `Höchstens ${FILTERED_MAX} Plattformen, jede mit höchstens ${SOURCE_MAX} Zeichen.`,
    en: `At most ${FILTERED_MAX} platforms, each of at most ${SOURCE_MAX} characters.`,
  },
  unknown_shop: { de: 'Bitte eigene Shops wählen.', en: 'Please choose shops of your own.' },
  subscription_limit_reached: {
    de: `Höchstens ${SUBSCRIPTIONS_MAX} Abonnements. Löschen Sie zuerst eines.`,
    en: `At most ${SUBSCRIPTIONS_MAX} subscriptions. Delete one first.`,
  },
};

/** Texts of error pages, and of field errors by error code. */
export const errorMessages = {
  errors,
  conflicts: {
    second_factor_on: {
      de: 'Der zweite Faktor ist schon eingeschaltet. Für ein anderes Gerät schalten Sie ihn unter „Mein Konto“ zuerst aus.',
      en: 'The second factor is on already. For another device, first turn it off under “My account”.',
    },
    own_reset: {
      de: 'Ihr eigenes Passwort ändern Sie unter „Mein Konto“. Fehlt es Ihnen, hilft eine andere Inhaberin oder ein anderer Inhaber.',
      en: 'Change your own password under “My account”. If you lost it, another owner can help.',
    },
    not_redeliverable: {
      de: 'Jetzt nicht: Die Zustellung ist unterwegs, oder das Abonnement nimmt gerade nichts an.',
      en: 'Not now: the delivery is on its way, or its subscription takes nothing at the moment.',
    },
    secret_overlap_running: {
      de: 'Der vorige Signaturschlüssel gilt noch. Beenden Sie ihn zuerst oder lassen Sie alle früheren sofort enden.',
      en: 'The signing secret before this one still counts. End it first, or let all earlier ones end at once.',
    },
    product_not_in_inventory: {
      de: 'Dieses Produkt ist nicht mehr in Ihrem Sortiment.',
      en: 'This product is not in your inventory any more.',
    },
  },
  fieldErrors: {
    email: {
      de: 'Bitte eine E-Mail-Adresse angeben, zum Beispiel name@apotheke.de.',
      en: 'Please enter an e-mail address, for example name@pharmacy.com.',
    },
    role: { de: 'Bitte eine Rolle wählen.', en: 'Please choose a role.' },
    name: {
      de: `Bitte einen Namen mit höchstens ${NAME_LENGTH_MAX} Zeichen angeben.`,
      en: `Please give a name of at most ${NAME_LENGTH_MAX} characters.`,
    },
    name_too_long: {
      de: `Höchstens ${accounts.NAME_LENGTH_MAX} Zeichen.`,
      en: `At most ${accounts.NAME_LENGTH_MAX} characters.`,
    },
    password_too_short: {
      de: `Mindestens ${accounts.PASSWORD_LENGTH_MIN} Zeichen.`,
      en: `At least ${accounts.PASSWORD_LENGTH_MIN} characters.`,
    },
    password_too_long: {
      de: `Höchstens ${accounts.PASSWORD_LENGTH_MAX} Zeichen.`,
      en: `At most ${accounts.PASSWORD_LENGTH_MAX} characters.`,
    },
    password_common: {
      de: 'Das Passwort besteht fast nur aus Wörtern, die als Erstes ausprobiert werden. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
      en: 'The password is made almost only of words that are tried first. Use several words that have nothing to do with each other.',
    },
    password_pattern: {
      de: 'Das Passwort wiederholt sich oder folgt der Tastatur, zum Beispiel 1234 oder qwertz. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
      en: 'The password repeats itself or follows the keyboard, for example 1234 or qwerty. Use several words that have nothing to do with each other.',
    },
    password_personal: {
      de: 'Bitte nicht Ihr Name, Ihre E-Mail-Adresse oder der Name der Apotheke. Nehmen Sie mehrere Wörter, die nichts mit Ihnen zu tun haben.',
      en: 'Please not your name, your e-mail address or the name of the pharmacy. Use several words that have nothing to do with you.',
    },
    wrong_password: { de: 'Das ist nicht Ihr Passwort.', en: 'This is not your password.' },
    wrong_code: { de: 'Der Code stimmt nicht oder ist zu alt.', en: 'The code is wrong or too old.' },
    passphrase_length: { de: 'Bitte 16 bis 200 Zeichen.', en: '16 to 200 characters, please.' },
    lost: { de: 'Bitte wählen, was verloren ist.', en: 'Please choose what was lost.' },
    member_exists: { de: 'Diese Person gehört schon zum Team.', en: 'This person is on the team already.' },
    member_limit_reached: {
      de: `Das Team ist voll: höchstens ${accounts.MEMBERS_MAX} Personen.`,
      en: `The team is full: at most ${accounts.MEMBERS_MAX} people.`,
    },
    last_owner: {
      de: 'Eine Inhaberin oder ein Inhaber muss bleiben. Machen Sie zuerst eine andere Person dazu.',
      en: 'The team needs at least one owner. Make another person an owner first.',
    },
    text_too_long: { de: `Höchstens ${TEXT_MAX} Zeichen.`, en: `At most ${TEXT_MAX} characters.` },
    reason_required: { de: 'Bitte einen Grund wählen.', en: 'Please choose a reason.' },
    invalid_transition: {
      de: 'Dieser Schritt geht nicht mehr: Die Bestellung hat inzwischen den Status, der hier steht.',
      en: 'This step is no longer possible: the order now has the status shown here.',
    },
    prescription_not_approved: {
      de: 'Erst muss ein Apotheker oder Inhaber das Rezept prüfen: Die Bestellung hat rezeptpflichtige Artikel.',
      en: 'A pharmacist or an owner has to check the prescription first: the order has items that require one.',
    },
    prescription_not_covering: {
      de: 'Das Rezept ist nicht für diese Artikel und Mengen geprüft. Ein Apotheker oder Inhaber muss es erneut prüfen.',
      en: 'The prescription is not checked for these items and quantities. A pharmacist or an owner has to check it again.',
    },
    prescription_not_stored: { de: 'Das Rezept liegt nicht mehr vor.', en: 'The prescription is not here any more.' },
    not_fetchable: {
      de: 'Das Rezept wird schon abgerufen oder liegt vor.',
      en: 'The prescription is being fetched already, or is here.',
    },
    order_locked: {
      de: 'Die Angaben zur Person sind gelöscht; hier wird nichts mehr eingetragen.',
      en: 'The person was erased from this order; nothing is written into it any more.',
    },
    order_not_payable: {
      de: 'Diese Bestellung kann nicht bezahlt werden: Sie ist bezahlt, beendet, erstattet oder kostet nichts.',
      en: 'This order cannot be paid: it is paid, ended, refunded or costs nothing.',
    },
    original_missing: {
      de: 'Das Original des Rezepts fehlt noch. Bestätigen Sie es, bevor Sie die Bestellung abgeben oder versenden.',
      en: 'The original of the prescription is still missing. Confirm it before you hand the order over or ship it.',
    },
    on_hold: {
      de: 'Die Bestellung ist angehalten: Setzen Sie sie fort, bevor Sie sie abgeben oder versenden.',
      en: 'The order is on hold: take it off hold before you hand it over or ship it.',
    },
    withdrawal_undecided: { de: 'Erst über den Storno entscheiden.', en: 'Decide about the withdrawal first.' },
    withdrawal_decided: { de: 'Über den Storno ist entschieden.', en: 'The withdrawal is decided already.' },
    rest_owed: {
      de: 'Ein Teil der Bestellung kommt noch. Geben Sie ab, was da ist, oder stornieren Sie den Rest.',
      en: 'A part of the order is still to come. Hand over what is there, or cancel the rest.',
    },
    not_packed: {
      de: 'Es sind noch nicht alle Packungen abgehakt.',
      en: 'Not every pack is ticked yet.',
    },
    not_being_packed: {
      de: 'Diese Bestellung wird gerade nicht gepackt.',
      en: 'This order is not being packed now.',
    },
    unknown_code: {
      de: 'Kein Code einer Packung oder eines Etiketts, oder nicht ganz gelesen. Bitte noch einmal scannen.',
      en: 'No code of a pack or label, or not read whole. Please scan again.',
    },
    wrong_pack: { de: 'Falsche Packung.', en: 'Wrong pack.' },
    nothing_expected: {
      de: 'Auf diese Packung wartet keine Bestellung.',
      en: 'No order waits for this pack.',
    },
    pack_already_scanned: {
      de: 'Diese Packung ist schon gescannt. Jede zählt einmal.',
      en: 'This pack was scanned already. Each counts once.',
    },
    pack_already_left: {
      de: 'Diese Packung ist mit einem früheren Teil der Bestellung schon abgegeben.',
      en: 'This pack has left with an earlier part of the order.',
    },
    pack_expired: { de: 'Die Packung ist verfallen.', en: 'The pack has expired.' },
    differences_open: {
      de: 'Bitte jeden Unterschied bestätigen.',
      en: 'Please acknowledge each difference.',
    },
    total_is_paid: {
      de: 'Die Bestellung ist bezahlt, und ihre Summe würde sich ändern. Nehmen Sie gleich viele Packungen zum gleichen Preis.',
      en: 'The order is paid, and its total would change. Take as many packs at the same price.',
    },
    payment_open: {
      de: 'Es ist noch nichts bezahlt. Sagen Sie, dass bezahlt wurde, oder warum ohne Zahlung.',
      en: 'Nothing was paid yet. Say that it was, or why not.',
    },
    address_missing: {
      de: 'Es fehlt die Anschrift.',
      en: 'The address is missing.',
    },
    prescription_expired: {
      de: 'Ein Rezept ist inzwischen zu alt. Bestätigen Sie, dass Sie es noch beliefern.',
      en: 'A prescription is too old by now. Confirm that you still supply it.',
    },
    shipping_blocked: {
      de: 'Ein Artikel ist für diesen Versandweg nicht freigegeben. Bestätigen Sie, dass er trotzdem so abgegeben wird.',
      en: 'An item is not released for this way of shipping. Confirm that it leaves all the same.',
    },
    not_paid: { de: 'Erstatten lässt sich nur, was bezahlt ist.', en: 'Only what was paid can be refunded.' },
    refund_exceeds_paid: {
      de: 'Das ist mehr, als von der Zahlung noch übrig ist.',
      en: 'This is more than what is left of the payment.',
    },
    order_not_deletable: {
      de: 'Nur eine stornierte Bestellung, von der nichts abgegeben ist, kann gelöscht werden.',
      en: 'Only a cancelled order of which nothing has left can be deleted.',
    },
    legal_hold: {
      de: 'Die Kundendaten oder die Anfrage werden aus rechtlichen Gründen aufbewahrt.',
      en: 'The customer or the request is kept for legal reasons.',
    },
    iban_missing: {
      de: 'Für Ihre Apotheke ist keine IBAN hinterlegt. Inhaber tragen sie unter Einstellungen › Apotheke ein.',
      en: 'Your pharmacy has no IBAN on file. Owners enter it under Settings › Organization.',
    },
    shop_host_missing: {
      de: 'Der Shop hat noch keine aktive Adresse für die Zahlungsseite. Inhaber fügen sie unter Einstellungen › Shops hinzu.',
      en: 'The shop has no active address for the payment page yet. Owners add one under Settings › Shops.',
    },
    quantity: { de: `Eine ganze Zahl von 1 bis ${QUANTITY_MAX}.`, en: `A whole number from 1 to ${QUANTITY_MAX}.` },
    later: { de: 'Höchstens die Menge der Position.', en: 'At most the quantity of the line.' },
    expected_on: { de: 'Ein Tag ab heute, höchstens in einem Jahr.', en: 'A day from today on, within a year.' },
    quantity_missing: {
      de: 'Bitte eine Menge angeben; mit 0 entfällt der Artikel.',
      en: 'Please give a quantity; with 0 the line is left out.',
    },
    price: { de: 'Ein Preis in Euro, zum Beispiel 4,95.', en: 'A price in euros, for example 4.95.' },
    product: { de: 'Bitte eine Produktkennung angeben.', en: 'Please give a product id.' },
    note_too_long: { de: `Höchstens ${NOTE_MAX} Zeichen.`, en: `${NOTE_MAX} characters at most.` },
    kind: { de: 'Bitte eine Art wählen.', en: 'Please choose a kind.' },
    scopes: { de: 'Bitte mindestens ein Recht wählen.', en: 'Please choose at least one permission.' },
    event_types: { de: 'Bitte mindestens ein Ereignis wählen.', en: 'Please choose at least one event.' },
    api_key_limit_reached: {
      de: `Höchstens ${accounts.API_KEYS_MAX} aktive Schlüssel. Widerrufen Sie zuerst einen.`,
      en: `At most ${accounts.API_KEYS_MAX} active keys. Revoke one first.`,
    },
    date_past: {
      de: 'Bitte einen Tag wählen, der noch nicht vorbei ist.',
      en: 'Please choose a day that is not over yet.',
    },
    date: {
      de: 'Bitte ein Datum angeben, zum Beispiel 31.12.2027.',
      en: 'Please enter a date, for example 31/12/2027.',
    },
    since: { de: 'Bitte einen vergangenen Zeitpunkt angeben.', en: 'Please enter a time in the past.' },
    overlap: {
      de: 'Bitte wählen, wie lange der bisherige noch gilt.',
      en: 'Please choose how long the old one stays valid.',
    },
    ...webhookErrorMessages,
    key_overlap_running: {
      de: 'Ein früherer Schlüssel dieser Integration gilt noch. Widerrufen Sie ihn zuerst, oder lassen Sie diesen ab sofort enden.',
      en: 'An earlier key of this integration is still valid. Revoke it first, or end this one at once.',
    },
    not_a_url: {
      de: 'Bitte eine vollständige Adresse angeben, zum Beispiel https://beispiel.de/webhook.',
      en: 'Please enter a whole address, for example https://example.com/webhook.',
    },
    not_https: { de: 'Die Adresse muss mit https:// beginnen.', en: 'The address has to start with https://.' },
    credentials: {
      de: 'Bitte ohne Benutzername und Kennwort in der Adresse.',
      en: 'Please leave user name and password out of the address.',
    },
    port: { de: 'Bitte ohne Portnummer.', en: 'Please leave out the port number.' },
    ip_address: {
      de: 'Bitte einen Namen statt einer IP-Adresse angeben.',
      en: 'Please enter a name, not an IP address.',
    },
    not_public: {
      de: 'Diese Adresse ist aus dem Internet nicht erreichbar.',
      en: 'This address cannot be reached from the internet.',
    },
    own_host: {
      de: 'Bitte eine Adresse außerhalb von Offizin angeben.',
      en: 'Please enter an address outside Offizin.',
    },
    too_long: { de: `Höchstens ${URL_LENGTH_MAX} Zeichen.`, en: `At most ${URL_LENGTH_MAX} characters.` },
    not_a_host: {
      de: 'Bitte nur einen Namen wie rx.ihre-apotheke.de angeben, ohne https://, Port und Pfad.',
      en: 'Please give a name only, like rx.your-pharmacy.com, without https://, port and path.',
    },
    single_label: {
      de: 'Bitte einen Namen angeben, den es im Internet gibt.',
      en: 'Please give a name that is on the internet.',
    },
    base_host: {
      de: 'Diese Adresse gehört zu Offizin selbst. Bitte eine Ihrer Domains angeben.',
      en: 'This address belongs to Offizin itself. Please give one of your own domains.',
    },
    host_taken: {
      de: 'Diese Adresse ist schon vergeben oder von Ihnen angefragt. Gehört sie Ihnen, wenden Sie sich an den Betreiber.',
      en: 'This address is taken, or you have asked for it already. If it is yours, ask the operator.',
    },
    host_limit_reached: {
      de: `Höchstens ${HOSTS_MAX} Adressen je Shop. Entfernen Sie zuerst eine.`,
      en: `At most ${HOSTS_MAX} addresses per shop. Remove one first.`,
    },
    pending_host_limit_reached: {
      de: `Höchstens ${PENDING_HOSTS_MAX} Adressen warten gleichzeitig auf die Freischaltung. Entfernen Sie zuerst eine.`,
      en: `At most ${PENDING_HOSTS_MAX} addresses wait to be activated at a time. Remove one first.`,
    },
    shop_limit_reached: {
      de: `Höchstens ${SHOPS_MAX} Shops. Für weitere wenden Sie sich an den Betreiber.`,
      en: `At most ${SHOPS_MAX} shops. For more, ask the operator.`,
    },
    last_host: {
      de: 'Nicht entfernt: Inzwischen ist es die letzte aktive Adresse des Shops.',
      en: 'Not removed: it is now the last active address of the shop.',
    },
    changed: {
      de: 'Inzwischen hat jemand anderes gespeichert. Prüfen Sie Ihre Angaben und speichern Sie noch einmal.',
      en: 'Somebody else saved in the meantime. Check what you typed and save once more.',
    },
    insufficient_stock: {
      de: 'So viele sind nicht da: Der Bestand kann nicht unter 0 fallen.',
      en: 'There are not that many: stock cannot go below 0.',
    },
    weighing_needed: {
      de: 'Dieser Artikel wird gewogen. Tragen Sie an der Position die Einwaage ein; fehlt mehr als 0,1 g, kommt der Rest später.',
      en: 'This item is weighed. Enter the weight at its line; if more than 0.1 g is missing, the rest comes later.',
    },
    unit_fixed: {
      de: 'Die Einheit wechselt nur mit neuer Zählung, und solange keine Bestellung oder Vormerkung etwas davon hält. Offene zuerst abschließen oder stornieren, dann auf der Seite des Produkts „Einheit wechseln“.',
      en: 'The unit changes only with a new count, and while no order or reservation holds any of it. Close or cancel those first; then use “Change the unit” on the product’s page.',
    },
    slug_taken: {
      de: 'Ein anderes Produkt Ihrer Apotheke hat diesen Kurznamen.',
      en: 'Another product of your organization has this short name.',
    },
    pzn_taken: {
      de: 'Ein anderes eigenes Produkt Ihrer Apotheke hat diese PZN.',
      en: 'Another own product of your organization has this PZN.',
    },
    changed_meanwhile: {
      de: 'Inzwischen hat jemand anderes diese Angabe geändert.',
      en: 'Somebody else has changed this in the meantime.',
    },
    overrides_too_large: {
      de: 'Die Angaben dieses Shops sind zusammen zu lang. Kürzen Sie die Beschreibung.',
      en: 'The values of this shop are too long together. Shorten the description.',
    },
    other: { de: 'Diese Angabe geht so nicht.', en: 'This entry does not work.' },
  },
};
