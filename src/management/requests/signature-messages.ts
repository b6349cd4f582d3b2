import { texts } from '../http/language';

/** What is said of electronic signatures. "Gültig" is never said: this is technical help, no validation service (Art. 33 eIDAS). */
export const signatureMessages = texts({
  words: {
    pending: { de: 'Signatur wird geprüft …', en: 'The signature is being checked …' },
    passed: { de: 'QES geprüft, unverändert', en: 'QES checked, unchanged' },
    later: { de: 'QES, Sperrstatus noch nicht geprüft', en: 'QES, revocation not checked yet' },
    notQualified: {
      de: 'Keine QES: reicht für dieses Rezept nicht',
      en: 'No QES: not enough for this prescription',
    },
    seal: { de: 'Siegel, keine Arztsignatur', en: "A seal, no doctor's signature" },
    notListed: {
      de: 'Aussteller nicht auf der EU-Vertrauensliste',
      en: 'Issuer is not on the EU trusted list',
    },
    failed: {
      de: 'Signatur ungültig: Datei passt nicht zur Signatur',
      en: 'Signature invalid: the file does not fit it',
    },
    added: { de: 'Nach der Signatur ergänzt', en: 'Added to after the signature' },
    none: { de: 'Keine elektronische Signatur', en: 'No electronic signature' },
    unchecked: { de: 'Signatur konnte nicht geprüft werden', en: 'The signature could not be checked' },
  },
  sealOf: {
    de: (who: string) => `Siegel von ${who}, keine Arztsignatur`,
    en: (who: string) => `Seal of ${who}, no doctor's signature`,
  },
  shown: {
    de: 'Maßgeblich ist die signierte Fassung (gezeigt).',
    en: 'The signed revision counts (shown).',
  },
  reported: {
    de: (who: string) => `von ${who} gemeldet, hier nicht geprüft`,
    en: (who: string) => `reported by ${who}, not checked here`,
  },
  unknown: { de: 'unbekannt', en: 'unknown' },
  noProfession: { de: 'Beruf nicht im Zertifikat', en: 'Profession not in the certificate' },
  facts: {
    signer: { de: 'Signiert von', en: 'Signed by' },
    prescriber: { de: 'Verordnet von (Plattform)', en: 'Prescribed by (platform)' },
    profession: { de: 'Beruf', en: 'Profession' },
    issuer: { de: 'Aussteller des Zertifikats', en: 'Issuer of the certificate' },
    signedAt: { de: 'Signiert am', en: 'Signed on' },
    qualification: { de: 'Art der Signatur', en: 'Kind of signature' },
    revocation: { de: 'Sperrstatus', en: 'Revocation' },
    later: { de: 'Spätere Änderungen', en: 'Later changes' },
    algorithm: { de: 'Verfahren', en: 'Algorithm' },
    code: { de: 'Ergebnis (ETSI)', en: 'Result (ETSI)' },
    checkedAt: { de: 'Geprüft am', en: 'Checked on' },
  },
  qualifications: {
    qualified: { de: 'qualifiziert (Zertifikat und Gerät)', en: 'qualified (certificate and device)' },
    qualified_certificate: {
      de: 'qualifiziertes Zertifikat, ohne Gerät',
      en: 'qualified certificate, without a device',
    },
    advanced: { de: 'fortgeschritten', en: 'advanced' },
    seal: { de: 'Siegel', en: 'seal' },
    not_listed: { de: 'Aussteller nicht auf der Liste', en: 'issuer not listed' },
  },
  revocations: {
    good: { de: 'nicht gesperrt', en: 'not revoked' },
    revoked: { de: 'gesperrt', en: 'revoked' },
    not_checked: { de: 'nicht geprüft', en: 'not checked' },
    not_applicable: { de: 'entfällt (kurzlebiges Zertifikat)', en: 'does not apply (short-term certificate)' },
  },
  changes: {
    none: { de: 'keine', en: 'none' },
    metadata: { de: 'nur Angaben zur Datei', en: 'of the file’s properties alone' },
    validation_data: { de: 'nur Prüfdaten und Zeitstempel', en: 'validation data and time stamps alone' },
    signatures: { de: 'nur weitere Signaturen', en: 'further signatures alone' },
    other: { de: 'andere', en: 'other' },
  },
  weak: {
    sha1: { de: 'SHA-1 (schwach)', en: 'SHA-1 (weak)' },
    rsa_short: { de: 'RSA unter 2.048 Bit (schwach)', en: 'RSA below 2,048 bits (weak)' },
  },
  askSigned: { de: 'Signierte Datei anfordern', en: 'Ask for the signed file' },
  pendingHint: {
    de: 'Dauert wenige Sekunden. Ansehen können Sie das Rezept schon.',
    en: 'It takes a few seconds. You can look at the prescription already.',
  },
  notChecked: {
    de: 'Technische Hilfe, kein qualifizierter Validierungsdienst. Nicht geprüft: Einlösung in anderen Apotheken.',
    en: 'Technical help, no qualified validation service. Not checked: redemption in other pharmacies.',
  },
});
