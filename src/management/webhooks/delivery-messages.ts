import { EXCERPT_BYTES, POST_TIMEOUT_SECONDS } from '../../webhooks/limits';

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
  duration: { de: 'Dauer', en: 'Duration' },
  title: { de: 'Zustellprotokoll', en: 'Delivery log' },
  reset: { de: 'Filter aufheben', en: 'Clear filters' },
  allStatuses: { de: 'Alle Status', en: 'Every status' },
  allEvents: { de: 'Alle Ereignisse', en: 'All events' },
  failure: { de: 'Fehler', en: 'Failure' },
  allFailures: { de: 'Alle Fehler', en: 'All failures' },
  periods: {
    all: { de: 'Jederzeit', en: 'Any time' },
    hour: { de: 'Letzte Stunde', en: 'Last hour' },
    day: { de: 'Letzte 24 Stunden', en: 'Last 24 hours' },
    week: { de: 'Letzte 7 Tage', en: 'Last 7 days' },
    month: { de: 'Letzte 30 Tage', en: 'Last 30 days' },
  },
  empty: {
    de: 'Hier steht bald jede Zustellung, die neueste oben. Senden Sie ein Testereignis, um Ihren Server auszuprobieren.',
    en: 'Every delivery will be listed here, the newest first. Send a test event to try your server.',
  },
  emptyFilter: { de: 'Keine Zustellung passt zu dieser Auswahl.', en: 'No delivery matches this choice.' },
  emptyWindow: {
    de: 'In diesem Abschnitt passt keine Zustellung zur Auswahl. Weiter zurück kann es welche geben.',
    en: 'No delivery in this part of the log matches. There may be older ones that do.',
  },
  id: { de: 'Zustellung', en: 'Delivery' },
  attempts: { de: 'Versuche', en: 'Attempts' },
  attemptOf: {
    de: (number: number, max: number) => `Versuch ${number} von ${max}`,
    en: (number: number, max: number) => `Attempt ${number} of ${max}`,
  },
  lastAnswer: { de: 'Zuletzt,', en: 'Last,' },
  keptUntil: { de: 'Wird aufbewahrt bis', en: 'Kept until' },
  noAttempt: { de: 'Noch kein Versuch.', en: 'No attempt yet.' },
  result: { de: 'Ergebnis', en: 'Result' },
  next: { de: 'Nächster Versuch', en: 'Next attempt' },
  soon: { de: 'sofort', en: 'at once' },
  newest: { de: 'Neueste', en: 'Newest' },
  triggers: {
    event: { de: 'Ereignis', en: 'Event' },
    retry: { de: 'Wiederholung', en: 'Retry' },
    redelivery: { de: 'Erneut zugestellt', en: 'Redelivered' },
    recovery: { de: 'Nach Ausfall', en: 'After an outage' },
    test: { de: 'Test', en: 'Test' },
    probe: { de: 'Probe', en: 'Probe' },
  },
  statuses: {
    pending: { de: 'Ausstehend', en: 'Pending' },
    delivering: { de: 'Unterwegs', en: 'On its way' },
    succeeded: { de: 'Zugestellt', en: 'Delivered' },
    exhausted: { de: 'Fehlgeschlagen', en: 'Failed' },
    held: { de: 'Zurückgehalten', en: 'Held' },
    cancelled: { de: 'Abgebrochen', en: 'Cancelled' },
  },
  failures: {
    dns: { de: 'Name nicht gefunden', en: 'Name not found' },
    tls: { de: 'Kein gültiges Zertifikat', en: 'No valid certificate' },
    connect: { de: 'Keine Verbindung', en: 'No connection' },
    timeout: { de: `Keine Antwort in ${POST_TIMEOUT_SECONDS} s`, en: `No response within ${POST_TIMEOUT_SECONDS} s` },
    redirect: { de: 'Weiterleitung statt Annahme', en: 'Redirected instead of accepted' },
    blocked: { de: 'Adresse nicht erlaubt', en: 'Address not allowed' },
    interrupted: { de: 'Unterbrochen', en: 'Interrupted' },
    http: { de: 'Nicht angenommen', en: 'Not accepted' },
  },
  request: { de: 'Gesendet', en: 'Sent' },
  asCurl: { de: 'Als curl', en: 'As curl' },
  answer: { de: 'Antwort', en: 'Response' },
  body: { de: 'Inhalt, der gesendet wird', en: 'Body that is sent' },
  bodyHint: { de: 'umgebrochen; gesendet in einer Zeile', en: 'wrapped here; sent on one line' },
  noAnswer: { de: 'Es kam keine Antwort.', en: 'There was no response.' },
  emptyAnswer: { de: 'Die Antwort hatte keinen Inhalt.', en: 'The response had no body.' },
  answerHint: {
    de: `Höchstens die ersten ${EXCERPT_BYTES / 1024} KB.`,
    en: `The first ${EXCERPT_BYTES / 1024} KB at most.`,
  },
  notSent: { de: 'Es wurde nichts gesendet.', en: 'Nothing was sent.' },
  maybeSent: {
    de: 'Ob die Anfrage noch hinausging, ist nicht bekannt.',
    en: 'It is not known whether the request was sent.',
  },
  unsigned: {
    de: 'Die Signaturen fehlen hier: Der Signaturschlüssel wurde seitdem erneuert.',
    en: 'The signatures are not shown: the signing secret has been rotated since.',
  },
  urlChanged: {
    de: 'Die Adresse wurde seitdem geändert und steht deshalb nicht dabei.',
    en: 'The address is not shown: it has been changed since.',
  },
  redeliver: { de: 'Erneut zustellen', en: 'Redeliver' },
  notActive: {
    de: 'Erneut zustellen geht, sobald das Abonnement aktiv ist.',
    en: 'You can redeliver as soon as the subscription is active.',
  },
  test: {
    lead: {
      de: 'Schickt ein Ereignis mit Beispieldaten nur an dieses Abonnement und zeigt, was Ihr Server antwortet. Auch, während es angehalten ist.',
      en: 'Sends an event with example data to this subscription only and shows the response of your server. Also works while it is paused.',
    },
    subscribed: { de: 'Abonniert', en: 'Subscribed' },
    others: { de: 'Nicht abonniert', en: 'Not subscribed' },
    send: { de: 'Testereignis senden', en: 'Send test event' },
    isExample: {
      de: 'Das sind Beispieldaten: Die IDs darin gibt es nicht.',
      en: 'This is example data: its ids do not exist.',
    },
  },
  bulk: {
    link: { de: 'Nicht Zugestelltes nachholen', en: 'Recover what was not delivered' },
    lead: {
      de: (host: string) =>
        `Für ${host}: Was seit dem gewählten Zeitpunkt nicht angekommen ist, auch während einer Abschaltung, geht noch einmal auf den Weg, das Älteste zuerst. Den Fortschritt zeigt die Seite des Abonnements.`,
      en: (host: string) =>
        `For ${host}: what has not arrived since the chosen time, also while the subscription was disabled, is sent again, the oldest first. The page of the subscription shows the progress.`,
    },
    since: { de: 'Seit', en: 'Since' },
    sinceHint: { de: 'Datum und Uhrzeit in Deutschland', en: 'Date and time in Germany' },
    count: { de: 'Zählen', en: 'Count' },
    none: {
      de: 'Seitdem ist alles angekommen oder noch unterwegs.',
      en: 'Everything since then has arrived or is still on its way.',
    },
    found: {
      de: (count: number) =>
        count === 1 ? '1 Ereignis ist nicht angekommen.' : `${count} Ereignisse sind nicht angekommen.`,
      en: (count: number) => (count === 1 ? '1 event has not arrived.' : `${count} events have not arrived.`),
    },
    submit: {
      de: (count: number) => (count === 1 ? '1 Ereignis erneut zustellen' : `${count} Ereignisse erneut zustellen`),
      en: (count: number) => (count === 1 ? 'Redeliver 1 event' : `Redeliver ${count} events`),
    },
    progressTitle: { de: 'Nachholen', en: 'Recovery' },
    underWay: { de: 'Weitere werden noch gesucht.', en: 'Still looking for more.' },
    progress: {
      de: (delivered: number, total: number) => `${delivered} von ${total} zugestellt`,
      en: (delivered: number, total: number) => `${delivered} of ${total} delivered`,
    },
    waiting: {
      de: (count: number) => (count === 1 ? '1 wartet' : `${count} warten`),
      en: (count: number) => `${count} waiting`,
    },
    failed: { de: (count: number) => `${count} fehlgeschlagen`, en: (count: number) => `${count} failed` },
    reload: { de: 'Aktualisieren', en: 'Refresh' },
  },
  verdicts: {
    accepted: {
      de: ({ ms, status }: Outcome) => `Ihr Server hat in ${ms} mit ${status} geantwortet: angenommen.`,
      en: ({ ms, status }: Outcome) => `Your server answered ${status} in ${ms}: accepted.`,
    },
    http: {
      de: ({ ms, status }: Outcome) => `Ihr Server hat in ${ms} mit ${status} geantwortet: nicht angenommen.`,
      en: ({ ms, status }: Outcome) => `Your server answered ${status} in ${ms}: not accepted.`,
    },
    redirect: {
      de: ({ ms, status }: Outcome) =>
        `Ihr Server hat in ${ms} mit ${status} weitergeleitet. Webhooks folgen keiner Weiterleitung.`,
      en: ({ ms, status }: Outcome) => `Your server redirected with ${status} in ${ms}. Webhooks follow no redirect.`,
    },
    timeout: {
      de: () => `Zeitüberschreitung: Ihr Server hat in ${POST_TIMEOUT_SECONDS} Sekunden nicht geantwortet.`,
      en: () => `Timeout: your server did not answer within ${POST_TIMEOUT_SECONDS} seconds.`,
    },
    dns: {
      de: ({ host }: Outcome) => `Der Name ${host} wurde nicht gefunden (DNS).`,
      en: ({ host }: Outcome) => `The name ${host} was not found (DNS).`,
    },
    tls: {
      de: ({ host }: Outcome) => `${host} hat kein gültiges Zertifikat (TLS).`,
      en: ({ host }: Outcome) => `${host} has no valid certificate (TLS).`,
    },
    connect: {
      de: ({ host }: Outcome) => `Es kam keine Verbindung zu ${host} zustande.`,
      en: ({ host }: Outcome) => `No connection to ${host} could be made.`,
    },
    blocked: {
      de: ({ host }: Outcome) => `An ${host} senden wir nicht.`,
      en: ({ host }: Outcome) => `We do not send to ${host}.`,
    },
    interrupted: {
      de: () => 'Der Versuch wurde unterbrochen; eine Antwort ist nicht vermerkt.',
      en: () => 'The attempt was interrupted; no response was recorded.',
    },
  },
  advice: {
    slow: {
      de: `Das ist knapp: Nach ${POST_TIMEOUT_SECONDS} Sekunden gilt der Versuch als gescheitert. Antworten Sie zuerst und arbeiten Sie danach.`,
      en: `That is close: after ${POST_TIMEOUT_SECONDS} seconds an attempt fails. Respond first, then process the event.`,
    },
    auth: {
      de: 'Meist prüft der Server die Signatur mit einem anderen Schlüssel oder mit verändertem Inhalt, oder er verlangt eine Anmeldung. Ist dort der aktuelle Signaturschlüssel dieses Abonnements eingetragen? Prüfen Sie damit den unveränderten Inhalt.',
      en: 'Most often the server checks the signature with another secret or with a changed body, or it asks for a login. Does it have the current signing secret of this subscription? Check the unchanged body with that.',
    },
    path: {
      de: 'Unter dieser Adresse nimmt Ihr Server keinen POST an. Prüfen Sie den Pfad der Adresse.',
      en: 'Your server does not accept POST at this address. Check the path of the address.',
    },
    gone: {
      de: 'Mit 410 sagt ein Server, dass er nichts mehr möchte: Bei einem echten Ereignis halten wir das Abonnement damit an.',
      en: 'With 410 a server says that it wants no more events: for a real event we would pause the subscription.',
    },
    busy: {
      de: 'Der Server ist überlastet oder begrenzt die Zahl der Anfragen. Mit Retry-After kann er sagen, wann der nächste Versuch kommen soll.',
      en: 'The server is overloaded or limits the number of requests. With Retry-After it can say when the next attempt should come.',
    },
    tooLarge: {
      de: 'Der Server nimmt Inhalte dieser Größe nicht an. Erhöhen Sie seine Grenze, 64 KB reichen.',
      en: 'The server does not accept bodies of this size. Raise its limit; 64 KB are enough.',
    },
    refused: {
      de: 'Als angenommen gilt jeder Status von 200 bis 299. Was der Server bemängelt, steht meist in seiner Antwort.',
      en: 'Every status from 200 to 299 counts as accepted. The response usually says what the server objects to.',
    },
    broken: {
      de: 'Auf Ihrem Server ist ein Fehler aufgetreten. Sein Protokoll nennt die Ursache.',
      en: 'An error occurred on your server. Its log names the cause.',
    },
    redirect: {
      de: 'Tragen Sie die Zieladresse selbst ein, oft fehlt nur ein „www“ oder der Schrägstrich am Ende.',
      en: 'Enter the target address itself; often only a “www” or the slash at the end is missing.',
    },
    timeout: {
      de: 'Nehmen Sie das Ereignis nur entgegen, antworten Sie mit 200 und arbeiten Sie danach.',
      en: 'Store the event, respond with 200, and process it afterwards.',
    },
    dns: {
      de: 'Prüfen Sie die Schreibweise der Adresse. Ein neuer Name braucht manchmal Stunden, bis er überall bekannt ist.',
      en: 'Check the spelling of the address. A new name sometimes takes hours until it is known everywhere.',
    },
    tls: {
      de: 'Erneuern Sie das Zertifikat und liefern Sie die ganze Kette aus; ein selbst ausgestelltes gilt nicht.',
      en: 'Renew the certificate and serve the whole chain; a self-signed one is not valid.',
    },
    connect: {
      de: 'Läuft der Server, und lässt seine Firewall Anfragen aus dem Internet zu?',
      en: 'Is the server running, and does its firewall let requests from the internet in?',
    },
    blocked: {
      de: 'Die Adresse ist nicht öffentlich oder gehört inzwischen zu Offizin. Ändern Sie die Adresse des Abonnements.',
      en: 'The address is not public or now belongs to Offizin. Change the address of the subscription.',
    },
    interrupted: {
      de: 'Das lag an uns. Senden Sie noch einmal, falls das Ereignis bei Ihnen nicht angekommen ist.',
      en: 'That was our fault. Send again if the event has not reached you.',
    },
  },
};
