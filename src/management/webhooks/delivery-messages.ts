import { EXCERPT_BYTES, POST_TIMEOUT_SECONDS } from '../../webhooks/limits';
import type { Texts } from '../http/language';

/** The result of an attempt. */
interface Outcome {
  /** Duration with its unit. */
  ms: string;
  /** HTTP status of the response; 0 without one. */
  status: number;
  host: string;
}

/** Texts of a subscription's deliveries. */
export const deliveries = {
  duration: ['Dauer', 'Duration'],
  title: ['Zustellprotokoll', 'Delivery log'],
  reset: ['Filter aufheben', 'Clear filters'],
  allStatuses: ['Alle Status', 'Every status'],
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
  noAttempt: ['Diese Zustellung wurde noch nicht versucht.', 'This delivery was not attempted yet.'],
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
    cancelled: ['Abgebrochen', 'Cancelled'],
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
    isExample: ['Das sind Beispieldaten: Die IDs darin gibt es nicht.', 'This is example data: its ids do not exist.'],
  },
  bulk: {
    link: ['Nicht Zugestelltes nachholen', 'Recover what was not delivered'],
    lead: (host: string) => [
      `Für ${host}: Was seit dem gewählten Zeitpunkt nicht angekommen ist, auch während einer Abschaltung, geht noch einmal auf den Weg, das Älteste zuerst. Den Fortschritt zeigt die Seite des Abonnements.`,
      `For ${host}: what has not arrived since the chosen time, also while the subscription was disabled, is sent again, the oldest first. The page of the subscription shows the progress.`,
    ],
    since: ['Seit', 'Since'],
    sinceHint: ['Datum und Uhrzeit in Deutschland', 'Date and time in Germany'],
    count: ['Zählen', 'Count'],
    none: [
      'Seitdem ist alles angekommen oder noch unterwegs.',
      'Everything since then has arrived or is still on its way.',
    ],
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
    dns: ({ host }: Outcome) => [
      `Der Name ${host} wurde nicht gefunden (DNS).`,
      `The name ${host} was not found (DNS).`,
    ],
    tls: ({ host }: Outcome) => [
      `${host} hat kein gültiges Zertifikat (TLS).`,
      `${host} has no valid certificate (TLS).`,
    ],
    connect: ({ host }: Outcome) => [
      `Es kam keine Verbindung zu ${host} zustande.`,
      `No connection to ${host} could be made.`,
    ],
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
