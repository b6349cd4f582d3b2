import {
  DISABLED_AFTER_DAYS,
  EVENTS_KEPT_DAYS,
  EXCERPT_BYTES,
  POST_TIMEOUT_SECONDS,
  PROBE_MINUTES,
  PROBE_SELDOM_AFTER_HOURS,
} from '../../webhooks/limits';
import { type Texts, texts } from '../http/language';

/** The result of an attempt. */
interface Outcome {
  /** Duration with its unit. */
  ms: string;
  /** HTTP status of the response; 0 without one. */
  status: number;
  host: string;
}

/** Texts of a subscription's deliveries. */
const deliveries = {
  duration: ['Dauer', 'Duration'],
  title: ['Zustellprotokoll', 'Delivery log'],
  reset: ['Filter zurücksetzen', 'Clear the filter'],
  allStatuses: ['Alle Status', 'All statuses'],
  allEvents: ['Alle Ereignisse', 'All events'],
  failure: ['Fehler', 'Failure'],
  allFailures: ['Alle Fehler', 'All failures'],
  periods: {
    all: ['Jederzeit', 'Any time'],
    hour: ['Letzte Stunde', 'Last hour'],
    day: ['Letzte 24 Stunden', 'Last 24 hours'],
    week: ['Letzte 7 Tage', 'Last 7 days'],
    month: ['Letzte 30 Tage', 'Last 30 days'],
  },
  empty: [
    'Hier steht bald jede Zustellung, die neueste oben. Senden Sie ein Testereignis, um Ihren Server auszuprobieren.',
    'Every delivery will be listed here, the newest first. Send a test event to try your server.',
  ],
  emptyFilter: ['Keine Zustellung passt zu dieser Auswahl.', 'No delivery matches this choice.'],
  emptyWindow: [
    'In diesem Abschnitt passt keine Zustellung zur Auswahl. Weiter zurück kann es welche geben.',
    'No delivery in this part of the log matches. There may be older ones that do.',
  ],
  id: ['Zustellung', 'Delivery'],
  attempts: ['Versuche', 'Attempts'],
  attemptOf: (number: number, max: number) => [`Versuch ${number} von ${max}`, `Attempt ${number} of ${max}`],
  lastAnswer: ['Zuletzt,', 'Last,'],
  keptUntil: ['Wird aufbewahrt bis', 'Kept until'],
  noAttempt: ['Diese Zustellung wurde noch nicht versucht.', 'This delivery has not been attempted yet.'],
  result: ['Ergebnis', 'Result'],
  next: ['Nächster Versuch', 'Next attempt'],
  soon: ['sofort', 'at once'],
  newest: ['Neueste', 'Newest'],
  triggers: {
    event: ['Ereignis', 'Event'],
    retry: ['Wiederholung', 'Retry'],
    redelivery: ['Erneut zugestellt', 'Redelivered'],
    recovery: ['Nach Ausfall', 'After an outage'],
    test: ['Test', 'Test'],
    probe: ['Probe', 'Probe'],
  },
  statuses: {
    pending: ['Ausstehend', 'Pending'],
    delivering: ['Unterwegs', 'On its way'],
    succeeded: ['Zugestellt', 'Delivered'],
    exhausted: ['Fehlgeschlagen', 'Failed'],
    held: ['Zurückgehalten', 'Held'],
    cancelled: ['Abgebrochen', 'Canceled'],
  },
  failures: {
    dns: ['Name nicht gefunden', 'Name not found'],
    tls: ['Kein gültiges Zertifikat', 'No valid certificate'],
    connect: ['Keine Verbindung', 'No connection'],
    timeout: [`Keine Antwort in ${POST_TIMEOUT_SECONDS} s`, `No response within ${POST_TIMEOUT_SECONDS} s`],
    redirect: ['Weiterleitung statt Annahme', 'Redirected instead of accepted'],
    blocked: ['Adresse nicht erlaubt', 'Address not allowed'],
    interrupted: ['Unterbrochen', 'Interrupted'],
    http: ['Nicht angenommen', 'Not accepted'],
  },
  request: ['Gesendet', 'Sent'],
  asCurl: ['Als curl', 'As curl'],
  answer: ['Antwort', 'Response'],
  body: ['Inhalt, der gesendet wird', 'Body that is sent'],
  bodyHint: ['umgebrochen; gesendet in einer Zeile', 'wrapped here; sent on one line'],
  noAnswer: ['Es kam keine Antwort.', 'There was no response.'],
  emptyAnswer: ['Die Antwort hatte keinen Inhalt.', 'The response had no body.'],
  answerHint: [`Höchstens die ersten ${EXCERPT_BYTES / 1024} KB.`, `The first ${EXCERPT_BYTES / 1024} KB at most.`],
  notSent: ['Es wurde nichts gesendet.', 'Nothing was sent.'],
  maybeSent: ['Ob die Anfrage noch hinausging, ist nicht bekannt.', 'It is not known whether the request was sent.'],
  unsigned: [
    'Die Signaturen fehlen hier: Der Signaturschlüssel wurde seitdem erneuert.',
    'The signatures are not shown: the signing secret has been rotated since.',
  ],
  urlChanged: [
    'Die Adresse wurde seitdem geändert und steht deshalb nicht dabei.',
    'The address is not shown: it has been changed since.',
  ],
  redeliver: ['Erneut zustellen', 'Redeliver'],
  notActive: [
    'Erneut zustellen geht, sobald das Abonnement aktiv ist.',
    'You can redeliver as soon as the subscription is active.',
  ],
  test: {
    lead: [
      'Schickt ein Ereignis mit Beispieldaten nur an dieses Abonnement und zeigt, was Ihr Server antwortet. Auch, während es angehalten ist.',
      'Sends an event with example data to this subscription only and shows the response of your server. Also works while it is paused.',
    ],
    subscribed: ['Abonniert', 'Subscribed'],
    others: ['Nicht abonniert', 'Not subscribed'],
    send: ['Testereignis senden', 'Send test event'],
    isExample: ['Das sind Beispieldaten: Die IDs darin gibt es nicht.', 'This is example data: its IDs do not exist.'],
  },
  bulk: {
    link: ['Ausgefallene Zustellungen nachholen', 'Recover failed deliveries'],
    lead: (host: string) => [
      `Für ${host}: Was seit dem gewählten Zeitpunkt nicht angekommen ist, auch während einer Abschaltung, geht noch einmal auf den Weg, das Älteste zuerst. Den Fortschritt zeigt die Seite des Abonnements.`,
      `For ${host}: what has not arrived since the chosen time, also while the subscription was disabled, is sent again, the oldest first. The page of the subscription shows the progress.`,
    ],
    since: ['Seit', 'Since'],
    sinceHint: ['Datum und Uhrzeit in Deutschland', 'Date and time in Germany'],
    count: ['Zählen', 'Count'],
    none: ['Seitdem ist alles angekommen oder noch unterwegs.', 'All since then has arrived or is on its way.'],
    found: (count: number) =>
      count === 1
        ? ['1 Ereignis ist nicht angekommen.', '1 event has not arrived.']
        : [`${count} Ereignisse sind nicht angekommen.`, `${count} events have not arrived.`],
    submit: (count: number) =>
      count === 1
        ? ['1 Ereignis erneut zustellen', 'Redeliver 1 event']
        : [`${count} Ereignisse erneut zustellen`, `Redeliver ${count} events`],
    progressTitle: ['Nachholen', 'Recovery'],
    underWay: ['Weitere werden noch gesucht.', 'Still looking for more.'],
    progress: (delivered: number, total: number) => [
      `${delivered} von ${total} zugestellt`,
      `${delivered} of ${total} delivered`,
    ],
    waiting: (count: number) => [count === 1 ? '1 wartet' : `${count} warten`, `${count} waiting`],
    failed: (count: number) => [`${count} fehlgeschlagen`, `${count} failed`],
    reload: ['Aktualisieren', 'Refresh'],
  },
  verdicts: {
    accepted: ({ ms, status }: Outcome) => [
      `Ihr Server hat in ${ms} mit ${status} geantwortet: angenommen.`,
      `Your server answered ${status} in ${ms}: accepted.`,
    ],
    http: ({ ms, status }: Outcome) => [
      `Ihr Server hat in ${ms} mit ${status} geantwortet: nicht angenommen.`,
      `Your server answered ${status} in ${ms}: not accepted.`,
    ],
    redirect: ({ ms, status }: Outcome) => [
      `Ihr Server hat in ${ms} mit ${status} weitergeleitet. Webhooks folgen keiner Weiterleitung.`,
      `Your server redirected with ${status} in ${ms}. Webhooks follow no redirect.`,
    ],
    timeout: () => [
      `Zeitüberschreitung: Ihr Server hat in ${POST_TIMEOUT_SECONDS} Sekunden nicht geantwortet.`,
      `Timeout: your server did not answer within ${POST_TIMEOUT_SECONDS} seconds.`,
    ],
    dns: ({ host }: Outcome) => [`Der Name ${host} wurde nicht gefunden (DNS).`, `${host} was not found (DNS).`],
    tls: ({ host }: Outcome) => [
      `${host} hat kein gültiges Zertifikat (TLS).`,
      `${host} has no valid certificate (TLS).`,
    ],
    connect: ({ host }: Outcome) => [`Es kam keine Verbindung zu ${host} zustande.`, `Could not connect to ${host}.`],
    blocked: ({ host }: Outcome) => [`An ${host} senden wir nicht.`, `We do not send to ${host}.`],
    interrupted: () => [
      'Der Versuch wurde unterbrochen; eine Antwort ist nicht vermerkt.',
      'The attempt was interrupted; no response was recorded.',
    ],
  },
  advice: {
    slow: [
      `Das ist knapp: Nach ${POST_TIMEOUT_SECONDS} Sekunden gilt der Versuch als gescheitert. Antworten Sie zuerst und arbeiten Sie danach.`,
      `That is close: after ${POST_TIMEOUT_SECONDS} seconds an attempt fails. Respond first, then process the event.`,
    ],
    auth: [
      'Meist prüft der Server die Signatur mit einem anderen Schlüssel oder mit verändertem Inhalt, oder er verlangt eine Anmeldung. Ist dort der aktuelle Signaturschlüssel dieses Abonnements eingetragen? Prüfen Sie damit den unveränderten Inhalt.',
      'Most often the server checks the signature with another secret or with a changed body, or it asks for a login. Does it have the current signing secret of this subscription? Check the unchanged body with that.',
    ],
    path: [
      'Unter dieser Adresse nimmt Ihr Server keinen POST an. Prüfen Sie den Pfad der Adresse.',
      'Your server does not accept POST at this address. Check the path of the address.',
    ],
    gone: [
      'Mit 410 sagt ein Server, dass er nichts mehr möchte: Bei einem echten Ereignis halten wir das Abonnement damit an.',
      'With 410 a server says that it wants no more events: for a real event we would pause the subscription.',
    ],
    busy: [
      'Der Server ist überlastet oder begrenzt die Zahl der Anfragen. Mit Retry-After kann er sagen, wann der nächste Versuch kommen soll.',
      'The server is overloaded or limits the number of requests. With Retry-After it can say when the next attempt should come.',
    ],
    tooLarge: [
      'Der Server nimmt Inhalte dieser Größe nicht an. Erhöhen Sie seine Grenze, 64 KB reichen.',
      'The server does not accept bodies of this size. Raise its limit; 64 KB are enough.',
    ],
    refused: [
      'Als angenommen gilt jeder Status von 200 bis 299. Was der Server bemängelt, steht meist in seiner Antwort.',
      'Every status from 200 to 299 counts as accepted. The response usually says what the server objects to.',
    ],
    broken: [
      'Auf Ihrem Server ist ein Fehler aufgetreten. Sein Protokoll nennt die Ursache.',
      'An error occurred on your server. Its log names the cause.',
    ],
    redirect: [
      'Tragen Sie die Zieladresse selbst ein, oft fehlt nur ein „www“ oder der Schrägstrich am Ende.',
      'Enter the target address itself; often only a “www” or the slash at the end is missing.',
    ],
    timeout: [
      'Nehmen Sie das Ereignis nur entgegen, antworten Sie mit 200 und arbeiten Sie danach.',
      'Store the event, respond with 200, and process it afterwards.',
    ],
    dns: [
      'Prüfen Sie die Schreibweise der Adresse. Ein neuer Name braucht manchmal Stunden, bis er überall bekannt ist.',
      'Check the spelling of the address. A new name sometimes takes hours until it is known everywhere.',
    ],
    tls: [
      'Erneuern Sie das Zertifikat und liefern Sie die ganze Kette aus; ein selbst ausgestelltes gilt nicht.',
      'Renew the certificate and serve the whole chain; a self-signed one is not valid.',
    ],
    connect: [
      'Läuft der Server, und lässt seine Firewall Anfragen aus dem Internet zu?',
      'Is the server running, and does its firewall let requests from the internet in?',
    ],
    blocked: [
      'Die Adresse ist nicht öffentlich oder gehört inzwischen zu Offizin. Ändern Sie die Adresse des Abonnements.',
      'The address is not public or now belongs to Offizin. Change the address of the subscription.',
    ],
    interrupted: [
      'Das lag an uns. Senden Sie noch einmal, falls das Ereignis bei Ihnen nicht angekommen ist.',
      'That was our fault. Send again if the event has not reached you.',
    ],
  },
} satisfies Texts;

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  subscriptions: {
    title: ['Webhook-Abonnements', 'Webhook subscriptions'],
    lead: [
      'Wir melden Ihren Systemen, was geschieht: ein signierter POST für jedes Ereignis.',
      'We tell your systems what happens: one signed POST for each event.',
    ],
    empty: [
      'Noch kein Webhook-Abonnement. Geben Sie eine Adresse an, die Ereignisse annimmt.',
      'No webhook subscription yet. Enter an address that accepts events.',
    ],
    used: (count: number, max: number) => [`${count} von ${max} Abonnements`, `${count} of ${max} subscriptions`],
    url: ['Adresse (URL)', 'Address (URL)'],
    urlHint: ['Öffentlich erreichbar, beginnt mit https://', 'On the public internet, starts with https://'],
    eventTypes: ['Ereignisse', 'Events'],
    allEvents: (count: number) => [`Alle ${count}`, `All ${count}`],
    onlyShops: ['Nur diese Shops (keiner gewählt: alle)', 'Only these shops (none chosen: all)'],
    onlySources: ['Nur diese Plattformen', 'Only these platforms'],
    filterHint: [
      'Durch Komma getrennt, wie sie sich nennen (source). Leer: alle. Ereignisse zu Produkten und Bestand gehören zu keinem Shop und keiner Plattform und kommen immer.',
      'Separated by commas, as they name themselves (source). Empty: all. Events of products and stock belong to no shop and no platform, and always come.',
    ],
    filtered: ['Ausgefiltert', 'Filtered out'],
    filteredOf: (count: string, most: string) => [
      `${count === '1' ? '1 Ereignis' : `${count} Ereignisse`} in 24 Stunden, unter den neuesten ${most}`,
      `${count === '1' ? '1 event' : `${count} events`} in 24 hours, among the newest ${most}`,
    ],
    shopCount: (count: number) =>
      count === 1 ? ['nur 1 Shop', 'only 1 shop'] : [`nur ${count} Shops`, `only ${count} shops`],
    sourcesOnly: (sources: string) => [`nur ${sources}`, `only ${sources}`],
    eventCount: (count: number) =>
      count === 1 ? ['1 Ereignisart', '1 event type'] : [`${count} Ereignisarten`, `${count} event types`],
    create: ['Abonnement erstellen', 'Create subscription'],
    full: (max: number) => [
      `Alle ${max} Plätze sind belegt. Löschen Sie zuerst ein Abonnement.`,
      `There are already ${max} subscriptions, the maximum. Delete one first.`,
    ],
    secretTitle: (host: string) => [`Signaturschlüssel für ${host}`, `Signing secret for ${host}`],
    secretHint: [
      'Prüfen Sie damit jeden Empfang: X-Service-Signature ist mit den UTF-8-Bytes der ganzen Zeichenkette samt whsec_ berechnet, webhook-signature (Standard Webhooks) mit den Bytes, die der Teil hinter whsec_ in Base64 bedeutet.',
      'Check each delivery with it: X-Service-Signature is keyed with the UTF-8 bytes of the whole text, whsec_ included; webhook-signature (Standard Webhooks) with the base64-decoded part after whsec_.',
    ],
    verifyTitle: ['So prüft Ihr Server die Signatur', 'How your server verifies the signature'],
    verifyLead: [
      'Geprüfte Beispiele zum Kopieren. Nehmen Sie den Inhalt, wie er ankommt, bevor Sie ihn einlesen.',
      'Tested examples to copy. Use the body exactly as received, before parsing.',
    ],
    verifyScheme: (header: string) => [`Prüft ${header}.`, `Verifies ${header}.`],
    install: ['Installieren:', 'Install:'],
    edit: ['Ändern', 'Edit'],
    editTitle: (host: string) => [`Abonnement für ${host} ändern`, `Edit the subscription for ${host}`],
    editLead: [
      'Was noch nicht zugestellt ist, geht an die neue Adresse. Neue Ereignisarten gelten für alles, was ab jetzt geschieht. Signaturschlüssel und Protokoll bleiben.',
      'Events that are not delivered yet go to the new address. New event types apply to everything that happens from now on. Signing secret and log stay.',
    ],
    save: ['Änderungen speichern', 'Save changes'],
    rotate: ['Signaturschlüssel erneuern', 'Rotate signing secret'],
    rotateTitle: (host: string) => [`Signaturschlüssel für ${host} erneuern`, `Rotate the signing secret for ${host}`],
    rotateLead: [
      'Solange beide gelten, trägt webhook-signature beide Signaturen. X-Service-Signature hat Platz für eine, bis zum Ende der Frist die des bisherigen Schlüssels. Prüft Ihr Server diese, tragen Sie den neuen Schlüssel ein und beenden dann die Frist; was dazwischen scheitert, kommt beim nächsten Versuch an.',
      'While both are valid, webhook-signature carries both signatures. X-Service-Signature has room for one, until the end of the overlap that of the old secret. If your server verifies that one, enter the new secret and then end the overlap; deliveries that fail in between arrive with the next attempt.',
    ],
    rotateSubmit: ['Neuen Signaturschlüssel erstellen', 'Create the new signing secret'],
    overlap: ['Der bisherige Signaturschlüssel gilt', 'The old signing secret is valid'],
    bothUntil: (time: string) => [
      `Bis ${time} gelten der neue und der bisherige Signaturschlüssel.`,
      `Until ${time} the new and the old signing secret are valid.`,
    ],
    onlyNew: ['Ab sofort gilt nur der neue Signaturschlüssel.', 'From now on only the new signing secret is valid.'],
    endOverlap: ['Frist jetzt beenden', 'End the overlap now'],
    endTitle: (host: string) => [
      `Bisherigen Signaturschlüssel für ${host} beenden?`,
      `End the old signing secret for ${host}?`,
    ],
    endLead: [
      'Ab sofort signieren wir nur noch mit dem neuen. Ein Server, der noch mit dem bisherigen prüft, lehnt dann jede Zustellung ab.',
      'From now on we sign only with the new secret. A server that still verifies with the old one will refuse every delivery.',
    ],
    backToSubscription: ['Zum Abonnement', 'To the subscription'],
    pause: ['Anhalten', 'Pause'],
    resume: ['Fortsetzen', 'Resume'],
    delete: ['Löschen', 'Delete'],
    deleteTitle: (host: string) => [`Abonnement für ${host} löschen?`, `Delete the subscription for ${host}?`],
    deleteLead: [
      'Was noch nicht zugestellt ist, wird nicht mehr zugestellt. Das lässt sich nicht rückgängig machen.',
      'Events that are not delivered yet will not be delivered. This cannot be undone.',
    ],
    statuses: {
      active: ['Aktiv', 'Active'],
      holding: ['Wartet', 'Waiting'],
      paused: ['Angehalten', 'Paused'],
      disabled: ['Abgeschaltet', 'Disabled'],
    },
    /** The reason why a subscription is stopped, for the list. */
    reasons: {
      secret_unreadable: ['Signaturschlüssel nicht lesbar', 'Signing secret cannot be read'],
      address_refused: ['Adresse nicht erlaubt', 'Address not allowed'],
      receiver_failing: ['Server nimmt nichts an', 'Server accepts nothing'],
      receiver_gone: ['Server möchte keine mehr (410)', 'Server wants no more (410)'],
    },
    since: (time: string) => [`seit ${time}`, `since ${time}`],
    pausedLead: [
      `Neue Ereignisse warten, bis Sie fortsetzen, höchstens ${EVENTS_KEPT_DAYS} Tage.`,
      `New events wait until you resume, for at most ${EVENTS_KEPT_DAYS} days.`,
    ],
    goneLead: [
      `Ihr Server hat mit 410 geantwortet: Er möchte nichts mehr. Deshalb ist das Abonnement angehalten; neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage. War das ein Irrtum, setzen Sie fort; sonst löschen Sie das Abonnement.`,
      `Your server answered 410: it wants no more events. Therefore the subscription is paused; new events wait for at most ${EVENTS_KEPT_DAYS} days. If that was a mistake, resume; otherwise delete the subscription.`,
    ],
    disabledLead: [
      `Ihr Server hat ${DISABLED_AFTER_DAYS} Tage lang nichts angenommen. Deshalb ist das Abonnement abgeschaltet: Was bis dahin wartete, ist aufbewahrt; seither wird nichts vorgemerkt. Beheben Sie den Fehler, am besten mit einem Testereignis, und setzen Sie fort. Was seither geschah, können Sie danach nachholen.`,
      `Your server accepted nothing for ${DISABLED_AFTER_DAYS} days. Therefore the subscription is disabled: what was waiting is kept; nothing is queued since. Fix the fault, best checked with a test event, and resume. What happened since can be recovered after that.`,
    ],
    waitsUntil: (time: string) => [
      `Ihr Server hat darum gebeten, bis ${time} zu warten (Retry-After). Was bis dahin geschieht, kommt danach an.`,
      `Your server asked us to wait until ${time} (Retry-After). What happens meanwhile arrives afterwards.`,
    ],
    nextProbe: (time: string) => [`Nächster Versuch: ${time} Uhr.`, `Next attempt at ${time}.`],
    waitingNow: (count: string) =>
      count === '1'
        ? ['1 Zustellung wartet.', '1 delivery is waiting.']
        : [`${count} Zustellungen warten.`, `${count} deliveries are waiting.`],
    recoverHint: [
      'Während der Abschaltung wurde nichts vorgemerkt. Holen Sie es jetzt nach, soweit es Ihnen fehlt.',
      'Nothing was queued while the subscription was disabled. Recover it now if you miss it.',
    ],
    health: ['Zustand', 'Health'],
    healthLead: (deliveries: string) => [
      `In den letzten 24 Stunden, ohne Testereignisse; höchstens die neuesten ${deliveries} Zustellungen.`,
      `In the last 24 hours, without test events; at most the newest ${deliveries} deliveries.`,
    ],
    noAttempts: ['Kein Versuch in 24 Stunden', 'No attempt in 24 hours'],
    accepted: ['Angenommen', 'Accepted'],
    duration: ['Antwortzeit', 'Response time'],
    within: (most: string) => [`95 % unter ${most}`, `95% within ${most}`],
    ofAttempts: (attempts: string) => [
      `von ${attempts} ${attempts === '1' ? 'Versuch' : 'Versuchen'} in 24 Std.`,
      `of ${attempts} ${attempts === '1' ? 'attempt' : 'attempts'} in 24 h`,
    ],
    oldestSince: (age: string) => [`älteste ${age}`, `the oldest ${age}`],
    byHour: ['Versuche je Stunde', 'Attempts by the hour'],
    succeeded: ['angenommen', 'accepted'],
    failed: ['gescheitert', 'failed'],
    hoursInWords: (succeeded: number, failed: number) => [
      `${succeeded} angenommen, ${failed} gescheitert`,
      `${succeeded} accepted, ${failed} failed`,
    ],
    lastSuccess: ['Zuletzt angenommen', 'Last accepted'],
    never: ['nichts in letzter Zeit', 'nothing lately'],
    nothingWaits: ['nichts', 'nothing'],
    givenUp: (count: string) =>
      count === '1'
        ? [
            '1 Ereignis haben wir aufgegeben: Es ist in drei Versuchen nicht angekommen.',
            'We gave up on 1 event: it did not arrive in three attempts.',
          ]
        : [
            `${count} Ereignisse haben wir aufgegeben: Sie sind in je drei Versuchen nicht angekommen.`,
            `We gave up on ${count} events: they did not arrive in three attempts each.`,
          ],
    failures: ['Woran es lag', 'What went wrong'],
    times: (count: number) => [`${count} ×`, `${count} ×`],
    historyWho: ['Wer es war, steht im Protokoll.', 'The audit log says who did it.'],
    changes: {
      'subscription.created': ['Erstellt', 'Created'],
      'subscription.paused': ['Angehalten', 'Paused'],
      'subscription.resumed': ['Fortgesetzt', 'Resumed'],
      'subscription.held': ['Auf Warten gestellt', 'Put on hold'],
      'subscription.released': ['Zustellung geht weiter', 'Delivery goes on'],
      'subscription.disabled': ['Abgeschaltet', 'Disabled'],
      'subscription.updated': ['Adresse geändert', 'Address changed'],
    },
    holdReasons: {
      secret_unreadable: [
        `Wir können den Signaturschlüssel zurzeit nicht lesen. Das liegt an uns. Neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage; sobald er lesbar ist, stellen wir von selbst zu. Eilt es, erneuern Sie ihn.`,
        `We cannot read the signing secret at present. The fault is ours. New events wait for at most ${EVENTS_KEPT_DAYS} days; as soon as it can be read, we deliver them. If it is urgent, rotate it.`,
      ],
      address_refused: [
        `An diese Adresse senden wir nicht: Sie ist nicht öffentlich oder gehört inzwischen zu Offizin. Neue Ereignisse warten höchstens ${EVENTS_KEPT_DAYS} Tage. Ändern Sie die Adresse; danach stellen wir von selbst zu.`,
        `We do not send to this address: it is not public, or now belongs to Offizin. New events wait for at most ${EVENTS_KEPT_DAYS} days. Change the address; we then deliver them.`,
      ],
      receiver_failing: [
        `Ihr Server nimmt nichts mehr an. Wir versuchen es alle ${PROBE_MINUTES} Minuten, nach ${PROBE_SELDOM_AFTER_HOURS} Stunden jede Stunde; nach ${DISABLED_AFTER_DAYS} Tagen ohne Erfolg schalten wir ab. Ist der Fehler behoben, setzen Sie fort.`,
        `Your server accepts nothing any more. We try again every ${PROBE_MINUTES} minutes, after ${PROBE_SELDOM_AFTER_HOURS} hours every hour; after ${DISABLED_AFTER_DAYS} days without success we disable the subscription. Once the fault is fixed, resume.`,
      ],
    },
  },
  callbacks: {
    title: ['Statusmeldungen an Plattformen', 'Callbacks of integrations'],
    lead: [
      'Die Plattform erfährt, was aus den Bestellanfragen wird, die sie mit diesem Schlüssel oder seinen Nachfolgern einreicht: angenommen, abgelehnt, gelöscht, Rückfrage, Stand und Sendung der Bestellung. Mit dem letzten Schlüssel endet die Statusmeldung.',
      'The platform learns what becomes of the order requests that it submits with this key or its successors: approved, rejected, deleted, a question, status and tracking of the order. The callback ends with the last key.',
    ],
    integration: ['Integration', 'Integration'],
    of: (name: string) => [`Statusmeldung an ${name}`, `Callback to ${name}`],
  },
  deliveries,
  eventGroups: {
    Orders: ['Bestellungen', 'Orders'],
    'Order requests': ['Bestellanfragen', 'Order requests'],
    Prescriptions: ['Rezepte', 'Prescriptions'],
    'Products and stock': ['Produkte und Bestand', 'Products and stock'],
    Payments: ['Zahlungen', 'Payments'],
  },
  eventTypes: {
    order_created: ['Bestellung angelegt', 'Order created'],
    order_updated: ['Bestellung geändert', 'Order updated'],
    order_status_updated: ['Bestellstatus geändert', 'Order status updated'],
    order_marked_paid: ['Als bezahlt markiert', 'Order marked as paid'],
    order_deleted: ['Bestellung gelöscht', 'Order deleted'],
    order_request_submitted: ['Bestellanfrage eingereicht', 'Order request submitted'],
    order_request_approved: ['Bestellanfrage angenommen', 'Order request accepted'],
    order_request_rejected: ['Bestellanfrage abgelehnt', 'Order request rejected'],
    order_request_deleted: ['Bestellanfrage gelöscht', 'Order request deleted'],
    order_request_needs_info: ['Rückfrage zur Bestellanfrage', 'Question about an order request'],
    prescription_approved: ['Rezept geprüft', 'Prescription checked'],
    paperless_signature_completed: ['Signatur abgeschlossen', 'Signature completed'],
    product_created: ['Produkt aufgenommen', 'Product created'],
    product_updated: ['Produkt geändert', 'Product updated'],
    products_updated: ['Viele Produkte zusammen geändert', 'Many products updated together'],
    product_deleted: ['Produkt entfernt', 'Product deleted'],
    low_stock: ['Meldebestand unterschritten', 'Low stock'],
    out_of_stock: ['Ausverkauft', 'Out of stock'],
    payment_link_created: ['Zahlungslink erstellt', 'Payment link created'],
  },
});

export type Messages = ReturnType<typeof messages>;
