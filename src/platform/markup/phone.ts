/** The link that dials a number as people write it. A bracketed zero behind a country's code is not dialed. */
export function telOf(phone: string): string {
  return `tel:${phone.replace('(0)', '').replace(/[^\d+]/g, '')}`;
}
