import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  title: (name: string) => [`Willkommen: ${name}`, `Welcome: ${name}`],
  lead: ['In vier Schritten zur ersten Bestellanfrage', 'In four steps to the first order request'],
  done: ['Alles eingerichtet. Diese Seite bleibt unter Einstellungen.', 'All set up. This page stays in the settings.'],
  isDone: ['erledigt', 'done'],
  isNext: ['als Nächstes', 'next'],
  shop: {
    title: ['Shop anlegen', 'Open a shop'],
    text: [
      'Jeder Shop ist eine Apotheke oder Filiale mit eigener Adresse im Netz.',
      'Each shop is a pharmacy or branch with its own address on the web.',
    ],
    act: ['Shop eröffnen', 'Open shop'],
  },
  host: {
    title: ['Adresse verbinden', 'Connect an address'],
    text: [
      'Unter ihr schicken Plattformen Bestellanfragen, und unter ihr öffnen sich Zahlungslinks.',
      'Platforms send order requests to it, and payment links open there.',
    ],
    act: ['Adresse hinzufügen', 'Add address'],
    there: (host: string) => [`${host} ist aktiv`, `${host} is active`],
  },
  key: {
    title: ['Integrationsschlüssel erstellen', 'Create an integration key'],
    text: [
      'Damit schicken Plattformen Bestellanfragen. Der Schlüssel wird nur einmal angezeigt.',
      'Platforms send order requests with it. The key is shown only once.',
    ],
    act: ['Schlüssel erstellen', 'Create a key'],
    there: ['Ein Schlüssel für Plattformen ist da', 'There is a key for platforms'],
  },
  request: {
    title: ['Testanfrage senden', 'Send a test request'],
    text: [
      'Sie erscheint unter Bestellanfragen, heißt „TEST Erika Mustermann“ und lässt sich ablehnen und löschen. Abonnierte Webhooks melden sie wie jede andere.',
      'It appears under order requests, is named “TEST Erika Mustermann”, and can be rejected and deleted. Subscribed webhooks report it like any other.',
    ],
    act: ['Testanfrage senden', 'Send the test request'],
    there: ['Die erste Anfrage ist da', 'The first request is there'],
    toAll: ['Bestellanfragen ansehen', 'View the order requests'],
  },
  assortment: {
    title: ['Sortiment', 'Inventory'],
    none: [
      'Noch leer. Nehmen Sie auf, was Sie führen: Name, PZN oder scannen.',
      'Still empty. Add what you carry: by name, PZN or scan.',
    ],
    some: ['Die ersten Produkte sind da.', 'The first products are there.'],
    act: ['Aus dem Katalog aufnehmen', 'Add from the catalog'],
  },
  team: {
    title: ['Team', 'Team'],
    none: [
      'Sie sind allein. Rezepte prüfen Apotheker und Inhaber, packen kann auch das Team.',
      'It is only you so far. Pharmacists check prescriptions; staff can pack, too.',
    ],
    some: ['Sie sind nicht mehr allein.', 'Others have joined the team.'],
    act: ['Jemanden einladen', 'Invite somebody'],
  },
  dismiss: ['Nicht mehr als Erstes zeigen', 'Stop showing this first'],
});
