/** Messages about the previous action, by name (flash.ts). */
export const flashMessages = {
  request_approved: { de: 'Die Bestellung ist angenommen.', en: 'The order is accepted.' },
  request_rejected: { de: 'Die Anfrage ist abgelehnt.', en: 'The request is rejected.' },
  request_reopened: { de: 'Die Anfrage ist wieder offen.', en: 'The request is open again.' },
  request_deleted: { de: 'Die Anfrage ist gelöscht.', en: 'The request is deleted.' },
  info_noted: { de: 'Die Rückfrage ist vermerkt.', en: 'The question is noted.' },
  info_settled: { de: 'Die Rückfrage ist erledigt.', en: 'The question is settled.' },
  note_saved: { de: 'Die Notiz ist festgehalten.', en: 'The note is saved.' },
  prescription_approved: { de: 'Das Rezept ist geprüft.', en: 'The prescription is checked.' },
  review_saved: {
    de: 'Ihre Änderungen sind gespeichert. Angenommen ist damit noch nichts.',
    en: 'Your changes are saved. Nothing is accepted by that.',
  },
  review_discarded: { de: 'Die Vorbereitung ist verworfen.', en: 'The preparation is discarded.' },
  prescription_uploaded: {
    de: 'Das Rezept ist abgelegt. Bitte prüfen.',
    en: 'The prescription is filed. Please review it.',
  },
  prescription_set_aside: { de: 'Das Rezept ist beiseitegelegt.', en: 'The prescription is set aside.' },
  prescription_taken_back: {
    de: 'Das Rezept ist zurückgeholt. Bitte prüfen.',
    en: 'The prescription is taken back. Please check it.',
  },
  request_held: { de: 'Die Anfrage wird aufbewahrt.', en: 'The request is kept.' },
  request_released: { de: 'Die Aufbewahrung ist aufgehoben.', en: 'The legal hold is released.' },
  prescription_asked: { de: 'Das Rezept wird noch einmal abgerufen.', en: 'The prescription is being fetched again.' },
  sent_already: {
    de: 'Dieses Formular war schon gesendet. Es wurde nicht noch einmal ausgeführt.',
    en: 'This form was sent already. It was not carried out again.',
  },
  tour_arranged: { de: 'Die Reihenfolge ist gespeichert.', en: 'The order of the stops is saved.' },
  absent_noted: {
    de: 'Vermerkt: nicht angetroffen. Die Bestellung bleibt auf der Tour.',
    en: 'Noted: nobody was there. The order stays on the tour.',
  },
  order_delivered: { de: 'Die Bestellung ist abgegeben.', en: 'The order is handed over.' },
  none_picked: { de: 'Bitte wählen Sie zuerst Bestellungen aus.', en: 'Please select orders first.' },
  too_many_picked: {
    de: 'Zu viele auf einmal: Bitte wählen Sie weniger Bestellungen aus.',
    en: 'Too many at a time: please select fewer orders.',
  },
  file_too_long: {
    de: 'Das sind zu viele für eine Datei. Bitte grenzen Sie den Zeitraum ein.',
    en: 'These are too many for one file. Please choose a shorter period.',
  },
  order_refunded: { de: 'Die Erstattung ist vermerkt.', en: 'The refund is noted.' },
  withdrawal_refused: {
    de: 'Der Storno ist abgelehnt, die Bestellung geht weiter.',
    en: 'The withdrawal is refused, the order goes on.',
  },
  order_handed_over: { de: 'Die Bestellung ist abgeholt und bezahlt.', en: 'The order is picked up and paid.' },
  order_collected: { de: 'Die Bestellung ist abgegeben.', en: 'The order is handed over.' },
  order_left_before: {
    de: 'Die Bestellung war schon abgegeben oder versendet. Wann und von wem, sagt der Verlauf.',
    en: 'The order was handed over or sent already. The history says when and by whom.',
  },
  line_split: { de: 'Die Nachlieferung ist vermerkt.', en: 'What comes later is noted.' },
  expected_changed: { de: 'Der Tag ist geändert.', en: 'The day is changed.' },
  rest_arrived: { de: 'Die Nachlieferung ist eingetroffen. Bitte packen.', en: 'The rest has come. Please pack it.' },
  order_part_sent: {
    de: 'Zum Teil abgegeben. Der Rest ist in Nachlieferung.',
    en: 'Handed over in part. The rest follows.',
  },
  order_part_supplied: {
    de: 'Zum Teil abgegeben. Geben Sie den Abholschein für den Rest mit.',
    en: 'Handed over in part. Give them the collection slip for the rest.',
  },
  rest_cancelled: { de: 'Die Nachlieferung ist storniert.', en: 'The rest is cancelled.' },
  order_returned: { de: 'Die Retoure ist erfasst.', en: 'The return is recorded.' },
  signed_out: { de: 'Sie sind abgemeldet.', en: 'You are signed out.' },
  signed_out_everywhere: { de: 'Sie sind überall abgemeldet.', en: 'You are signed out everywhere.' },
  test_entered: {
    de: 'Das ist Ihre Testapotheke. Nichts hier ist echt.',
    en: 'This is your test pharmacy. Nothing here is real.',
  },
  test_left: { de: 'Sie sind wieder in Ihrer echten Apotheke.', en: 'You are back in your live pharmacy.' },
  notices_saved: { de: 'Gespeichert.', en: 'Saved.' },
  password_changed: {
    de: 'Ihr Passwort ist geändert. Andere Anmeldungen sind beendet.',
    en: 'Your password is changed. Other sessions have ended.',
  },
  second_factor_on: { de: 'Der zweite Faktor ist eingeschaltet.', en: 'The second factor is on.' },
  second_factor_off: { de: 'Der zweite Faktor ist ausgeschaltet.', en: 'The second factor is off.' },
  role_changed: { de: 'Die Rolle ist geändert.', en: 'The role is changed.' },
  key_revoked: { de: 'Der Schlüssel ist widerrufen.', en: 'The key is revoked.' },
  key_stock_set: { de: 'Gespeichert.', en: 'Saved.' },
  submitted_events_on: {
    de: 'Neue Anfragen über diesen Schlüssel werden gemeldet.',
    en: 'New requests by this key are announced.',
  },
  submitted_events_off: {
    de: 'Neue Anfragen über diesen Schlüssel werden nicht mehr gemeldet.',
    en: 'New requests by this key are no longer announced.',
  },
  subscription_paused: {
    de: 'Das Abonnement ist angehalten. Neue Ereignisse warten.',
    en: 'The subscription is paused. New events wait.',
  },
  subscription_resumed: {
    de: 'Das Abonnement läuft wieder. Was gewartet hat, wird zugestellt.',
    en: 'The subscription is running again. What waited is delivered.',
  },
  subscription_deleted: { de: 'Das Abonnement ist gelöscht.', en: 'The subscription is deleted.' },
  subscription_updated: { de: 'Das Abonnement ist geändert.', en: 'The subscription is changed.' },
  overlap_ended: {
    de: 'Ab jetzt gilt nur noch der neue Signaturschlüssel.',
    en: 'From now on only the new signing secret is valid.',
  },
  redelivering: {
    de: 'Was nicht angekommen war, ist wieder unterwegs.',
    en: 'What had not arrived is on its way again.',
  },
  nothing_to_redeliver: {
    de: 'Es war nichts mehr zuzustellen: Alles ist angekommen oder unterwegs.',
    en: 'There was nothing left to deliver: everything has arrived or is on its way.',
  },
  redelivered: { de: 'Wird erneut zugestellt.', en: 'Being delivered again.' },
  member_revoked: { de: 'Der Zugang ist widerrufen.', en: 'The access is revoked.' },
  pack_packed: { de: 'Die Packung ist abgehakt.', en: 'The pack is ticked.' },
  line_packed: { de: 'Von Hand abgehakt.', en: 'Ticked by hand.' },
  line_unpacked: { de: 'Der Haken ist zurückgenommen.', en: 'The tick is taken back.' },
  order_substituted: { de: 'Das Produkt ist getauscht.', en: 'The product is exchanged.' },
  order_tracked: { de: 'Die Angaben zur Sendung sind gespeichert.', en: 'The details of the parcel are saved.' },
  order_shelved: { de: 'Fach und Beutel sind gespeichert.', en: 'Shelf and bags are saved.' },
  order_sent_so: { de: 'Die Lieferart ist geändert.', en: 'The shipping is changed.' },
  order_moved: { de: 'Status geändert.', en: 'Status changed.' },
  order_cancelled: { de: 'Die Bestellung ist storniert.', en: 'The order is cancelled.' },
  order_held: { de: 'Die Bestellung ist angehalten.', en: 'The order is on hold.' },
  original_confirmed: { de: 'Das Original ist bestätigt.', en: 'The original is confirmed.' },
  order_flagged: { de: 'Die Markierung ist geändert.', en: 'The flag is changed.' },
  order_paid: { de: 'Die Bestellung ist als bezahlt markiert.', en: 'The order is marked as paid.' },
  order_deleted: { de: 'Die Bestellung ist gelöscht.', en: 'The order is deleted.' },
  stock_changed: { de: 'Der Bestand ist gebucht.', en: 'The stock is booked.' },
  stock_same: {
    de: 'Bestand unverändert.',
    en: 'The stock was like that already. Nothing was booked.',
  },
  threshold_changed: { de: 'Der Meldebestand ist gespeichert.', en: 'The threshold is saved.' },
  product_added: { de: 'Das Produkt ist im Sortiment.', en: 'The product is in the inventory.' },
  product_held: {
    de: 'Das Produkt war schon im Sortiment. Es wurde nichts geändert.',
    en: 'The product was in the inventory already. Nothing was changed.',
  },
  batch_set: { de: 'Die Charge ist eingetragen.', en: 'The batch is entered.' },
  product_joined: {
    de: 'Zusammengeführt. Das ist das Produkt des Katalogs.',
    en: 'Joined. This is the product of the catalog.',
  },
  product_updated: { de: 'Die Angaben sind gespeichert.', en: 'The values are saved.' },
  product_same: { de: 'Es gab nichts zu ändern.', en: 'There was nothing to change.' },
  product_reset: {
    de: 'Die Angabe ist zurückgesetzt und wird wieder geerbt.',
    en: 'The value is reset and inherited again.',
  },
  product_attached: { de: 'Der Shop bietet das Produkt jetzt an.', en: 'The shop offers the product now.' },
  product_detached: { de: 'Der Shop bietet das Produkt nicht mehr an.', en: 'The shop no longer offers the product.' },
  product_removed: { de: 'Das Produkt ist nicht mehr im Sortiment.', en: 'The product is no longer in the inventory.' },
  accepted: {
    de: 'Ihr Zugang ist eingerichtet, und Sie sind angemeldet.',
    en: 'Your access is set up, and you are signed in.',
  },
  organization_saved: {
    de: 'Die Angaben zur Apotheke sind gespeichert.',
    en: 'The details of the pharmacy are saved.',
  },
  export_begun: {
    de: 'Die Datei wird geschrieben. Laden Sie die Seite in einigen Minuten neu.',
    en: 'The file is being written. Load the page again in some minutes.',
  },
  shop_opened: { de: 'Der Shop ist eröffnet.', en: 'The shop is open.' },
  sample_sent: {
    de: 'Die Testanfrage ist eingegangen, auf demselben Weg wie jede andere.',
    en: 'The test request has arrived, the same way as any other.',
  },
  shop_saved: { de: 'Die Angaben zum Shop sind gespeichert.', en: 'The details of the shop are saved.' },
  shop_activated: {
    de: 'Der Shop ist aktiv und nimmt Bestellanfragen an.',
    en: 'The shop is active and takes order requests.',
  },
  shop_deactivated: {
    de: 'Der Shop ist inaktiv. Neue Bestellanfragen werden abgewiesen.',
    en: 'The shop is inactive. New order requests are refused.',
  },
  host_added: {
    de: 'Die Adresse ist hinzugefügt. Setzen Sie jetzt den DNS-Eintrag.',
    en: 'The address is added. Now set the DNS record.',
  },
  host_checked: { de: 'Die Adresse ist geprüft.', en: 'The address is checked.' },
  host_removed: { de: 'Die Adresse ist entfernt.', en: 'The address is removed.' },
  password_reset: {
    de: 'Ihr neues Passwort gilt. Melden Sie sich an.',
    en: 'Your new password is set. Please sign in.',
  },
};

export type Flash = keyof typeof flashMessages;

/** Messages that do not report success: the action did nothing. */
export const UNDONE: ReadonlySet<Flash> = new Set(['file_too_long', 'none_picked', 'sent_already', 'too_many_picked']);
