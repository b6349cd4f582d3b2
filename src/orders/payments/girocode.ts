import { RECIPIENT_LENGTH_MAX } from '../../tenants/limits';

/** What a customer has to pay, and to whom. */
export interface PaymentDue {
  recipient: string;
  iban: string;
  amountCents: number;
  /** Identifies the payment for the pharmacy; used as the purpose of the transfer. */
  reference: string;
}

const REFERENCE_MAX = 140;

/**
 * GiroCode: a SEPA transfer as a QR code (European Payments Council, EPC069-12 version 2.1): service tag, version 002,
 * UTF-8, SEPA credit transfer, no BIC, recipient, IBAN, amount, no purpose code, no structured reference, text.
 * @returns what a banking app scans
 */
export function giroCode({ recipient, iban, amountCents, reference }: PaymentDue): string {
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    oneLine(recipient, RECIPIENT_LENGTH_MAX),
    iban.replaceAll(' ', ''),
    `EUR${(amountCents / 100).toFixed(2)}`,
    '',
    '',
    oneLine(reference, REFERENCE_MAX),
  ].join('\n');
}

/** A line break would start another field, and an unpaired surrogate is not a character. */
function oneLine(text: string, charactersMax: number): string {
  return [...text.replace(/\s+/g, ' ')].slice(0, charactersMax).join('');
}

/** The purpose text of an order's payment: short enough to type, unique within an organization. */
export function paymentReference(orderNumber: number): string {
  return `BESTELLUNG ${orderNumber}`;
}
