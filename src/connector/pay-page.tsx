import { renderSVG } from 'uqr';
import type { PaymentPage } from '../orders/service';
import { completeCss } from '../platform/markup/css';
import { Markup } from '../platform/markup/markup';
import { once } from '../platform/once';
import { TIME_ZONE } from '../platform/pharmacy-time';
import styles from './pay-page.css' with { type: 'text' };

/** EPC069-12 requires error correction level M, ISO 18004 §6.3.8 a white margin of four modules. */
const QR = { ecc: 'M', border: 4 } as const;

export type Language = 'de' | 'en';

const WORDS = {
  de: {
    title: 'Bestellung bezahlen',
    endedTitle: 'Ihre Bestellung',
    open: 'Offen',
    paid: 'Bezahlt',
    voided: 'Nicht mehr gültig',
    expired: 'Abgelaufen',
    scan: 'Mit der Banking-App scannen (GiroCode) oder die Angaben in eine Überweisung übernehmen.',
    paidText: 'Diese Bestellung ist bezahlt. Vielen Dank.',
    endedText: 'Über diesen Link kann nicht mehr bezahlt werden. Bitte fragen Sie Ihre Apotheke.',
    recipient: 'Empfänger',
    reference: 'Verwendungszweck',
    validUntil: 'Gültig bis',
    qr: 'GiroCode zum Scannen mit der Banking-App',
    test: 'TEST: Bitte nicht bezahlen.',
  },
  en: {
    title: 'Pay your order',
    endedTitle: 'Your order',
    open: 'Open',
    paid: 'Paid',
    voided: 'No longer valid',
    expired: 'Expired',
    scan: 'Scan with your banking app (GiroCode), or copy the details into a bank transfer.',
    paidText: 'This order is paid. Thank you.',
    endedText: 'This link cannot be used to pay any more. Please ask your pharmacy.',
    recipient: 'Recipient',
    reference: 'Reference',
    validUntil: 'Valid until',
    qr: 'GiroCode to scan with a banking app',
    test: 'TEST: please do not pay.',
  },
} as const;

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const;

export const paymentStyles = once(() => completeCss(styles));

/** The page of a payment link for the customer. Works without scripts and on phones. */
export function PayPage({ page, language }: { page: PaymentPage; language: Language }) {
  const words = WORDS[language];
  const locale = LOCALES[language];
  const amount = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(page.amountCents / 100);
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: TIME_ZONE }).format(page.expiresAt);
  const isOpen = page.state === 'open';
  const isOver = page.state === 'voided' || page.state === 'expired';
  const title = isOpen ? words.title : words.endedTitle;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{page.isTest ? `TEST · ${title}` : title}</title>
        {/* Not escaped, because it is a constant; the Content-Security-Policy has its hash. */}
        <style>{new Markup(paymentStyles())}</style>
      </head>
      <body>
        <main>
          {page.isTest && <p class="test">{words.test}</p>}
          <h1>{title}</h1>
          <span class={isOver ? 'state over' : `state ${page.state}`}>{words[page.state]}</span>
          <div class="card">
            <div class="amount">{amount}</div>
            {page.qrText === null ? (
              <p>{page.state === 'paid' ? words.paidText : words.endedText}</p>
            ) : (
              <>
                <p>{words.scan}</p>
                {/* Not escaped: the SVG has only squares, and does not contain the encoded text itself. */}
                <div class="qr" role="img" aria-label={words.qr}>
                  {new Markup(renderSVG(page.qrText, QR))}
                </div>
              </>
            )}
            <dl>
              <dt>{words.recipient}</dt>
              <dd dir="auto">{page.recipient}</dd>
              {isOpen && (
                <>
                  <dt>IBAN</dt>
                  <dd>{page.iban.replace(/(.{4})(?=.)/g, '$1 ')}</dd>
                </>
              )}
              <dt>{words.reference}</dt>
              <dd>{page.reference}</dd>
              {isOpen && (
                <>
                  <dt>{words.validUntil}</dt>
                  <dd>{until}</dd>
                </>
              )}
            </dl>
          </div>
        </main>
      </body>
    </html>
  );
}
