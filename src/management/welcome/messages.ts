import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  title: {
    de: (name: string) => `Willkommen: ${name}`,
    en: (name: string) => `Welcome: ${name}`,
  },
  lead: { de: 'In vier Schritten zur ersten Bestellanfrage', en: 'In four steps to the first order request' },
  done: {
    de: 'Alles eingerichtet. Diese Seite bleibt unter Einstellungen.',
    en: 'All set up. This page stays in the settings.',
  },
  isDone: { de: 'erledigt', en: 'done' },
  isNext: { de: 'als Nächstes', en: 'next' },
  shop: {
    title: { de: 'Shop anlegen', en: 'Open a shop' },
    text: {
      de: 'Jeder Shop ist eine Apotheke oder Filiale mit eigener Adresse im Netz.',
      en: 'Each shop is a pharmacy or branch with its own address on the net.',
    },
    act: { de: 'Shop eröffnen', en: 'Open shop' },
  },
  host: {
    title: { de: 'Adresse verbinden', en: 'Connect an address' },
    text: {
      de: 'Unter ihr schicken Plattformen Bestellanfragen, und unter ihr öffnen sich Zahlungslinks.',
      en: 'Platforms send order requests to it, and payment links open there.',
    },
    act: { de: 'Adresse hinzufügen', en: 'Add address' },
    there: { de: (host: string) => `${host} ist aktiv`, en: (host: string) => `${host} is active` },
  },
  key: {
    title: { de: 'Integrationsschlüssel erstellen', en: 'Create an integration key' },
    text: {
      de: 'Damit schicken Plattformen Bestellanfragen. Der Schlüssel wird nur einmal angezeigt.',
      en: 'Platforms send order requests with it. The key is shown only once.',
    },
    act: { de: 'Schlüssel erstellen', en: 'Create a key' },
    there: { de: 'Ein Schlüssel für Plattformen ist da', en: 'There is a key for platforms' },
  },
  request: {
    title: { de: 'Testanfrage senden', en: 'Send a test request' },
    text: {
      de: 'Sie erscheint unter Bestellanfragen, heißt „TEST Erika Mustermann“ und lässt sich ablehnen und löschen. Abonnierte Webhooks melden sie wie jede andere.',
      en: 'It appears under order requests, is named “TEST Erika Mustermann”, and can be rejected and deleted. Subscribed webhooks tell of it as of any other.',
    },
    act: { de: 'Probe schicken', en: 'Send it' },
    there: { de: 'Die erste Anfrage ist da', en: 'The first request is there' },
    toAll: { de: 'Bestellanfragen ansehen', en: 'See the order requests' },
  },
  assortment: {
    title: { de: 'Sortiment', en: 'Assortment' },
    none: {
      de: 'Noch leer. Nehmen Sie auf, was Sie führen: Name, PZN oder scannen.',
      en: 'Still empty. Add what you carry: by name, PZN or scan.',
    },
    some: { de: 'Die ersten Produkte sind da.', en: 'The first products are there.' },
    act: { de: 'Aus dem Katalog aufnehmen', en: 'Add from the catalog' },
  },
  team: {
    title: { de: 'Team', en: 'Team' },
    none: {
      de: 'Sie sind allein. Rezepte prüfen Apothekerinnen und Apotheker, packen kann auch das Team.',
      en: 'You are alone. Pharmacists check prescriptions; staff can pack, too.',
    },
    some: { de: 'Sie sind nicht mehr allein.', en: 'You are not alone any more.' },
    act: { de: 'Jemanden einladen', en: 'Invite somebody' },
  },
  dismiss: { de: 'Nicht mehr als Erstes zeigen', en: 'Do not show this first any more' },
});
