/** Texts about products that several areas share. */
export const products = {
  fields: {
    name: { de: 'Name', en: 'Name' },
    slug: { de: 'Kurzname (URL)', en: 'Short name (URL)' },
    description: { de: 'Beschreibung', en: 'Description' },
    category: { de: 'Kategorie', en: 'Category' },
    price: { de: 'Preis', en: 'Price' },
    available: { de: 'Verfügbar', en: 'Available' },
    thc_percent: { de: 'THC in %', en: 'THC in %' },
    cbd_percent: { de: 'CBD in %', en: 'CBD in %' },
    available_for_pickup: { de: 'Abholung', en: 'Pickup' },
    available_for_shipping: { de: 'Versand', en: 'Shipping' },
    prescription_required: { de: 'Rezeptpflichtig', en: 'Prescription required' },
  },
};
