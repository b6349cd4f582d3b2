/** Titles and texts of error pages. */
export const errors = {
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
