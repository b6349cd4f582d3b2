import { readCookie, writeCookie } from './cookies';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext } from './env';
import type { Texts } from './language';

/** Messages about the previous action, by name. */
export const flashMessages = {
  request_approved: ['Die Bestellung ist angenommen.', 'The order is accepted.'],
  request_rejected: ['Die Anfrage ist abgelehnt.', 'The request is rejected.'],
  request_reopened: ['Die Anfrage ist wieder offen.', 'The request is open again.'],
  request_deleted: ['Die Anfrage ist gelöscht.', 'The request is deleted.'],
  info_noted: ['Die Rückfrage ist vermerkt.', 'The question is noted.'],
  info_settled: ['Die Rückfrage ist erledigt.', 'The question is settled.'],
  note_saved: ['Die Notiz ist festgehalten.', 'The note is saved.'],
  prescription_approved: ['Das Rezept ist geprüft.', 'The prescription is checked.'],
  review_saved: [
    'Ihre Änderungen sind gespeichert. Angenommen ist damit noch nichts.',
    'Your changes are saved. Nothing is accepted yet.',
  ],
  review_discarded: ['Die Vorbereitung ist verworfen.', 'The preparation is discarded.'],
  prescription_uploaded: ['Das Rezept ist abgelegt. Bitte prüfen.', 'The prescription is filed. Please check it.'],
  prescription_set_aside: ['Das Rezept ist beiseitegelegt.', 'The prescription is set aside.'],
  prescription_taken_back: [
    'Das Rezept ist zurückgeholt. Bitte prüfen.',
    'The prescription is restored. Please check it.',
  ],
  request_held: ['Die Anfrage wird aufbewahrt.', 'The request is on legal hold.'],
  request_released: ['Die Aufbewahrung ist aufgehoben.', 'The legal hold is released.'],
  prescription_asked: ['Das Rezept wird noch einmal abgerufen.', 'The prescription is being fetched again.'],
  sent_already: [
    'Dieses Formular war schon gesendet. Es wurde nicht noch einmal ausgeführt.',
    'This form was sent already. It was not carried out again.',
  ],
  tour_arranged: ['Die Reihenfolge ist gespeichert.', 'The order of the stops is saved.'],
  absent_noted: [
    'Vermerkt: nicht angetroffen. Die Bestellung bleibt auf der Tour.',
    'Noted: nobody was there. The order stays on the tour.',
  ],
  none_picked: ['Bitte wählen Sie zuerst Bestellungen aus.', 'Please select orders first.'],
  too_many_picked: [
    'Zu viele auf einmal: Bitte wählen Sie weniger Bestellungen aus.',
    'Too many at a time: please select fewer orders.',
  ],
  file_too_long: [
    'Das sind zu viele für eine Datei. Bitte grenzen Sie den Zeitraum ein.',
    'These are too many for one file. Please choose a shorter period.',
  ],
  order_refunded: ['Die Erstattung ist vermerkt.', 'The refund is recorded.'],
  withdrawal_refused: [
    'Der Storno ist abgelehnt, die Bestellung geht weiter.',
    'The cancellation is declined, the order goes on.',
  ],
  order_handed_over: ['Die Bestellung ist abgeholt und bezahlt.', 'The order is picked up and paid.'],
  order_collected: ['Die Bestellung ist abgegeben.', 'The order is handed over.'],
  order_left_before: [
    'Die Bestellung war schon abgegeben oder versendet. Wann und von wem, sagt der Verlauf.',
    'The order was handed over or sent already. The history says when and by whom.',
  ],
  line_split: ['Die Nachlieferung ist vermerkt.', 'What comes later is noted.'],
  expected_changed: ['Der Tag ist geändert.', 'The day is changed.'],
  rest_arrived: ['Die Nachlieferung ist eingetroffen. Bitte packen.', 'The rest has arrived. Please pack it.'],
  order_part_sent: ['Zum Teil abgegeben, der Rest in Nachlieferung.', 'Handed over in part. The rest follows.'],
  order_part_supplied: [
    'Zum Teil abgegeben. Geben Sie den Abholschein für den Rest mit.',
    'Handed over in part. Give them the collection slip for the rest.',
  ],
  rest_cancelled: ['Die Nachlieferung ist storniert.', 'The rest is canceled.'],
  order_returned: ['Die Retoure ist erfasst.', 'The return is recorded.'],
  signed_out: ['Sie sind abgemeldet.', 'You are signed out.'],
  signed_out_everywhere: ['Sie sind überall abgemeldet.', 'You are signed out everywhere.'],
  test_entered: [
    'Das ist Ihre Testapotheke. Nichts hier ist echt.',
    'This is your test pharmacy. Nothing here is real.',
  ],
  test_left: ['Sie sind wieder in Ihrer echten Apotheke.', 'You are back in your live pharmacy.'],
  saved: ['Gespeichert.', 'Saved.'],
  password_changed: [
    'Ihr Passwort ist geändert. Andere Anmeldungen sind beendet.',
    'Your password is changed. Other sessions have ended.',
  ],
  second_factor_on: ['Der zweite Faktor ist eingeschaltet.', 'The second factor is on.'],
  second_factor_off: ['Der zweite Faktor ist ausgeschaltet.', 'The second factor is off.'],
  role_changed: ['Die Rolle ist geändert.', 'The role is changed.'],
  key_revoked: ['Der Schlüssel ist widerrufen.', 'The key is revoked.'],
  submitted_events_on: [
    'Neue Anfragen über diesen Schlüssel werden gemeldet.',
    'New requests by this key are announced.',
  ],
  submitted_events_off: [
    'Neue Anfragen über diesen Schlüssel werden nicht mehr gemeldet.',
    'New requests by this key are no longer announced.',
  ],
  subscription_paused: [
    'Das Abonnement ist angehalten. Neue Ereignisse warten.',
    'The subscription is paused. New events wait.',
  ],
  subscription_resumed: [
    'Das Abonnement läuft wieder. Was gewartet hat, wird zugestellt.',
    'The subscription is running again. What waited is delivered.',
  ],
  paused_before: ['Das Abonnement war schon angehalten.', 'The subscription was paused already.'],
  resumed_before: ['Das Abonnement lief schon wieder.', 'The subscription was running already.'],
  subscription_deleted: ['Das Abonnement ist gelöscht.', 'The subscription is deleted.'],
  subscription_updated: ['Das Abonnement ist geändert.', 'The subscription is changed.'],
  overlap_ended: [
    'Ab jetzt gilt nur noch der neue Signaturschlüssel.',
    'From now on only the new signing secret is valid.',
  ],
  redelivering: ['Was nicht angekommen war, ist wieder unterwegs.', 'What had not arrived is on its way again.'],
  nothing_to_redeliver: [
    'Es war nichts mehr zuzustellen: Alles ist angekommen oder unterwegs.',
    'There was nothing left to deliver: everything has arrived or is on its way.',
  ],
  redelivered: ['Wird erneut zugestellt.', 'Being delivered again.'],
  member_revoked: ['Der Zugang ist widerrufen.', 'The access is revoked.'],
  pack_packed: ['Die Packung ist abgehakt.', 'The pack is ticked.'],
  line_packed: ['Von Hand abgehakt.', 'Ticked by hand.'],
  line_unpacked: ['Der Haken ist zurückgenommen.', 'The tick is undone.'],
  order_substituted: ['Das Produkt ist getauscht.', 'The product is exchanged.'],
  order_tracked: ['Die Angaben zur Sendung sind gespeichert.', 'The details of the parcel are saved.'],
  order_shelved: ['Fach und Beutel sind gespeichert.', 'Shelf and bags are saved.'],
  order_sent_so: ['Die Lieferart ist geändert.', 'The shipping option is changed.'],
  order_moved: ['Status geändert.', 'Status changed.'],
  order_cancelled: ['Die Bestellung ist storniert.', 'The order is canceled.'],
  order_held: ['Die Bestellung ist angehalten.', 'The order is on hold.'],
  original_confirmed: ['Das Original ist bestätigt.', 'The original is confirmed.'],
  order_flagged: ['Die Markierung ist geändert.', 'The flag is changed.'],
  order_paid: ['Die Bestellung ist als bezahlt markiert.', 'The order is marked as paid.'],
  order_deleted: ['Die Bestellung ist gelöscht.', 'The order is deleted.'],
  stock_changed: ['Der Bestand ist gebucht.', 'The stock change is saved.'],
  stock_same: ['Bestand unverändert.', 'Stock unchanged.'],
  threshold_changed: ['Der Meldebestand ist gespeichert.', 'The threshold is saved.'],
  product_added: ['Das Produkt ist im Sortiment.', 'The product is in the inventory.'],
  product_held: [
    'Das Produkt war schon im Sortiment. Es wurde nichts geändert.',
    'The product was in the inventory already. Nothing was changed.',
  ],
  batch_set: ['Die Charge ist eingetragen.', 'The batch is entered.'],
  product_joined: ['Zusammengeführt. Das ist das Produkt des Katalogs.', 'Merged. This is the product of the catalog.'],
  product_updated: ['Die Angaben sind gespeichert.', 'The values are saved.'],
  product_same: ['Es gab nichts zu ändern.', 'There was nothing to change.'],
  product_reset: ['Die Angabe ist zurückgesetzt und wird wieder geerbt.', 'The value is reset and inherited again.'],
  product_attached: ['Der Shop bietet das Produkt jetzt an.', 'The shop offers the product now.'],
  product_detached: ['Der Shop bietet das Produkt nicht mehr an.', 'The shop no longer offers the product.'],
  product_removed: ['Das Produkt ist nicht mehr im Sortiment.', 'The product is no longer in the inventory.'],
  accepted: ['Ihr Zugang ist eingerichtet, und Sie sind angemeldet.', 'Your access is set up, and you are signed in.'],
  organization_saved: ['Die Angaben zur Apotheke sind gespeichert.', 'The details of the pharmacy are saved.'],
  export_begun: [
    'Die Datei wird geschrieben. Laden Sie die Seite in einigen Minuten neu.',
    'The file is being written. Reload the page in a few minutes.',
  ],
  shop_opened: ['Der Shop ist eröffnet.', 'The shop is open.'],
  sample_sent: [
    'Die Testanfrage ist eingegangen, auf demselben Weg wie jede andere.',
    'The test request has arrived, the same way as any other.',
  ],
  shop_saved: ['Die Angaben zum Shop sind gespeichert.', 'The details of the shop are saved.'],
  shop_activated: ['Der Shop ist aktiv und nimmt Bestellanfragen an.', 'The shop is active and takes order requests.'],
  shop_deactivated: [
    'Der Shop ist inaktiv. Neue Bestellanfragen werden abgewiesen.',
    'The shop is inactive. New order requests are refused.',
  ],
  host_added: [
    'Die Adresse ist hinzugefügt. Setzen Sie jetzt den DNS-Eintrag.',
    'The address is added. Now set the DNS record.',
  ],
  host_checked: ['Die Adresse ist geprüft.', 'The address is checked.'],
  host_removed: ['Die Adresse ist entfernt.', 'The address is removed.'],
  password_reset: ['Ihr neues Passwort gilt. Melden Sie sich an.', 'Your new password is set. Please sign in.'],
} satisfies Texts;

export type Flash = keyof typeof flashMessages;

/** Messages that do not report success: the action did nothing. */
export const UNDONE: ReadonlySet<Flash> = new Set([
  ...(['file_too_long', 'none_picked', 'paused_before', 'resumed_before', 'sent_already', 'too_many_picked'] as const),
]);

const COOKIE = 'flash';
const SECONDS = 60;

/**
 * Makes the next page show a message about this action. The cookie has only the message's name and an optional id.
 * The page reads names of people itself because not everybody may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/**
 * Reads the message about the previous action and deletes its cookie, so that it is shown once.
 * @returns `subjectId`: the id of the request that the message is about; missing if the next page shows this request
 */
export function takeFlash(c: ManageContext): { flash: Flash; subjectId?: string } | undefined {
  const cookie = readCookie(c, COOKIE);
  if (cookie === undefined) return undefined;
  // Scripts fetch pages too. Most do not show the message (client/refresh.js); one that does sends this header.
  const isShown = !isFetchedByScript(c) || c.req.header('X-Shows-Message') !== undefined;
  if (c.req.method !== 'GET' || !isShown) return undefined;
  const [flash = '', subjectId] = cookie.split('.');
  writeCookie(c, COOKIE, '', 0);
  // SAFETY: the cookie may hold any text, but there is a message of this name.
  return Object.hasOwn(flashMessages, flash) ? { flash: flash as Flash, subjectId } : undefined;
}

/** Redirects to a page that shows the message, so that a reload does not repeat the action. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}
