import { texts } from '../http/language';

/** Texts about signatures. None says "gültig" (valid): this is no qualified validation service (Art. 33 eIDAS). */
export const signatureMessages = texts({
  words: {
    pending: ['Signatur wird geprüft …', 'The signature is being checked …'],
    passed: ['QES geprüft, unverändert', 'QES checked, unchanged'],
    later: ['QES, Sperrstatus noch nicht geprüft', 'QES, revocation not checked yet'],
    notQualified: ['Keine QES: reicht für dieses Rezept nicht', 'No QES: not enough for this prescription'],
    seal: ['Siegel, keine Arztsignatur', "A seal, no doctor's signature"],
    notListed: ['Aussteller nicht auf der EU-Vertrauensliste', 'Issuer is not on the EU trusted list'],
    failed: ['Signatur ungültig: Datei passt nicht zur Signatur', 'Signature invalid: the file does not fit it'],
    added: ['Nach der Signatur ergänzt', 'Added to after the signature'],
    none: ['Keine elektronische Signatur', 'No electronic signature'],
    unchecked: ['Signatur konnte nicht geprüft werden', 'The signature could not be checked'],
  },
  sealOf: (who: string) => [`Siegel von ${who}, keine Arztsignatur`, `Seal of ${who}, no doctor's signature`],
  shown: ['Maßgeblich ist die signierte Fassung (gezeigt).', 'The signed revision counts (shown).'],
  reported: (who: string) => [`von ${who} gemeldet, hier nicht geprüft`, `reported by ${who}, not checked here`],
  unknown: ['unbekannt', 'unknown'],
  noProfession: ['Beruf nicht im Zertifikat', 'Profession not in the certificate'],
  facts: {
    signer: ['Signiert von', 'Signed by'],
    prescriber: ['Verordnet von (Plattform)', 'Prescribed by (platform)'],
    profession: ['Beruf', 'Profession'],
    issuer: ['Aussteller des Zertifikats', 'Issuer of the certificate'],
    signedAt: ['Signiert am', 'Signed on'],
    qualification: ['Art der Signatur', 'Kind of signature'],
    revocation: ['Sperrstatus', 'Revocation'],
    later: ['Spätere Änderungen', 'Later changes'],
    algorithm: ['Verfahren', 'Algorithm'],
    code: ['Ergebnis (ETSI)', 'Result (ETSI)'],
    checkedAt: ['Geprüft am', 'Checked on'],
  },
  qualifications: {
    qualified: ['qualifiziert (Zertifikat und Gerät)', 'qualified (certificate and device)'],
    qualified_certificate: ['qualifiziertes Zertifikat, ohne Gerät', 'qualified certificate, without a device'],
    advanced: ['fortgeschritten', 'advanced'],
    seal: ['Siegel', 'seal'],
    not_listed: ['Aussteller nicht auf der Liste', 'issuer not listed'],
  },
  revocations: {
    good: ['nicht gesperrt', 'not revoked'],
    revoked: ['gesperrt', 'revoked'],
    not_checked: ['nicht geprüft', 'not checked'],
    not_applicable: ['entfällt (kurzlebiges Zertifikat)', 'does not apply (short-term certificate)'],
  },
  changes: {
    none: ['keine', 'none'],
    metadata: ['nur Angaben zur Datei', 'of the file’s properties alone'],
    validation_data: ['nur Prüfdaten und Zeitstempel', 'validation data and time stamps alone'],
    signatures: ['nur weitere Signaturen', 'further signatures alone'],
    other: ['andere', 'other'],
  },
  weak: {
    sha1: ['SHA-1 (schwach)', 'SHA-1 (weak)'],
    rsa_short: ['RSA unter 2.048 Bit (schwach)', 'RSA below 2,048 bits (weak)'],
  },
  askSigned: ['Signierte Datei anfordern', 'Ask for the signed file'],
  pendingHint: [
    'Dauert wenige Sekunden. Ansehen können Sie das Rezept schon.',
    'It takes a few seconds. You can look at the prescription already.',
  ],
  notChecked: [
    'Technische Hilfe, kein qualifizierter Validierungsdienst. Nicht geprüft: Einlösung in anderen Apotheken.',
    'Technical help, no qualified validation service. Not checked: redemption in other pharmacies.',
  ],
});
