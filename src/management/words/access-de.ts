import { RESET_HOURS } from '../../auth/limits';

/** Lost passwords and lost devices, and refusals that no field of a form stands for. */
export const accessDe = {
  resume: {
    ended: 'Ihre Sitzung ist beendet. Das Formular wurde nicht gesendet, nichts wurde geändert.',
    kept: 'Melden Sie sich an, dann steht alles wieder da, was Sie eingegeben haben. Passwörter geben Sie neu ein.',
    tooMuch: 'Was Sie eingegeben haben, ist zu umfangreich und kann nicht übernommen werden.',
    file: 'Eine Datei wird nicht übernommen: Wählen Sie sie bitte noch einmal.',
    back: 'Ihre Eingaben sind wieder da. Gesendet wurde nichts: Prüfen Sie sie und senden Sie das Formular noch einmal ab.',
    toForm: 'Zum Formular',
    noForm: 'Diese Seite hat sich geändert: Das Formular, das Sie ausgefüllt hatten, gibt es hier nicht mehr.',
    left: 'Das haben Sie eingegeben, es hat auf der Seite aber keinen Platz mehr:',
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
  choosePharmacy: {
    title: 'Welche Apotheke?',
    lead: 'Ihr Passwort gilt in mehreren Apotheken. Wo möchten Sie arbeiten?',
    gone: 'Diese Auswahl gilt nicht mehr. Melden Sie sich bitte noch einmal an.',
  },
  resets: {
    action: 'Neues Passwort',
    openUntil: (date: string) => `Link für neues Passwort offen bis ${date}`,
    title: (person: string) => `Link für ein neues Passwort für ${person} erstellen?`,
    identity:
      'Stellen Sie zuerst sicher, dass wirklich diese Person darum bittet: im Gespräch oder am Telefon unter einer Nummer, die Sie kennen.',
    lead: 'Mit dem Link legt die Person selbst ein neues Passwort fest. Bis dahin ändert sich nichts; danach ist sie überall abgemeldet.',
    what: 'Was hat die Person verloren?',
    password: 'Passwort',
    passwordHint: 'Der zweite Faktor bleibt. Beim Anmelden braucht sie weiterhin einen Code.',
    both: 'Passwort und zweiten Faktor',
    bothHint: 'Auch der zweite Faktor wird ausgeschaltet, zum Beispiel weil das Telefon fehlt.',
    submit: 'Link erstellen',
    linkTitle: (email: string) => `Link für ein neues Passwort für ${email}`,
    linkHint: `Geben Sie den Link nur dieser Person; er gilt ${RESET_HOURS} Stunden und nur einmal.`,
    pageTitle: 'Neues Passwort festlegen',
    pageLead: (organization: string) => `Ihr Zugang bei ${organization}. Danach sind Sie überall abgemeldet.`,
    factorStays: 'Beim Anmelden brauchen Sie weiterhin einen Code Ihres zweiten Faktors.',
    factorEnds: 'Ihr zweiter Faktor wird dabei ausgeschaltet. Richten Sie ihn nach dem Anmelden neu ein.',
    next: 'Neues Passwort',
    save: 'Passwort festlegen',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: `Er wurde schon benutzt, durch einen neuen ersetzt oder ist älter als ${RESET_HOURS} Stunden. Bitten Sie um einen neuen.`,
    forgot:
      'Passwort vergessen oder Gerät verloren? Eine Inhaberin oder ein Inhaber Ihrer Apotheke erstellt Ihnen unter „Team“ einen Link. Wer sonst niemanden fragen kann, wendet sich an den Betreiber von Offizin.',
  },
};
