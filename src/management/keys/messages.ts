import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  lead: {
    de: 'Womit andere Systeme auf Ihre Apotheke zugreifen. Geben Sie jedem System seinen eigenen Schlüssel: Sein Anfang ist nicht geheim und zeigt, welcher es ist.',
    en: 'What other systems reach your pharmacy with. Give each system a key of its own: its beginning is no secret and tells which one it is.',
  },
  tryFirst: { de: 'Erst ausprobieren: in der Testapotheke', en: 'Try it first: in the test pharmacy' },
  testKeys: {
    de: 'Diese Schlüssel (ofz_test_…) gelten nur in der Testapotheke.',
    en: 'These keys (ofz_test_…) are valid in the test pharmacy alone.',
  },
  empty: {
    de: 'Noch kein Schlüssel. Erstellen Sie einen für die Plattform, die Ihnen Bestellanfragen schickt.',
    en: 'No key yet. Create one for the platform that sends you order requests.',
  },
  nameHint: { de: 'Zum Beispiel das System, das ihn benutzt.', en: 'The system that uses it, for example.' },
  integration: { de: 'Integrationsschlüssel', en: 'Integration key' },
  integrationHint: {
    de: 'Eine Plattform reicht damit Bestellanfragen ein.',
    en: 'A platform submits order requests with it.',
  },
  api: { de: 'API-Schlüssel', en: 'API key' },
  apiHint: {
    de: 'Ihre Systeme lesen und ändern damit, was Sie auswählen.',
    en: 'Your systems read and change what you choose.',
  },
  scopes: { de: 'Rechte', en: 'Permissions' },
  valid: {
    de: (count: number) => (count === 1 ? '1 gültig' : `${count} gültig`),
    en: (count: number) => `${count} valid`,
  },
  begins: { de: 'Beginnt mit', en: 'Begins with' },
  may: { de: 'Darf', en: 'May' },
  everything: { de: 'Alles', en: 'Everything' },
  reference: { de: 'So wird er benutzt: API-Referenz', en: 'How it is used: API reference' },
  never: { de: 'Nie', en: 'Never' },
  created: { de: 'Erstellt', en: 'Created' },
  expires: { de: 'Läuft ab', en: 'Expires' },
  expiresHint: {
    de: 'Letzter Tag, an dem er gilt. Leer lassen: er läuft nicht ab.',
    en: 'The last day on which it is valid. Leave empty: it does not expire.',
  },
  lastUsed: { de: 'Zuletzt benutzt', en: 'Last used' },
  unused: { de: 'Noch nie', en: 'Not yet' },
  expired: { de: 'Abgelaufen', en: 'Expired' },
  revoked: { de: 'Widerrufen', en: 'Revoked' },
  createTitle: { de: 'Schlüssel erstellen', en: 'Create a key' },
  create: { de: 'Schlüssel erstellen', en: 'Create key' },
  madeTitle: { de: (name: string) => `Neuer Schlüssel „${name}“`, en: (name: string) => `New key “${name}”` },
  revokeTitle: {
    de: (name: string) => `Schlüssel „${name}“ widerrufen?`,
    en: (name: string) => `Revoke the key “${name}”?`,
  },
  revokeLead: {
    de: 'Wer ihn benutzt, kommt sofort nicht mehr herein. Das lässt sich nicht rückgängig machen.',
    en: 'Whoever uses it is shut out at once. This cannot be undone.',
  },
  callback: { de: 'Rückruf', en: 'Callback' },
  callbackTo: {
    de: (host: string) => `Erfährt über ${host}, was aus seinen Anfragen wird`,
    en: (host: string) => `Learns at ${host} what becomes of its requests`,
  },
  revokeLastLead: {
    de: 'Ist es der letzte dieser Integration, endet auch ihr Rückruf: Was noch nicht zugestellt ist, wird nicht mehr zugestellt.',
    en: 'If it is the last one of this integration, its callback ends, too: what is not delivered yet will not be delivered.',
  },
  replaced: { de: 'Abgelöst', en: 'Replaced' },
  rotate: { de: 'Erneuern', en: 'Rotate' },
  rotateTitle: {
    de: (name: string) => `Schlüssel „${name}“ erneuern`,
    en: (name: string) => `Rotate the key “${name}”`,
  },
  rotateLead: {
    de: 'Sie bekommen einen neuen Schlüssel mit denselben Rechten. Für Wiederholungen gelten beide als dieselbe Integration: Nichts wird doppelt angenommen.',
    en: 'You get a new key with the same permissions. For repetitions both count as one integration: nothing is taken in twice.',
  },
  rotateSubmit: { de: 'Neuen Schlüssel erstellen', en: 'Create the new key' },
  overlap: { de: 'Der bisherige Schlüssel gilt', en: 'The old key is valid' },
  rotatedUntil: {
    de: (time: string) => `Der bisherige Schlüssel gilt noch bis ${time}.`,
    en: (time: string) => `The old key is valid until ${time}.`,
  },
  rotatedAtOnce: { de: 'Der bisherige Schlüssel gilt nicht mehr.', en: 'The old key is no longer valid.' },
  eventsOn: { de: 'Meldet neue Anfragen per Webhook', en: 'Announces new requests by webhook' },
  eventsOff: { de: 'Meldet neue Anfragen nicht per Webhook', en: 'Does not announce new requests by webhook' },
  eventsOf: {
    de: (name: string) => `Ereignis order_request_submitted für ${name}`,
    en: (name: string) => `Event order_request_submitted for ${name}`,
  },
  scopeNames: {
    'products.read': { de: 'Produkte lesen', en: 'Read products' },
    'products.write': { de: 'Produkte ändern', en: 'Change products' },
    'inventory.read': { de: 'Sortiment lesen', en: 'Read the inventory' },
    'inventory.write': { de: 'Sortiment und Bestand ändern', en: 'Change inventory and stock' },
    'order_requests.read': { de: 'Bestellanfragen lesen', en: 'Read order requests' },
    'order_requests.write': { de: 'Bestellanfragen entscheiden', en: 'Decide order requests' },
    'orders.read': { de: 'Bestellungen lesen', en: 'Read orders' },
    'orders.write': { de: 'Bestellungen ändern', en: 'Change orders' },
    'customers.read': { de: 'Kundendaten exportieren', en: 'Export customer data' },
    'customers.write': { de: 'Kundendaten löschen', en: 'Erase customer data' },
    'prescriptions.read': { de: 'Rezepte sehen', en: 'See prescriptions' },
    'prescriptions.write': { de: 'Rezepte bearbeiten', en: 'Work on prescriptions' },
    'events.read': { de: 'Ereignisse abrufen', en: 'Read events' },
    'reports.read': { de: 'Berichte lesen', en: 'Read reports' },
    'webhooks.read': {
      de: 'Webhook-Abonnements und Zustellungen lesen',
      en: 'Read webhook subscriptions and deliveries',
    },
    'webhooks.write': { de: 'Ereignisse erneut zustellen', en: 'Deliver events again' },
    'external_orders.submit': { de: 'Bestellanfragen einreichen', en: 'Submit order requests' },
  },
});
