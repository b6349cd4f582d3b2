import * as accounts from '../../auth/limits';
import { NOTE_MAX, QUANTITY_MAX, TEXT_MAX } from '../../orders/limits';
import { URL_LENGTH_MAX } from '../../platform/limits';
import { HOSTS_MAX, NAME_LENGTH_MAX, PENDING_HOSTS_MAX, SHOPS_MAX } from '../../tenants/limits';
import { SUBSCRIPTIONS_MAX, TESTS_A_MINUTE } from '../../webhooks/limits';

/** Texts of errors: of error pages, and of fields by error code. */
export const errorMessages = {
  errors: {
    requestId: 'Nr. dieser Anfrage',
    not_found: ['Diese Seite gibt es nicht', 'Vielleicht wurde sie verschoben oder der Link ist unvollständig.'],
    forbidden: ['Dafür fehlt Ihnen die Berechtigung', 'Fragen Sie eine Inhaberin oder einen Inhaber.'],
    stale_form: [
      'Diese Seite war veraltet',
      'Es wurde nichts geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    ],
    rate_limited: ['Zu viele Versuche', 'Warten Sie bitte eine Minute.'],
    conflict: [
      'Das geht gerade nicht',
      'Das passt nicht zum jetzigen Status; es wurde nichts geändert. Gehen Sie zurück und laden Sie die Seite neu.',
    ],
    invalid: ['Das konnten wir nicht lesen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
    unavailable: ['Der Speicher antwortet nicht', 'Es ging nichts verloren. Versuchen Sie es gleich noch einmal.'],
    moving: [
      'Die Daten Ihrer Apotheke ziehen um',
      'Es ging nichts verloren. Versuchen Sie es in einigen Minuten noch einmal.',
    ],
    internal: ['Da ist etwas schiefgegangen', 'Es liegt an uns. Nennen Sie uns bitte diese Nr.'],
  },
  conflicts: {
    second_factor_on:
      'Der zweite Faktor ist schon eingeschaltet. Für ein anderes Gerät schalten Sie ihn unter „Mein Konto“ zuerst aus.',
    own_reset:
      'Ihr eigenes Passwort ändern Sie unter „Mein Konto“. Fehlt es Ihnen, hilft eine andere Inhaberin oder ein anderer Inhaber.',
    not_redeliverable: 'Erneut zugestellt wird nur, was beendet ist und ein aktives Abonnement hat.',
    secret_overlap_running:
      'Der vorige Signaturschlüssel gilt noch. Beenden Sie ihn zuerst oder lassen Sie alle früheren sofort enden.',
    product_not_in_inventory: 'Dieses Produkt ist nicht mehr in Ihrem Sortiment.',
  },
  fieldErrors: {
    email: 'Bitte eine E-Mail-Adresse angeben, zum Beispiel name@apotheke.de.',
    role: 'Bitte eine Rolle wählen.',
    name: `Bitte einen Namen mit höchstens ${NAME_LENGTH_MAX} Zeichen angeben.`,
    name_too_long: `Höchstens ${accounts.NAME_LENGTH_MAX} Zeichen.`,
    password_too_short: `Mindestens ${accounts.PASSWORD_LENGTH_MIN} Zeichen.`,
    password_too_long: `Höchstens ${accounts.PASSWORD_LENGTH_MAX} Zeichen.`,
    password_common:
      'Das Passwort besteht fast nur aus Wörtern, die als Erstes ausprobiert werden. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
    password_pattern:
      'Das Passwort wiederholt sich oder folgt der Tastatur, zum Beispiel 1234 oder qwertz. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
    password_personal:
      'Bitte nicht Ihr Name, Ihre E-Mail-Adresse oder der Name der Apotheke. Nehmen Sie mehrere Wörter, die nichts mit Ihnen zu tun haben.',
    wrong_password: 'Das ist nicht Ihr Passwort.',
    wrong_code: 'Der Code stimmt nicht oder ist zu alt.',
    lost: 'Bitte wählen, was verloren ist.',
    member_exists: 'Diese Person gehört schon zum Team.',
    member_limit_reached: `Das Team ist voll: höchstens ${accounts.MEMBERS_MAX} Personen.`,
    last_owner: 'Eine Inhaberin oder ein Inhaber muss bleiben. Machen Sie zuerst eine andere Person dazu.',
    text_too_long: `Höchstens ${TEXT_MAX} Zeichen.`,
    reason_required: 'Bitte einen Grund wählen.',
    invalid_transition: 'Dieser Schritt geht nicht mehr: Die Bestellung hat inzwischen den Status, der hier steht.',
    prescription_not_approved:
      'Erst muss das Rezept freigegeben sein, von einem Apotheker oder Inhaber: Die Bestellung hat rezeptpflichtige Artikel.',
    prescription_not_covering:
      'Das Rezept ist nicht für diese Artikel und Mengen freigegeben. Ein Apotheker oder Inhaber muss es erneut freigeben.',
    prescription_not_stored: 'Das Rezept liegt nicht mehr vor.',
    not_fetchable: 'Das Rezept wird schon geholt oder liegt vor.',
    order_locked: 'Die Angaben zur Person sind gelöscht; hier wird nichts mehr eingetragen.',
    order_not_payable:
      'Diese Bestellung kann nicht bezahlt werden: Sie ist bezahlt, beendet, erstattet oder kostet nichts.',
    on_hold: 'Die Bestellung ist angehalten: Setzen Sie sie fort, bevor Sie sie übergeben oder versenden.',
    not_paid: 'Erstatten lässt sich nur, was bezahlt ist.',
    refund_exceeds_paid: 'Das ist mehr, als von der Zahlung noch übrig ist.',
    order_not_deletable: 'Nur eine stornierte Bestellung kann gelöscht werden. Stornieren Sie sie zuerst.',
    iban_missing: 'Für Ihre Apotheke ist keine IBAN hinterlegt. Inhaber tragen sie unter Einstellungen › Apotheke ein.',
    shop_host_missing:
      'Der Shop hat noch keine aktive Adresse für die Zahlungsseite. Inhaber fügen sie unter Einstellungen › Shops hinzu.',
    quantity: `Eine ganze Zahl von 1 bis ${QUANTITY_MAX}.`,
    quantity_missing: 'Bitte eine Menge angeben; mit 0 entfällt der Artikel.',
    price: 'Ein Preis in Euro, zum Beispiel 4,95.',
    product: 'Bitte eine Produktkennung angeben.',
    note_too_long: `Höchstens ${NOTE_MAX} Zeichen.`,
    reason_code: 'Bitte einen Grund wählen.',
    kind: 'Bitte eine Art wählen.',
    scopes: 'Bitte mindestens ein Recht wählen.',
    event_types: 'Bitte mindestens ein Ereignis wählen.',
    api_key_limit_reached: `Höchstens ${accounts.API_KEYS_MAX} aktive Schlüssel. Widerrufen Sie zuerst einen.`,
    date_past: 'Bitte einen Tag wählen, der noch nicht vorbei ist.',
    date: 'Bitte ein Datum angeben, zum Beispiel 31.12.2027.',
    since: 'Bitte einen vergangenen Zeitpunkt angeben.',
    overlap: 'Bitte wählen, wie lange der bisherige noch gilt.',
    event_type: 'Bitte ein Ereignis wählen.',
    too_many_tests: `Höchstens ${TESTS_A_MINUTE} Testereignisse in einer Minute. Warten Sie einen Moment.`,
    secret_overlap_running:
      'Der Schlüssel vor dem letzten Erneuern gilt noch. Beenden Sie erst seine Frist, oder lassen Sie alle bisherigen ab sofort enden.',
    subscription_changed: 'Jemand hat das Abonnement inzwischen geändert. Laden Sie die Seite neu.',
    key_overlap_running:
      'Ein früherer Schlüssel dieser Integration gilt noch. Widerrufen Sie ihn zuerst, oder lassen Sie diesen ab sofort enden.',
    subscription_limit_reached: `Höchstens ${SUBSCRIPTIONS_MAX} Abonnements. Löschen Sie zuerst eines.`,
    not_a_url: 'Bitte eine vollständige Adresse angeben, zum Beispiel https://beispiel.de/webhook.',
    not_https: 'Die Adresse muss mit https:// beginnen.',
    credentials: 'Bitte ohne Benutzername und Kennwort in der Adresse.',
    port: 'Bitte ohne Portnummer.',
    ip_address: 'Bitte einen Namen statt einer IP-Adresse angeben.',
    not_public: 'Diese Adresse ist aus dem Internet nicht erreichbar.',
    own_host: 'Bitte eine Adresse außerhalb von Offizin angeben.',
    too_long: `Höchstens ${URL_LENGTH_MAX} Zeichen.`,
    not_a_host: 'Bitte nur einen Namen wie rx.ihre-apotheke.de angeben, ohne https://, Port und Pfad.',
    single_label: 'Bitte einen Namen angeben, den es im Internet gibt.',
    base_host: 'Diese Adresse gehört zu Offizin selbst. Bitte eine Ihrer Domains angeben.',
    host_taken:
      'Diese Adresse ist schon vergeben oder von Ihnen angefragt. Gehört sie Ihnen, wenden Sie sich an den Betreiber.',
    host_limit_reached: `Höchstens ${HOSTS_MAX} Adressen je Shop. Entfernen Sie zuerst eine.`,
    pending_host_limit_reached: `Höchstens ${PENDING_HOSTS_MAX} Adressen warten gleichzeitig auf die Freischaltung. Entfernen Sie zuerst eine.`,
    shop_limit_reached: `Höchstens ${SHOPS_MAX} Shops. Für weitere wenden Sie sich an den Betreiber.`,
    last_host: 'Nicht entfernt: Inzwischen ist es die letzte aktive Adresse des Shops.',
    changed: 'Inzwischen hat jemand anderes gespeichert. Prüfen Sie Ihre Angaben und speichern Sie noch einmal.',
    insufficient_stock: 'So viele sind nicht da: Der Bestand kann nicht unter 0 fallen.',
    slug_taken: 'Ein anderes Produkt Ihrer Apotheke hat diesen Kurznamen.',
    changed_meanwhile: 'Inzwischen hat jemand anderes diese Angabe geändert.',
    overrides_too_large: 'Die Angaben dieses Shops sind zusammen zu lang. Kürzen Sie die Beschreibung.',
    other: 'Diese Angabe geht so nicht.',
  },
};
