import { texts } from '../http/language';
import { products as shared } from '../ui/order-messages';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  tabs: {
    all: ['Ganzes Sortiment', 'Whole inventory'],
    low: ['Unter Meldebestand', 'Below threshold'],
    out: ['Ausverkauft', 'Out of stock'],
    missing: ['Fehlmenge (Defekt)', 'Missing'],
  },
  search: ['Suche im Sortiment', 'Search the inventory'],
  searchCatalog: ['Suche im Katalog', 'Search the catalog'],
  searchHint: ['Name, PZN, Scan', 'Name, PZN, scan'],
  product: ['Produkt', 'Product'],
  ownPriceInsteadOf: (price: string) => [`Eigener Preis, Katalog ${price}`, `Own price, catalog ${price}`],
  inStock: (count: string) => [`${count} im Sortiment`, `${count} in the inventory`],
  ofThreshold: (threshold: number) => [`von ${threshold}`, `of ${threshold}`],
  outOfStock: ['ausverkauft', 'out of stock'],
  low: ['unter Meldebestand', 'below threshold'],
  notOffered: ['nicht angeboten', 'not offered'],
  ofAll: (part: string | number, all: string | number) => [`${part} von ${all}`, `${part} of ${all}`],
  notHeldYet: (pzn: string) => [
    `PZN ${pzn} ist nicht im Sortiment, aber im Katalog:`,
    `PZN ${pzn} is not in the inventory, but in the catalog:`,
  ],
  unknownPzn: (pzn: string) => [
    `PZN ${pzn} kennen weder Ihr Sortiment noch der Katalog.`,
    `PZN ${pzn} is in neither your inventory nor the catalog.`,
  ],
  noPzn: (gtin: string) => [
    `In diesem Code (GTIN ${gtin}) steht keine PZN. Bitte nach dem Namen suchen.`,
    `This code (GTIN ${gtin}) holds no PZN. Please search by name.`,
  ],
  changeStock: ['Bestand ändern', 'Change stock'],
  changeOf: (name: string) => [`Änderung für ${name}`, `Change for ${name}`],
  change: ['Änderung', 'Change'],
  changeHint: ['+10 geliefert, −2 Korrektur, =25 gezählt', '+10 delivered, −2 corrected, =25 counted'],
  usual: ['nach Art der Buchung', 'by kind of entry'],
  book: ['Buchen', 'Apply'],
  saved: ['Gebucht', 'Saved'],
  rowGone: [
    'Die Änderung ist nicht gebucht, und das Produkt steht nicht mehr auf dieser Seite.',
    'The change was not saved, and the product is no longer on this page.',
  ],
  openProduct: ['Zum Produkt', 'To the product'],
  firstPage: ['Zum Anfang', 'To the start'],
  nextPage: ['Weitere', 'More'],
  emptyTitle: ['Noch nichts im Sortiment', 'Nothing in the inventory yet'],
  empty: ['Beginnen Sie mit dem Katalog.', 'Start with the catalog.'],
  nothingFound: ['Kein Treffer im Sortiment.', 'Nothing in your inventory matches.'],
  noneLow: ['Nichts liegt unter seinem Meldebestand.', 'Nothing is below its threshold.'],
  noneOut: ['Nichts ist ausverkauft.', 'Nothing is out of stock.'],
  importTitle: ['Bestand importieren', 'Import stock'],
  noneMissing: [
    'Was reserviert ist, ist nach der letzten Zählung auch vorrätig.',
    'According to the last count, everything that is promised is in stock.',
  ],
  promisedOf: (onHand: number, promised: number, reserved: number) => [
    `Lagerbestand ${onHand}, reserviert ${promised}${reserved > 0 ? `, vorgemerkt ${reserved}` : ''}`,
    `${onHand} on hand, ${promised} promised${reserved > 0 ? `, ${reserved} reserved` : ''}`,
  ],
  reservedFor: (count: number, time: string) => [`${count} vorgemerkt bis ${time}`, `${count} reserved until ${time}`],
  shortage: (missing: number) => [`${missing} Fehlmenge`, `${missing} short`],
  shortageLead: [
    'Gezählt wurde weniger, als für Bestellungen reserviert ist. Zählung, Lieferung oder Stornierung beendet das.',
    'Fewer were counted than are promised to orders. Another count, a delivery or a cancellation ends this.',
  ],
  addTitle: ['Aus dem Katalog aufnehmen', 'Add from the catalog'],
  addLead: [
    'In welchem Shop ein Produkt zu sehen ist, wählen Sie danach auf seiner Seite.',
    'Afterwards choose on a product’s page which shops show it.',
  ],
  addRefused: ['Aufnehmen können Inhaber und Apotheker.', 'Owners and pharmacists may add products.'],
  catalogNothing: ['Kein Treffer im Katalog.', 'Nothing in the catalog matches.'],
  catalogEmpty: [
    'Der Katalog ist noch leer. Der Betreiber von Offizin füllt ihn.',
    'The catalog is still empty. The operator of Offizin fills it.',
  ],
  held: (stock: number) => [`Im Sortiment, Bestand ${stock}`, `In the inventory, stock ${stock}`],
  initialStockOf: (name: string) => [`Anfangsbestand von ${name}`, `Initial stock of ${name}`],
  ownPriceOf: (name: string) => [`Eigener Preis von ${name}, freiwillig`, `Own price of ${name}, optional`],
  take: ['Aufnehmen', 'Add'],
  createOwn: ['Eigenes Produkt anlegen', 'Add your own product'],
  notInCatalog: ['Nicht im Katalog?', 'Not in the catalog?'],
  newTitle: ['Eigenes Produkt', 'Own product'],
  newLead: [
    'Für alles, was der Katalog nicht hat. Nur Ihre Apotheke sieht es. Ob ein Rezept nötig ist, legen Sie hier fest.',
    'For anything the catalog does not have. Only your pharmacy sees it. Choose here whether it needs a prescription.',
  ],
  nameFault: ['Bitte einen Namen angeben.', 'Please enter a name.'],
  pznFault: ['Diese PZN stimmt nicht. Bitte prüfen.', 'This PZN is wrong. Please check it.'],
  asAdded: ['wie angelegt', 'as added'],
  twinLead: (name: string) => [
    `Der Katalog hat diese PZN jetzt auch: ${name}.`,
    `The catalog now has this PZN, too: ${name}.`,
  ],
  join: ['Zusammenführen', 'Merge'],
  joinTitle: (product: string) => [`${product} mit dem Katalog zusammenführen?`, `Merge ${product} with the catalog?`],
  joinTexts: (name: string) => [
    [
      `Verfügbarer Bestand und Shops gehen über auf: ${name}. PZN und Packungen führen dann dorthin.`,
      'Bestellungen bleiben, wie sie sind. Was für sie reserviert ist, bleibt beim eigenen Produkt.',
    ],
    [
      `Available stock and shops move to: ${name}. The PZN and packs lead there from then on.`,
      'Orders stay as they are. What is promised to them stays with your own product.',
    ],
  ],
  back: ['Zurück zur Liste', 'Back to the list'],
  matrixTitle: ['Werte je Shop', 'Values in each shop'],
  ownValues: (count: number) =>
    count === 0
      ? ['Alles kommt vom Katalog.', 'Everything comes from the catalog.']
      : [
          `${count} ${count === 1 ? 'eigener Wert' : 'eigene Werte'}, der Rest ist geerbt`,
          `${count} own ${count === 1 ? 'value' : 'values'}, the rest is inherited`,
        ],
  inheritedMore: (count: number) => [`${count} weitere Angaben, alle geerbt`, `${count} more fields, all inherited`],
  metadataOf: (shops: number) => [
    `Metadaten von ${shops} ${shops === 1 ? 'Shop' : 'Shops'} (über die API)`,
    `Metadata of ${shops} ${shops === 1 ? 'shop' : 'shops'} (by the API)`,
  ],
  insteadOf: (value: string) => [`statt ${value}`, `instead of ${value}`],
  catalog: ['Katalog', 'Catalog'],
  editOrganization: ['Angaben ändern', 'Edit the values'],
  editShop: (shop: string) => [`Angaben im Shop ${shop} bearbeiten`, `Edit the values in the shop ${shop}`],
  inactive: ['Shop ist abgeschaltet', 'Shop is switched off'],
  attach: ['Anbieten', 'Offer'],
  attachIn: (shop: string) => [`Im Shop ${shop} anbieten`, `Offer in the shop ${shop}`],
  attachNeedsStock: ['Anbieten geht, sobald der Bestand über 0 liegt.', 'It can be offered once the stock is above 0.'],
  detach: ['Herausnehmen', 'Remove'],
  detachFrom: (shop: string) => [`Aus dem Shop ${shop} herausnehmen`, `Remove from the shop ${shop}`],
  reset: ['Zurücksetzen', 'Reset'],
  sources: {
    catalog: ['geerbt vom Katalog', 'inherited from the catalog'],
    organization: ['geerbt von der Apotheke', 'inherited from the pharmacy'],
    shop: ['hier überschrieben', 'overridden here'],
    default: ['Vorgabe', 'by default'],
  },
  ownValue: ['eigener Wert', 'own value'],
  yes: ['Ja', 'Yes'],
  no: ['Nein', 'No'],
  none: ['–', '–'],
  fields: shared.fields,
  editTitle: (product: string) => [`${product}: Angaben der Apotheke`, `${product}: the pharmacy’s values`],
  editShopTitle: (product: string, shop: string) => [`${product} im Shop ${shop}`, `${product} in the shop ${shop}`],
  editLead: [
    'Ein leeres Feld übernimmt den grauen Wert. Gespeichert wird nur, was Sie ändern.',
    'An empty field takes the gray value. Only what you change is saved.',
  ],
  inherits: (value: string, source: string) => [`${value} (${source})`, `${value} (${source})`],
  fromCatalog: ['Katalog', 'catalog'],
  fromOrganization: ['Apotheke', 'pharmacy'],
  fromDefault: ['Vorgabe', 'default'],
  // The category is stored in German, like those of the catalog.
  ownCategory: ['Eigene Produkte', 'Eigene Produkte: own products'],
  changedTo: (value: string) => [
    `Inzwischen steht hier: ${value}. Noch einmal speichern ersetzt den neuen Wert.`,
    `In the meantime this became: ${value}. Saving again replaces the new value.`,
  ],
  thresholdHint: (threshold: number) => [
    `Ohne Eintrag gilt der Ihrer Apotheke: ${threshold}.`,
    `If empty, your pharmacy’s threshold applies: ${threshold}.`,
  ],
  movementsTitle: ['Bestandsbewegungen', 'Stock movements'],
  movementsEmpty: ['Noch keine Bewegung.', 'No movement yet.'],
  after: ['Verfügbar', 'Available'],
  onHand: ['Lagerbestand', 'On hand'],
  changeUnit: ['Einheit wechseln', 'Change the unit'],
  changeUnitTitle: (product: string) => [`${product}: Einheit wechseln`, `${product}: change the unit`],
  changeUnitLead: [
    'Zählen Sie den Bestand in der neuen Einheit: Er ersetzt den bisherigen. Offene Bestellungen darf es für das Produkt keine geben.',
    'Count the stock in the new unit: it replaces the current stock. The product may not be in an open order.',
  ],
  changeUnitHeld: (held: string) => [
    `${held} sind für Bestellungen reserviert oder für Anfragen vorgemerkt. Schließen oder stornieren Sie diese zuerst.`,
    `${held} are promised to orders or reserved for requests. Close or cancel those first.`,
  ],
  countedNow: ['Gezählt, in der neuen Einheit', 'Counted, in the new unit'],
  priceOfNewUnit: ['Preis je neuer Einheit', 'Price of a new unit'],
  remove: ['Aus dem Sortiment nehmen', 'Remove from the inventory'],
  removeTitle: (product: string) => [`${product} aus dem Sortiment nehmen?`, `Remove ${product} from the inventory?`],
  removeStock: (stock: number) => [`Der Bestand von ${stock} wird ausgebucht.`, `Stock of ${stock} is written off.`],
  removeShops: ['Danach fehlt es in diesen Shops:', 'These shops will no longer have it:'],
  removeNoShop: ['Kein Shop bietet es an.', 'No shop offers it.'],
  removeLead: [
    'Eigene Angaben und Überschreibungen gehen verloren. Bestellungen bleiben, wie sie sind.',
    'Own values and overrides are lost. Orders stay as they are.',
  ],
  detachTitle: (product: string, shop: string) => [
    `${product} aus dem Shop ${shop} herausnehmen?`,
    `Remove ${product} from the shop ${shop}?`,
  ],
  detachLead: [
    'Im Sortiment bleibt es, mit Bestand und den Angaben der Apotheke.',
    'It stays in the inventory, with its stock and the pharmacy’s values.',
  ],
  detachOverrides: ['Diese Überschreibungen gehen verloren:', 'These overrides are lost:'],
  fieldErrors: {
    text: (max: number) => [`Höchstens ${max} Zeichen.`, `${max} characters at most.`],
    slug: (max: number) => [
      `Kleinbuchstaben, Ziffern und einzelne Bindestriche, höchstens ${max} Zeichen.`,
      `Lowercase letters, digits and single hyphens, ${max} characters at most.`,
    ],
    lines: (max: number) => [`Höchstens ${max} Zeichen.`, `${max} characters at most.`],
    money: ['Ein Preis in Euro, zum Beispiel 4,95.', 'A price in euros, for example 4.95.'],
    percent: ['Eine Zahl von 0 bis 100, zum Beispiel 12,5.', 'A number from 0 to 100, for example 12.5.'],
    unit: ['Bitte eine Einheit wählen.', 'Please choose a unit.'],
    step: ['Eine ganze Zahl ab 1.', 'A whole number, 1 or more.'],
    flag: ['Bitte Ja, Nein oder geerbt wählen.', 'Please choose yes, no or inherited.'],
  },
  changeFault: [
    'Eine Änderung wie +10 oder −2, oder =25 für den gezählten Bestand.',
    'A change like +10 or −2, or =25 for the counted stock.',
  ],
  initialStockFault: ['Eine ganze Zahl ab 0.', 'A whole number, 0 or more.'],
  thresholdFault: ['Eine ganze Zahl ab 0, oder leer.', 'A whole number, 0 or more, or empty.'],
});

/** Texts of the CSV files of the inventory and of a product's movements. */
export const exportMessages = texts({
  exportFile: ['sortiment', 'inventory'],
  exportColumns: [
    'P1-ID;PZN;Name;Kategorie;Einheit;Schritt;Eigener Preis;Katalogpreis;Lagerbestand;Reserviert;Vorgemerkt;Verfügbar;Fehlmenge;Meldebestand;Shops'.split(
      ';',
    ),
    'P1-ID;PZN;Name;Category;Unit;Step;Own price;Catalog price;On hand;Promised;Reserved;Available;Missing;Threshold;Shops'.split(
      ';',
    ),
  ],
  exportCut: (count: number) => [`Nur die ersten ${count} Zeilen`, `Only the first ${count} rows`],
  movementsFile: ['bestandsbewegungen', 'stock-movements'],
});
