/** What is dialed of a number as people write it: its digits and signs, without a bracketed zero behind a country's code. */
export function dialed(phone: string): string {
  const own = /^[\s(]*(?:\+|00)/.test(phone) ? phone.replace('(0)', '') : phone;
  return own.replace(/[^\d+]/g, '');
}

/** The link that dials it. */
export function telOf(phone: string): string {
  return `tel:${dialed(phone)}`;
}
