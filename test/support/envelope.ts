import { newId } from '../../src/platform/ids';

/** A valid envelope, with members replaced. */
export function envelope(payload: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  return {
    external_reference: `RX-${newId()}`,
    source: 'telemed.example',
    payload: {
      customer_name: 'Erika Mustermann',
      customer_email: 'erika@example.com',
      items: [{ name: 'Ibuprofen 400', quantity: 2, price: 4.95 }],
      ...payload,
    },
    ...rest,
  };
}

/** A small file that is a PDF as far as it is looked at. */
export const PDF_TEXT = '%PDF-1.7\n1 0 obj<</Type/Page>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
export const PDF_BASE64 = btoa(PDF_TEXT);
/** A prescription that no other test has: of two requests with the same one, the later is stopped. */
export const newPdf = (): string => btoa(`${PDF_TEXT}% ${crypto.randomUUID()}\n`);
