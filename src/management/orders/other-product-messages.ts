import { texts } from '../http/language';
import { orders } from '../ui/order-messages';

/** Texts of "Anderes Produkt" while packing. */
export const otherProductMessages = texts({
  title: {
    de: (number: number) => `Anderes Produkt für Bestellung ${number}`,
    en: (number: number) => `Another product for order ${number}`,
  },
  heading: { de: 'Anderes Produkt', en: 'Another product' },
  accepted: { de: 'angenommen', en: 'accepted' },
  now: { de: 'jetzt', en: 'now' },
  choose: { de: 'Wählen', en: 'Choose' },
  checking: { de: 'Wird geprüft …', en: 'Being checked …' },
  search: { de: 'Anderes Produkt: scannen, Name oder PZN', en: 'Another product: scan, name or PZN' },
  nothing: { de: 'Kein Produkt Ihres Sortiments passt dazu.', en: 'No product of your inventory matches.' },
  same: { de: 'Das ist das angenommene Produkt.', en: 'This is the accepted product.' },
  differences: { de: 'Bitte bestätigen', en: 'Please acknowledge' },
  insteadOf: {
    de: (now: string, accepted: string) => `${now} statt ${accepted}`,
    en: (now: string, accepted: string) => `${now} instead of ${accepted}`,
  },
  codes: {
    ...orders.differences,
    quantity: { de: 'Andere Menge', en: 'Another quantity' },
    price: { de: 'Anderer Preis', en: 'Another price' },
    total: { de: 'Andere Summe der Bestellung', en: 'Another total of the order' },
  },
  covers: { de: 'Es deckt auch dieses Produkt.', en: 'It covers this product, too.' },
  seePrescription: { de: 'Rezept ansehen', en: 'See the prescription' },
  approveAnew: { de: 'Tauschen und neu annehmen', en: 'Exchange and accept anew' },
  reasons: {
    not_deliverable: { de: 'Nicht lieferbar', en: 'Not deliverable' },
    other_pack_in_stock: { de: 'Import oder andere Größe vorrätig', en: 'Import or other size in stock' },
    pack_damaged: { de: 'Packung beschädigt', en: 'Pack damaged' },
    customer_wish: { de: 'Auf Wunsch', en: 'As the customer wishes' },
  },
  exchange: { de: 'Tauschen', en: 'Exchange' },
  whoChecks: {
    de: 'Es braucht ein Rezept: Tauschen und neu annehmen kann es nur, wer Rezepte prüfen darf.',
    en: 'It needs a prescription: only whoever may check prescriptions can exchange it and accept it anew.',
  },
  keep: { de: 'Beim angenommenen Produkt bleiben', en: 'Keep the accepted product' },
});
