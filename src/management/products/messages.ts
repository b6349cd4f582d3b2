import { texts } from '../http/language';
import { products as shared } from '../ui/order-messages';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  tabs: {
    all: { de: 'Ganzes Sortiment', en: 'Whole inventory' },
    low: { de: 'Unter Meldebestand', en: 'Below threshold' },
    out: { de: 'Ausverkauft', en: 'Out of stock' },
    missing: { de: 'Fehlmenge (Defekt)', en: 'Missing' },
  },
  search: { de: 'Suche im Sortiment', en: 'Search the inventory' },
  searchCatalog: { de: 'Suche im Katalog', en: 'Search the catalog' },
  searchHint: { de: 'Name, PZN, scannen', en: 'Name, PZN, or scan' },
  searchTooLong: {
    de: (max: number) => `Bitte höchstens ${max} Zeichen.`,
    en: (max: number) => `${max} characters at most, please.`,
  },
  product: { de: 'Produkt', en: 'Product' },
  ownPriceInsteadOf: {
    de: (price: string) => `Eigener Preis, Katalog ${price}`,
    en: (price: string) => `Own price, catalog ${price}`,
  },
  inStock: {
    de: (count: string) => `${count} im Sortiment`,
    en: (count: string) => `${count} in the inventory`,
  },
  ofThreshold: {
    de: (threshold: number) => `von ${threshold}`,
    en: (threshold: number) => `of ${threshold}`,
  },
  outOfStock: { de: 'ausverkauft', en: 'out of stock' },
  low: { de: 'unter Meldebestand', en: 'below threshold' },
  notOffered: { de: 'nicht im Angebot', en: 'not offered' },
  ofAll: {
    de: (part: string | number, all: string | number) => `${part} von ${all}`,
    en: (part: string | number, all: string | number) => `${part} of ${all}`,
  },
  notHeldYet: {
    de: (pzn: string) => `PZN ${pzn} ist nicht im Sortiment, aber im Katalog:`,
    en: (pzn: string) => `PZN ${pzn} is not in the inventory, but in the catalog:`,
  },
  takeIn: { de: 'Aufnehmen', en: 'Add' },
  unknownPzn: {
    de: (pzn: string) => `PZN ${pzn} kennen weder Ihr Sortiment noch der Katalog.`,
    en: (pzn: string) => `Neither your inventory nor the catalog knows the PZN ${pzn}.`,
  },
  noPzn: {
    de: (gtin: string) => `In diesem Code (GTIN ${gtin}) steht keine PZN. Bitte nach dem Namen suchen.`,
    en: (gtin: string) => `This code (GTIN ${gtin}) holds no PZN. Please search by name.`,
  },
  changeStock: { de: 'Bestand ändern', en: 'Change stock' },
  changeOf: { de: (name: string) => `Änderung für ${name}`, en: (name: string) => `Change for ${name}` },
  change: { de: 'Änderung', en: 'Change' },
  changeHint: {
    de: '+10 geliefert, -2 Korrektur, =25 gezählt',
    en: '+10 delivered, -2 corrected, =25 counted in the house',
  },
  usual: { de: 'wie üblich', en: 'as usual' },
  book: { de: 'Buchen', en: 'Apply' },
  saved: { de: 'Gebucht', en: 'Saved' },
  rowGone: {
    de: 'Die Änderung ist nicht gebucht, und das Produkt steht nicht mehr auf dieser Seite.',
    en: 'The change was not saved, and the product is no longer on this page.',
  },
  openProduct: { de: 'Zum Produkt', en: 'To the product' },
  firstPage: { de: 'Zum Anfang', en: 'To the start' },
  nextPage: { de: 'Weitere', en: 'More' },
  emptyTitle: { de: 'Noch nichts im Sortiment', en: 'Nothing in the inventory yet' },
  empty: {
    de: 'Beginnen Sie mit dem Katalog.',
    en: 'Start with the catalog.',
  },
  nothingFound: { de: 'Kein Treffer im Sortiment.', en: 'Nothing in your inventory matches.' },
  noneLow: { de: 'Nichts liegt unter seinem Meldebestand.', en: 'Nothing is below its threshold.' },
  noneOut: { de: 'Nichts ist ausverkauft.', en: 'Nothing is out of stock.' },
  importTitle: { de: 'Bestand importieren', en: 'Import stock' },
  noneMissing: {
    de: 'Was reserviert ist, ist nach der letzten Zählung auch vorrätig.',
    en: 'By the last count, everything that is promised is there.',
  },
  promisedOf: {
    de: (onHand: number, promised: number, reserved: number) =>
      `Lagerbestand ${onHand}, reserviert ${promised}${reserved > 0 ? `, vorgemerkt ${reserved}` : ''}`,
    en: (onHand: number, promised: number, reserved: number) =>
      `${onHand} on hand, ${promised} promised${reserved > 0 ? `, ${reserved} reserved` : ''}`,
  },
  reservedFor: {
    de: (quantity: number, time: string) => `${quantity} vorgemerkt bis ${time}`,
    en: (quantity: number, time: string) => `${quantity} reserved until ${time}`,
  },
  shortage: {
    de: (missing: number) => `${missing} Fehlmenge`,
    en: (missing: number) => `${missing} short`,
  },
  shortageLead: {
    de: 'Gezählt wurde weniger, als für Bestellungen reserviert ist. Zählung, Lieferung oder Stornierung beendet das.',
    en: 'Fewer were counted than orders are promised. Another count, a delivery or a cancellation ends this.',
  },
  addTitle: { de: 'Aus dem Katalog aufnehmen', en: 'Add from the catalog' },
  addLead: {
    de: 'In welchem Shop ein Produkt zu sehen ist, wählen Sie danach auf seiner Seite.',
    en: 'Afterwards choose on a product’s page which shops show it.',
  },
  addRefused: {
    de: 'Aufnehmen können Inhaber und Apotheker.',
    en: 'Owners and pharmacists may add products.',
  },
  catalogNothing: { de: 'Kein Treffer im Katalog.', en: 'Nothing in the catalog matches.' },
  catalogEmpty: {
    de: 'Der Katalog ist noch leer. Der Betreiber von Offizin füllt ihn.',
    en: 'The catalog is still empty. The operator of Offizin fills it.',
  },
  held: {
    de: (stock: number) => `Im Sortiment, Bestand ${stock}`,
    en: (stock: number) => `In the inventory, stock ${stock}`,
  },
  initialStockOf: {
    de: (name: string) => `Anfangsbestand von ${name}`,
    en: (name: string) => `Initial stock of ${name}`,
  },
  ownPriceOf: {
    de: (name: string) => `Eigener Preis von ${name}, freiwillig`,
    en: (name: string) => `Own price of ${name}, optional`,
  },
  take: { de: 'Aufnehmen', en: 'Add' },
  createOwn: { de: 'Eigenes Produkt anlegen', en: 'Add an own product' },
  notInCatalog: { de: 'Nicht im Katalog?', en: 'Not in the catalog?' },
  newTitle: { de: 'Eigenes Produkt', en: 'Own product' },
  newLead: {
    de: 'Für alles, was der Katalog nicht hat. Nur Ihre Apotheke sieht es. Ob ein Rezept nötig ist, legen Sie hier fest.',
    en: 'For whatever the catalog lacks. Your organization alone sees it. You say here whether it needs a prescription.',
  },
  nameFault: { de: 'Bitte einen Namen angeben.', en: 'Please give a name.' },
  pznFault: { de: 'Diese PZN stimmt nicht. Bitte prüfen.', en: 'This PZN is wrong. Please check it.' },
  asAdded: { de: 'wie angelegt', en: 'as added' },
  twinLead: {
    de: (name: string) => `Der Katalog hat diese PZN jetzt auch: ${name}.`,
    en: (name: string) => `The catalog has this PZN now, too: ${name}.`,
  },
  join: { de: 'Zusammenführen', en: 'Join them' },
  joinTitle: {
    de: (product: string) => `${product} mit dem Katalog zusammenführen?`,
    en: (product: string) => `Join ${product} with the catalog?`,
  },
  joinTexts: {
    de: (name: string) => [
      `Verfügbarer Bestand und Shops gehen über auf: ${name}. PZN und Packungen führen dann dorthin.`,
      'Bestellungen bleiben, wie sie sind. Was für sie reserviert ist, bleibt beim eigenen Produkt.',
    ],
    en: (name: string) => [
      `Available stock and shops move to: ${name}. The PZN and packs lead there from then on.`,
      'Orders stay as they are. What is promised to them stays with the own product.',
    ],
  },
  back: { de: 'Zurück zur Liste', en: 'Back to the list' },
  matrixTitle: { de: 'Werte je Shop', en: 'Values in each shop' },
  ownValues: {
    de: (count: number) =>
      count === 0
        ? 'Alles kommt vom Katalog.'
        : `${count} ${count === 1 ? 'eigener Wert' : 'eigene Werte'}, der Rest ist geerbt`,
    en: (count: number) =>
      count === 0
        ? 'All of it comes from the catalog.'
        : `${count} own ${count === 1 ? 'value' : 'values'}, the rest is inherited`,
  },
  inheritedMore: {
    de: (count: number) => `${count} weitere Angaben, alle geerbt`,
    en: (count: number) => `${count} more fields, all inherited`,
  },
  metadataOf: {
    de: (shops: number) => `Metadaten von ${shops} ${shops === 1 ? 'Shop' : 'Shops'} (über die API)`,
    en: (shops: number) => `Metadata of ${shops} ${shops === 1 ? 'shop' : 'shops'} (by the API)`,
  },
  insteadOf: { de: (value: string) => `statt ${value}`, en: (value: string) => `instead of ${value}` },
  field: { de: 'Angabe', en: 'Field' },
  catalog: { de: 'Katalog', en: 'Catalog' },
  editOrganization: { de: 'Angaben ändern', en: 'Edit the values' },
  editShop: {
    de: (shop: string) => `Angaben im Shop ${shop} bearbeiten`,
    en: (shop: string) => `Edit the values in the shop ${shop}`,
  },
  inactive: { de: 'Shop ist abgeschaltet', en: 'Shop is switched off' },
  attach: { de: 'Anbieten', en: 'Offer' },
  attachIn: { de: (shop: string) => `Im Shop ${shop} anbieten`, en: (shop: string) => `Offer in the shop ${shop}` },
  attachNeedsStock: {
    de: 'Anbieten geht, sobald der Bestand über 0 liegt.',
    en: 'It can be offered as soon as the stock is above 0.',
  },
  detach: { de: 'Herausnehmen', en: 'Remove' },
  detachFrom: {
    de: (shop: string) => `Aus dem Shop ${shop} herausnehmen`,
    en: (shop: string) => `Remove from the shop ${shop}`,
  },
  reset: { de: 'Zurücksetzen', en: 'Reset' },
  sources: {
    catalog: { de: 'geerbt vom Katalog', en: 'inherited from the catalog' },
    organization: { de: 'geerbt von der Apotheke', en: 'inherited from the organization' },
    shop: { de: 'hier überschrieben', en: 'overridden here' },
    default: { de: 'Vorgabe', en: 'by default' },
  },
  ownValue: { de: 'eigener Wert', en: 'own value' },
  yes: { de: 'Ja', en: 'Yes' },
  no: { de: 'Nein', en: 'No' },
  none: { de: '–', en: '–' },
  fields: shared.fields,
  editTitle: {
    de: (product: string) => `${product}: Angaben der Apotheke`,
    en: (product: string) => `${product}: the organization’s values`,
  },
  editShopTitle: {
    de: (product: string, shop: string) => `${product} im Shop ${shop}`,
    en: (product: string, shop: string) => `${product} in the shop ${shop}`,
  },
  editLead: {
    de: 'Ein leeres Feld übernimmt den grauen Wert. Gespeichert wird nur, was Sie ändern.',
    en: 'An empty field takes the gray value. Only what you change is saved.',
  },
  inherits: {
    de: (value: string, source: string) => `${value} (${source})`,
    en: (value: string, source: string) => `${value} (${source})`,
  },
  fromCatalog: { de: 'Katalog', en: 'catalog' },
  fromOrganization: { de: 'Apotheke', en: 'organization' },
  fromDefault: { de: 'Vorgabe', en: 'default' },
  changedTo: {
    de: (value: string) => `Inzwischen steht hier: ${value}. Noch einmal speichern ersetzt den neuen Wert.`,
    en: (value: string) => `In the meantime this became: ${value}. Saving again replaces the new value.`,
  },
  thresholdHint: {
    de: (threshold: number) => `Ohne Eintrag gilt der Ihrer Apotheke: ${threshold}.`,
    en: (threshold: number) => `If empty, your organization’s threshold applies: ${threshold}.`,
  },
  movementsTitle: { de: 'Bestandsbewegungen', en: 'Stock movements' },
  movementsEmpty: {
    de: 'Noch keine Bewegung.',
    en: 'No movement yet.',
  },
  after: { de: 'Verfügbar', en: 'Available' },
  onHand: { de: 'Lagerbestand', en: 'On hand' },
  reasons: {
    count: { de: 'Inventur', en: 'Stocktaking' },
    delivery: { de: 'Lieferung', en: 'Delivery' },
    damage: { de: 'Bruch oder Verderb', en: 'Damaged or expired' },
    waste: { de: 'Prüfmuster/Schwund', en: 'Test sample or loss' },
    return: { de: 'Retoure', en: 'Return' },
    correction: { de: 'Korrektur', en: 'Correction' },
    other: { de: 'Sonstiges', en: 'Other' },
    initial: { de: 'Anfangsbestand', en: 'Initial stock' },
    removed: { de: 'Aus dem Sortiment genommen', en: 'Removed from the inventory' },
    order: { de: 'Bestellung', en: 'Order' },
    order_cancelled: { de: 'Bestellung storniert', en: 'Order cancelled' },
    reserved: { de: 'Für Anfrage vorgemerkt', en: 'Reserved for a request' },
    released: { de: 'Vormerkung beendet', en: 'Reservation ended' },
    order_fulfilled: { de: 'Abgegeben oder versendet', en: 'Handed over or shipped' },
  },
  changeUnit: { de: 'Einheit wechseln', en: 'Change the unit' },
  changeUnitTitle: {
    de: (product: string) => `${product}: Einheit wechseln`,
    en: (product: string) => `${product}: change the unit`,
  },
  changeUnitLead: {
    de: 'Zählen Sie den Bestand in der neuen Einheit: Er ersetzt den bisherigen. Offene Bestellungen darf es für das Produkt keine geben.',
    en: 'Count the stock in the new unit: it replaces the present one. No open order may hold the product.',
  },
  changeUnitHeld: {
    de: (held: string) =>
      `${held} sind für Bestellungen reserviert oder für Anfragen vorgemerkt. Schließen oder stornieren Sie diese zuerst.`,
    en: (held: string) => `${held} are promised to orders or reserved for requests. Close or cancel those first.`,
  },
  countedNow: { de: 'Gezählt, in der neuen Einheit', en: 'Counted, in the new unit' },
  priceOfNewUnit: { de: 'Preis je neuer Einheit', en: 'Price of a new unit' },
  remove: { de: 'Aus dem Sortiment nehmen', en: 'Remove from the inventory' },
  removeTitle: {
    de: (product: string) => `${product} aus dem Sortiment nehmen?`,
    en: (product: string) => `Remove ${product} from the inventory?`,
  },
  removeStock: {
    de: (stock: number) => `Der Bestand von ${stock} wird ausgebucht.`,
    en: (stock: number) => `The stock of ${stock} is written off.`,
  },
  removeShops: { de: 'Danach fehlt es in diesen Shops:', en: 'These shops will no longer have it:' },
  removeNoShop: { de: 'Kein Shop bietet es an.', en: 'No shop offers it.' },
  removeLead: {
    de: 'Eigene Angaben und Überschreibungen gehen verloren. Bestellungen bleiben, wie sie sind.',
    en: 'Own values and overrides are lost. Orders stay as they are.',
  },
  detachTitle: {
    de: (product: string, shop: string) => `${product} aus dem Shop ${shop} herausnehmen?`,
    en: (product: string, shop: string) => `Remove ${product} from the shop ${shop}?`,
  },
  detachLead: {
    de: 'Im Sortiment bleibt es, mit Bestand und den Angaben der Apotheke.',
    en: 'It stays in the inventory, with its stock and the organization’s values.',
  },
  detachOverrides: { de: 'Diese Überschreibungen gehen verloren:', en: 'These overrides are lost:' },
  fieldErrors: {
    text: { de: (max: number) => `Höchstens ${max} Zeichen.`, en: (max: number) => `${max} characters at most.` },
    slug: {
      de: (max: number) => `Kleinbuchstaben, Ziffern und einzelne Bindestriche, höchstens ${max} Zeichen.`,
      en: (max: number) => `Lowercase letters, digits and single hyphens, ${max} characters at most.`,
    },
    lines: { de: (max: number) => `Höchstens ${max} Zeichen.`, en: (max: number) => `${max} characters at most.` },
    money: { de: 'Ein Preis in Euro, zum Beispiel 4,95.', en: 'A price in euros, for example 4.95.' },
    percent: { de: 'Eine Zahl von 0 bis 100, zum Beispiel 12,5.', en: 'A number from 0 to 100, for example 12.5.' },
    unit: { de: 'Bitte eine Einheit wählen.', en: 'Please choose a unit.' },
    step: { de: 'Eine ganze Zahl ab 1.', en: 'A whole number from 1.' },
    flag: { de: 'Bitte Ja, Nein oder geerbt wählen.', en: 'Please choose yes, no or inherited.' },
  },
  changeFault: {
    de: 'Eine Änderung wie +10 oder -2, oder =25 für den gezählten Bestand.',
    en: 'A change like +10 or -2, or =25 for the counted stock.',
  },
  initialStockFault: { de: 'Eine ganze Zahl ab 0.', en: 'A whole number from 0.' },
  thresholdFault: { de: 'Eine ganze Zahl ab 0, oder leer.', en: 'A whole number from 0, or nothing.' },
});

/** Texts of the CSV files of the inventory and of a product's movements. */
export const exportMessages = texts({
  exportFile: { de: 'sortiment', en: 'inventory' },
  exportColumns: {
    de: [
      'P1-ID',
      'PZN',
      'Name',
      'Kategorie',
      'Einheit',
      'Schritt',
      'Eigener Preis',
      'Katalogpreis',
      'Lagerbestand',
      'Reserviert',
      'Vorgemerkt',
      'Verfügbar',
      'Fehlmenge',
      'Meldebestand',
      'Shops',
    ],
    en: [
      'P1-ID',
      'PZN',
      'Name',
      'Category',
      'Unit',
      'Step',
      'Own price',
      'Catalog price',
      'On hand',
      'Promised',
      'Reserved',
      'Available',
      'Missing',
      'Threshold',
      'Shops',
    ],
  },
  exportCut: {
    de: (count: number) => `Nur die ersten ${count} Zeilen`,
    en: (count: number) => `Only the first ${count} rows`,
  },
  movementsFile: { de: 'bestandsbewegungen', en: 'stock-movements' },
});
