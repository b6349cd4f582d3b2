/** What is ordered. */
export const ORDERED = { name: 'Ibuprofen 400 mg', p1_id: 'P1-10001', quantity: 2, price: 4.95 };

/** The body of an order request, as JSON. @param pdf a prescription, in base64 */
export function orderRequest(reference: string, pdf?: string): string {
  return JSON.stringify({
    external_reference: reference,
    source: 'telemed.example',
    payload: {
      customer_name: 'Erika Mustermann',
      customer_email: 'erika@example.com',
      items: [ORDERED],
      ...(pdf && { prescription_pdf_base64: pdf }),
    },
  });
}
