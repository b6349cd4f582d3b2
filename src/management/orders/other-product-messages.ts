import { texts } from '../http/language';

/** Texts of "Anderes Produkt" while packing. */
export const otherProductMessages = texts({
  title: {
    de: (number: number) => `Anderes Produkt für Bestellung ${number}`,
    en: (number: number) => `Another product for order ${number}`,
  },
  accepted: { de: 'Angenommen', en: 'Accepted' },
  search: { de: 'Anderes Produkt: scannen, Name oder PZN', en: 'Another product: scan, name or PZN' },
  nothing: { de: 'Kein Produkt Ihres Sortiments passt dazu.', en: 'No product of your inventory matches.' },
  now: { de: 'Jetzt', en: 'Now' },
  chooseProduct: { de: 'Bitte ein Produkt wählen.', en: 'Please choose a product.' },
  same: { de: 'Das ist das angenommene Produkt.', en: 'This is the accepted product.' },
  differences: { de: 'Bitte bestätigen', en: 'Please acknowledge' },
  insteadOf: {
    de: (now: string, accepted: string) => `${now} statt ${accepted}`,
    en: (now: string, accepted: string) => `${now} instead of ${accepted}`,
  },
  codes: {
    substance: { de: 'Anderer Wirkstoff', en: 'Another substance' },
    strength: { de: 'Andere Stärke', en: 'Another strength' },
    form: { de: 'Andere Darreichungsform', en: 'Another form' },
    release: { de: 'Andere Freisetzung', en: 'Another release' },
    total_amount: { de: 'Andere Gesamtmenge', en: 'Another total amount' },
    quantity: { de: 'Andere Menge', en: 'Another quantity' },
    price: { de: 'Anderer Preis', en: 'Another price' },
    total: { de: 'Andere Summe der Bestellung', en: 'Another total of the order' },
  },
  prescriptionChecked: {
    de: 'Rezept geprüft: Es deckt auch dieses Produkt',
    en: 'Prescription checked: it covers this product, too',
  },
  reasons: {
    not_deliverable: { de: 'Nicht lieferbar', en: 'Not deliverable' },
    other_pack_in_stock: { de: 'Import oder andere Größe vorrätig', en: 'Import or other size in stock' },
    pack_damaged: { de: 'Packung beschädigt', en: 'Pack damaged' },
    customer_wish: { de: 'Auf Wunsch', en: 'As the customer wishes' },
  },
  exchange: { de: 'Tauschen', en: 'Exchange' },
  whoChecks: {
    de: 'Steht auf dem Rezept: Es tauscht, wer Rezepte prüfen darf.',
    en: 'It is on the prescription: whoever may check prescriptions exchanges it.',
  },
  keep: { de: 'Beim angenommenen Produkt bleiben', en: 'Keep the accepted product' },
});
