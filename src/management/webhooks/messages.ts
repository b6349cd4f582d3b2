import { DISABLED_AFTER_DAYS, EVENTS_KEPT_DAYS, PROBE_MINUTES, PROBE_SELDOM_AFTER_HOURS } from '../../webhooks/limits';
import { texts } from '../http/language';
import { deliveries } from './delivery-messages';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  subscriptions: {
    title: { de: 'Webhook-Abonnements', en: 'Webhook subscriptions' },
    lead: {
      de: 'Wir melden Ihren Systemen, was geschieht: ein signierter POST für jedes Ereignis.',
      en: 'We tell your systems what happens: one signed POST for each event.',
    },
    empty: {
      de: 'Noch kein Webhook-Abonnement. Geben Sie eine Adresse an, die Ereignisse annimmt.',
      en: 'No webhook subscription yet. Enter an address that accepts events.',
    },
    used: {
      de: (count: number, max: number) => `${count} von ${max} Abonnements`,
      en: (count: number, max: number) => `${count} of ${max} subscriptions`,
    },
    url: { de: 'Adresse (URL)', en: 'Address (URL)' },
    urlHint: { de: 'Öffentlich erreichbar, beginnt mit https://', en: 'On the public internet, starts with https://' },
    eventTypes: { de: 'Ereignisse', en: 'Events' },
    allEvents: { de: (count: number) => `Alle ${count}`, en: (count: number) => `All ${count}` },
    onlyShops: { de: 'Nur diese Shops (keiner gewählt: alle)', en: 'Only these shops (none chosen: all)' },
    onlySources: { de: 'Nur diese Plattformen', en: 'Only these platforms' },
    filterHint: {
      de: 'Durch Komma getrennt, wie sie sich nennen (source). Leer: alle. Ereignisse zu Produkten und Bestand gehören zu keinem Shop und keiner Plattform und kommen immer.',
      en: 'Separated by commas, as they name themselves (source). Empty: all. Events of products and stock belong to no shop and no platform, and always come.',
    },
    filtered: { de: 'Ausgefiltert', en: 'Filtered out' },
    filteredOf: {
      de: (count: string, most: string) =>
        `${count === '1' ? '1 Ereignis' : `${count} Ereignisse`} in 24 Stunden, unter den neuesten ${most}`,
      en: (count: string, most: string) =>
        `${count === '1' ? '1 event' : `${count} events`} in 24 hours, among the newest ${most}`,
    },
    shopCount: {
      de: (count: number) => (count === 1 ? 'nur 1 Shop' : `nur ${count} Shops`),
      en: (count: number) => (count === 1 ? 'only 1 shop' : `only ${count} shops`),
    },
    sourcesOnly: { de: (sources: string) => `nur ${sources}`, en: (sources: string) => `only ${sources}` },
    eventCount: {
      de: (count: number) => (count === 1 ? '1 Ereignisart' : `${count} Ereignisarten`),
      en: (count: number) => (count === 1 ? '1 event type' : `${count} event types`),
    },
    create: { de: 'Abonnement erstellen', en: 'Create subscription' },
    full: {
      de: (max: number) => `Alle ${max} Plätze sind belegt. Löschen Sie zuerst ein Abonnement.`,
      en: (max: number) => `There are already ${max} subscriptions, the maximum. Delete one first.`,
    },
    secretTitle: {
      de: (host: string) => `Signaturschlüssel für ${host}`,
      en: (host: string) => `Signing secret for ${host}`,
    },
    secretHint: {
      de: 'Prüfen Sie damit jeden Empfang: X-Service-Signature ist mit den UTF-8-Bytes der ganzen Zeichenkette samt whsec_ berechnet, webhook-signature (Standard Webhooks) mit den Bytes, die der Teil hinter whsec_ in Base64 bedeutet.',
      en: 'Check each delivery with it: X-Service-Signature is keyed with the UTF-8 bytes of the whole text, whsec_ included; webhook-signature (Standard Webhooks) with the base64-decoded part after whsec_.',
    },
    verifyTitle: { de: 'So prüft Ihr Server die Signatur', en: 'How your server verifies the signature' },
    verifyLead: {
      de: 'Geprüfte Beispiele zum Kopieren. Nehmen Sie den Inhalt, wie er ankommt, bevor Sie ihn einlesen.',
      en: 'Tested examples to copy. Use the body exactly as received, before parsing.',
    },
    verifyScheme: { de: (header: string) => `Prüft ${header}.`, en: (header: string) => `Verifies ${header}.` },
    install: { de: 'Installieren:', en: 'Install:' },
    edit: { de: 'Ändern', en: 'Edit' },
    editTitle: {
      de: (host: string) => `Abonnement für ${host} ändern`,
      en: (host: string) => `Edit the subscription for ${host}`,
    },
    editLead: {
      de: 'Was noch nicht zugestellt ist, geht an die neue Adresse. Neue Ereignisarten gelten für alles, was ab jetzt geschieht. Signaturschlüssel und Protokoll bleiben.',
      en: 'Events that are not delivered yet go to the new address. New event types apply to everything that happens from now on. Signing secret and log stay.',
    },
    save: { de: 'Änderungen speichern', en: 'Save changes' },
    rotate: { de: 'Signaturschlüssel erneuern', en: 'Rotate signing secret' },
    rotateTitle: {
      de: (host: string) => `Signaturschlüssel für ${host} erneuern`,
      en: (host: string) => `Rotate the signing secret for ${host}`,
    },
    rotateLead: {
      de: 'Solange beide gelten, trägt webhook-signature beide Signaturen. X-Service-Signature hat Platz für eine, bis zum Ende der Frist die des bisherigen Schlüssels. Prüft Ihr Server diese, tragen Sie den neuen Schlüssel ein und beenden dann die Frist; was dazwischen scheitert, kommt beim nächsten Versuch an.',
      en: 'While both are valid, webhook-signature carries both signatures. X-Service-Signature has room for one, until the end of the overlap that of the old secret. If your server verifies that one, enter the new secret and then end the overlap; deliveries that fail in between arrive with the next attempt.',
    },
    rotateSubmit: { de: 'Neuen Signaturschlüssel erstellen', en: 'Create the new signing secret' },
    overlap: { de: 'Der bisherige Signaturschlüssel gilt', en: 'The old signing secret is valid' },
    bothUntil: {
      de: (time: string) => `Bis ${time} gelten der neue und der bisherige Signaturschlüssel.`,
      en: (time: string) => `Until ${time} the new and the old signing secret are valid.`,
    },
    onlyNew: {
      de: 'Ab sofort gilt nur der neue Signaturschlüssel.',
      en: 'From now on only the new signing secret is valid.',
    },
    endOverlap: { de: 'Frist jetzt beenden', en: 'End the overlap now' },
    endTitle: {
      de: (host: string) => `Bisherigen Signaturschlüssel für ${host} beenden?`,
      en: (host: string) => `End the old signing secret for ${host}?`,
    },
    endLead: {
      de: 'Ab sofort signieren wir nur noch mit dem neuen. Ein Server, der noch mit dem bisherigen prüft, lehnt dann jede Zustellung ab.',
      en: 'From now on we sign only with the new secret. A server that still verifies with the old one will refuse every delivery.',
    },
    backToSubscription: { de: 'Zum Abonnement', en: 'To the subscription' },
    pause: { de: 'Anhalten', en: 'Pause' },
    resume: { de: 'Fortsetzen', en: 'Resume' },
    delete: { de: 'Löschen', en: 'Delete' },
    deleteTitle: {
      de: (host: string) => `Abonnement für ${host} löschen?`,
      en: (host: string) => `Delete the subscription for ${host}?`,
    },
    deleteLead: {
      de: 'Was noch nicht zugestellt ist, wird nicht mehr zugestellt. Das lässt sich nicht rückgängig machen.',
      en: 'Events that are not delivered yet will not be delivered. This cannot be undone.',
    },
    statuses: {
      active: { de: 'Aktiv', en: 'Active' },
      holding: { de: 'Wartet', en: 'Waiting' },
      paused: { de: 'Angehalten', en: 'Paused' },
      disabled: { de: 'Abgeschaltet', en: 'Disabled' },
    },
    /** Why a subscription does not run, for the list. */
    reasons: {
      secret_unreadable: { de: 'Signaturschlüssel nicht lesbar', en: 'Signing secret cannot be read' },
      address_refused: { de: 'Adresse nicht erlaubt', en: 'Address not allowed' },
      receiver_failing: { de: 'Server nimmt nichts an', en: 'Server accepts nothing' },
      receiver_gone: { de: 'Server möchte keine mehr (410)', en: 'Server wants no more (410)' },
    },
    since: { de: (time: string) => `seit ${time}`, en: (time: string) => `since ${time}` },
    pausedLead: {
      de: `Neue Ereignisse warten, bis Sie fortsetzen, höchstens ${EVENTS_KEPT_DAYS} Tage.`,
      en: `New events wait until you resume, for at most ${EVENTS_KEPT_DAYS} days.`,
    },
    goneLead: {
      de: `Ihr Server hat mit 410 geantwortet: Er möchte nichts mehr. Deshalb ist das Abonnement angehalten; neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage. War das ein Irrtum, setzen Sie fort; sonst löschen Sie das Abonnement.`,
      en: `Your server answered 410: it wants no more events. Therefore the subscription is paused; new events wait for at most ${EVENTS_KEPT_DAYS} days. If that was a mistake, resume; otherwise delete the subscription.`,
    },
    disabledLead: {
      de: `Ihr Server hat ${DISABLED_AFTER_DAYS} Tage lang nichts angenommen. Deshalb ist das Abonnement abgeschaltet: Was bis dahin wartete, ist aufbewahrt; seither wird nichts vorgemerkt. Beheben Sie den Fehler, am besten mit einem Testereignis, und setzen Sie fort. Was seither geschah, können Sie danach nachholen.`,
      en: `Your server accepted nothing for ${DISABLED_AFTER_DAYS} days. Therefore the subscription is disabled: what was waiting is kept; nothing is queued since. Fix the fault, best checked with a test event, and resume. What happened since can be recovered after that.`,
    },
    waitsUntil: {
      de: (time: string) =>
        `Ihr Server hat darum gebeten, bis ${time} zu warten (Retry-After). Was bis dahin geschieht, kommt danach an.`,
      en: (time: string) =>
        `Your server asked us to wait until ${time} (Retry-After). What happens meanwhile arrives afterwards.`,
    },
    nextProbe: { de: (time: string) => `Nächster Versuch: ${time}.`, en: (time: string) => `Next attempt: ${time}.` },
    waitingNow: {
      de: (count: string) => (count === '1' ? '1 Zustellung wartet.' : `${count} Zustellungen warten.`),
      en: (count: string) => (count === '1' ? '1 delivery is waiting.' : `${count} deliveries are waiting.`),
    },
    recoverHint: {
      de: 'Während der Abschaltung wurde nichts vorgemerkt. Holen Sie es jetzt nach, soweit es Ihnen fehlt.',
      en: 'Nothing was queued while the subscription was disabled. Recover it now if you miss it.',
    },
    health: { de: 'Zustand', en: 'Health' },
    healthLead: {
      de: (deliveries: string) =>
        `In den letzten 24 Stunden, ohne Testereignisse; höchstens die neuesten ${deliveries} Zustellungen.`,
      en: (deliveries: string) =>
        `In the last 24 hours, without test events; at most the newest ${deliveries} deliveries.`,
    },
    noAttempts: { de: 'Kein Versuch in 24 Stunden', en: 'No attempt in 24 hours' },
    accepted: { de: 'Angenommen', en: 'Accepted' },
    duration: { de: 'Antwortzeit', en: 'Response time' },
    within: { de: (most: string) => `95 % unter ${most}`, en: (most: string) => `95% within ${most}` },
    ofAttempts: {
      de: (attempts: string) => `von ${attempts} ${attempts === '1' ? 'Versuch' : 'Versuchen'} in 24 Std.`,
      en: (attempts: string) => `of ${attempts} ${attempts === '1' ? 'attempt' : 'attempts'} in 24 h`,
    },
    oldestSince: { de: (age: string) => `älteste ${age}`, en: (age: string) => `the oldest ${age}` },
    byHour: { de: 'Versuche je Stunde', en: 'Attempts by the hour' },
    succeeded: { de: 'angenommen', en: 'accepted' },
    failed: { de: 'gescheitert', en: 'failed' },
    hoursInWords: {
      de: (succeeded: number, failed: number) => `${succeeded} angenommen, ${failed} gescheitert`,
      en: (succeeded: number, failed: number) => `${succeeded} accepted, ${failed} failed`,
    },
    lastSuccess: { de: 'Zuletzt angenommen', en: 'Last accepted' },
    never: { de: 'nichts in letzter Zeit', en: 'nothing lately' },
    inRow: { de: 'In Folge gescheitert', en: 'Failed in a row' },
    inRowOf: {
      de: (count: number, max: number) =>
        `${count === 1 ? '1 Zustellung' : `${count} Zustellungen`}; ab ${max} warten neue`,
      en: (count: number, max: number) =>
        `${count === 1 ? '1 delivery' : `${count} deliveries`}; from ${max} on new ones wait`,
    },
    nothingWaits: { de: 'nichts', en: 'nothing' },
    givenUp: {
      de: (count: string) =>
        count === '1'
          ? '1 Ereignis haben wir aufgegeben: Es ist in drei Versuchen nicht angekommen.'
          : `${count} Ereignisse haben wir aufgegeben: Sie sind in je drei Versuchen nicht angekommen.`,
      en: (count: string) =>
        count === '1'
          ? 'We gave up on 1 event: it did not arrive in three attempts.'
          : `We gave up on ${count} events: they did not arrive in three attempts each.`,
    },
    failures: { de: 'Woran es lag', en: 'What went wrong' },
    times: { de: (count: number) => `${count} ×`, en: (count: number) => `${count} ×` },
    historyWho: { de: 'Wer es war, steht im Protokoll.', en: 'The audit log says who did it.' },
    changes: {
      'subscription.created': { de: 'Erstellt', en: 'Created' },
      'subscription.paused': { de: 'Angehalten', en: 'Paused' },
      'subscription.resumed': { de: 'Fortgesetzt', en: 'Resumed' },
      'subscription.held': { de: 'Auf Warten gestellt', en: 'Put on hold' },
      'subscription.released': { de: 'Zustellung geht weiter', en: 'Delivery goes on' },
      'subscription.disabled': { de: 'Abgeschaltet', en: 'Disabled' },
      'subscription.updated': { de: 'Adresse geändert', en: 'Address changed' },
    },
    holdReasons: {
      secret_unreadable: {
        de: `Wir können den Signaturschlüssel zurzeit nicht lesen. Das liegt an uns. Neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage; sobald er lesbar ist, stellen wir von selbst zu. Eilt es, erneuern Sie ihn.`,
        en: `We cannot read the signing secret at present. The fault is ours. New events wait for at most ${EVENTS_KEPT_DAYS} days; as soon as it can be read, we deliver them. If it is urgent, rotate it.`,
      },
      address_refused: {
        de: `An diese Adresse senden wir nicht: Sie ist nicht öffentlich oder gehört inzwischen zu Offizin. Neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage. Ändern Sie die Adresse; danach stellen wir von selbst zu.`,
        en: `We do not send to this address: it is not public, or now belongs to Offizin. New events wait for at most ${EVENTS_KEPT_DAYS} days. Change the address; we then deliver them.`,
      },
      receiver_failing: {
        de: `Ihr Server nimmt nichts mehr an. Wir versuchen es alle ${PROBE_MINUTES} Minuten, nach ${PROBE_SELDOM_AFTER_HOURS} Stunden jede Stunde; nach ${DISABLED_AFTER_DAYS} Tagen ohne Erfolg schalten wir ab. Ist der Fehler behoben, setzen Sie fort.`,
        en: `Your server accepts nothing any more. We try again every ${PROBE_MINUTES} minutes, after ${PROBE_SELDOM_AFTER_HOURS} hours every hour; after ${DISABLED_AFTER_DAYS} days without success we disable the subscription. Once the fault is fixed, resume.`,
      },
    },
  },
  callbacks: {
    title: { de: 'Statusmeldungen an Plattformen', en: 'Callbacks of integrations' },
    lead: {
      de: 'Die Plattform erfährt, was aus den Bestellanfragen wird, die sie mit diesem Schlüssel oder seinen Nachfolgern einreicht: angenommen, abgelehnt, gelöscht, Rückfrage, Stand und Sendung der Bestellung. Mit dem letzten Schlüssel endet die Statusmeldung.',
      en: 'The platform learns what becomes of the order requests that it submits with this key or its successors: approved, rejected, deleted, a question, status and tracking of the order. The callback ends with the last key.',
    },
    integration: { de: 'Integration', en: 'Integration' },
    of: { de: (name: string) => `Statusmeldung an ${name}`, en: (name: string) => `Callback to ${name}` },
  },
  deliveries,
  eventGroups: {
    Orders: { de: 'Bestellungen', en: 'Orders' },
    'Order requests': { de: 'Bestellanfragen', en: 'Order requests' },
    Prescriptions: { de: 'Rezepte', en: 'Prescriptions' },
    'Products and stock': { de: 'Produkte und Bestand', en: 'Products and stock' },
    Payments: { de: 'Zahlungen', en: 'Payments' },
  },
  eventTypes: {
    order_created: { de: 'Bestellung angelegt', en: 'Order created' },
    order_updated: { de: 'Bestellung geändert', en: 'Order updated' },
    order_status_updated: { de: 'Bestellstatus geändert', en: 'Order status updated' },
    order_marked_paid: { de: 'Als bezahlt markiert', en: 'Order marked as paid' },
    order_deleted: { de: 'Bestellung gelöscht', en: 'Order deleted' },
    order_request_submitted: { de: 'Bestellanfrage eingereicht', en: 'Order request submitted' },
    order_request_approved: { de: 'Bestellanfrage angenommen', en: 'Order request accepted' },
    order_request_rejected: { de: 'Bestellanfrage abgelehnt', en: 'Order request rejected' },
    order_request_deleted: { de: 'Bestellanfrage gelöscht', en: 'Order request deleted' },
    order_request_needs_info: { de: 'Rückfrage zur Bestellanfrage', en: 'Question about an order request' },
    prescription_approved: { de: 'Rezept geprüft', en: 'Prescription checked' },
    paperless_signature_completed: { de: 'Signatur abgeschlossen', en: 'Signature completed' },
    product_created: { de: 'Produkt aufgenommen', en: 'Product created' },
    product_updated: { de: 'Produkt geändert', en: 'Product updated' },
    products_updated: { de: 'Viele Produkte zusammen geändert', en: 'Many products updated together' },
    product_deleted: { de: 'Produkt entfernt', en: 'Product deleted' },
    low_stock: { de: 'Meldebestand unterschritten', en: 'Low stock' },
    out_of_stock: { de: 'Ausverkauft', en: 'Out of stock' },
    payment_link_created: { de: 'Zahlungslink erstellt', en: 'Payment link created' },
  },
});

export type Messages = ReturnType<typeof messages>;
