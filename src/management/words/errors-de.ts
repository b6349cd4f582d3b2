/** Pages in the place of one that cannot be shown. */
export const errorsDe = {
  errors: {
    requestId: 'Kennung dieser Anfrage',
    not_found: ['Diese Seite gibt es nicht', 'Vielleicht wurde sie verschoben oder der Link ist unvollständig.'],
    forbidden: ['Dafür fehlt Ihnen die Berechtigung', 'Fragen Sie eine Inhaberin oder einen Inhaber.'],
    stale_form: [
      'Diese Seite war veraltet',
      'Es wurde nichts geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    ],
    rate_limited: ['Zu viele Versuche', 'Warten Sie bitte eine Minute.'],
    conflict: [
      'Das geht gerade nicht',
      'Es passt nicht zum jetzigen Stand; geändert wurde nichts. Gehen Sie zurück und laden Sie die Seite neu.',
    ],
    invalid: ['Das konnten wir nicht lesen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
    unavailable: ['Der Speicher antwortet nicht', 'Es ging nichts verloren. Versuchen Sie es gleich noch einmal.'],
    internal: ['Da ist etwas schiefgegangen', 'Es liegt an uns. Nennen Sie uns bitte die Kennung.'],
  },
};
