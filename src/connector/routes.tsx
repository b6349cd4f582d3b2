import { Hono } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { renderSVG } from 'uqr';
import { atHost } from '../directory/route';
import { listOffered } from '../inventory/browse';
import { getOptOut, optOut } from '../messages/sending';
import { MESSAGE_WORDS } from '../messages/texts';
import { getPaymentPage, type PaymentPage } from '../orders/payments/links';
import { type HttpContext, type HttpEnv, LOCALES, type PageLanguage, pageLanguage, urlOf } from '../platform/http/http';
import { hostOf } from '../platform/http/outgoing';
import { policyOf } from '../platform/http/rate-limit';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';
import { telOf } from '../platform/markup/phone';
import { TIME_ZONE } from '../platform/pharmacy-time';
import { townOf } from '../tenants/rules';
import { offeredQuerySchema, wireOffered, wireOwnShop } from '../wire/offered';
import { authenticate, readQuery } from './authenticate';
import {
  answerStatus,
  answerStatusOfReference,
  answerSubmission,
  answerSupplement,
  answerWithdrawal,
  refuseOtherMethod,
} from './sent-requests';

/** `GET /api/v1/shop` */
async function answerOwnShop(c: HttpContext): Promise<Response> {
  const { ctx, shop } = await authenticate(c, 'read');
  return c.json(wireOwnShop(shop), 200, { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connectorReads') });
}

/** `GET /api/v1/products` */
async function answerProducts(c: HttpContext): Promise<Response> {
  const { ctx, shop, integration, stockShown } = await authenticate(c, 'read');
  const { cursor, updated_after: updatedAfter, ...query } = readQuery(c, offeredQuerySchema);
  const wanted = { ...query, updatedAfter, shopId: shop.id, after: cursor ?? null };
  const offered = await listOffered(ctx, wanted, integration.keyUse);
  return c.json(wireOffered(offered, stockShown), 200, {
    'Cache-Control': 'no-store',
    ...policyOf(ctx, 'connectorReads'),
  });
}

/** `GET /messages/{token}` on a shop's host: the opt-out page that emails link to. Opening it changes nothing. */
async function answerOptOutPage(c: HttpContext): Promise<Response> {
  const { ctx, asked } = await askedBy(c);
  const { language, shopName, isOut } = await getOptOut(ctx, asked);
  const words = MESSAGE_WORDS[language];
  const title = isOut ? words.noMoreDone : words.noMoreTitle;
  const page = (
    <OutsidePage language={pageLanguage(c.req.raw)} title={title} name={shopName} class="narrow">
      <div lang={language} dir={words.isRightToLeft ? 'rtl' : 'ltr'}>
        <h1>{title}</h1>
        {!isOut && (
          <form method="post">
            <button type="submit" class="primary">
              {words.noMoreButton}
            </button>
          </form>
        )}
      </div>
    </OutsidePage>
  );
  const headers = await outsideHeaders();
  return c.html(`<!doctype html>${page}`, 200, {
    ...headers,
    'Content-Security-Policy': (headers['Content-Security-Policy'] ?? '').replace(
      "form-action 'none'",
      "form-action 'self'",
    ),
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  });
}

/**
 * `POST /messages/{token}`: opts out. Anybody with the link may send it, repeatedly. Mail programs post it by
 * themselves, without cookies, and follow no redirect (RFC 8058 §3.1).
 */
async function answerOptOut(c: HttpContext): Promise<Response> {
  const { ctx, asked } = await askedBy(c);
  await optOut(ctx, asked);
  return answerOptOutPage(c);
}

async function askedBy(c: HttpContext) {
  const host = hostOf(urlOf(c.req.raw));
  return { ctx: await atHost(c.var.ctx, host), asked: { token: c.req.param('token') ?? '', host } };
}

/** Routes on a shop's host, for platforms that send requests and for customers who pay or opt out of emails. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.get('/messages/:token', answerOptOutPage);
connectorRoutes.post('/messages/:token', answerOptOut);
connectorRoutes.post('/api/v1/external-order', answerSubmission);
connectorRoutes.get('/api/v1/external-order', answerStatusOfReference);
connectorRoutes.all('/api/v1/external-order', refuseOtherMethod);
connectorRoutes.get('/api/v1/external-order/:id', answerStatus);
connectorRoutes.delete('/api/v1/external-order/:id', answerWithdrawal);
connectorRoutes.post('/api/v1/external-order/:id/supplement', answerSupplement);
connectorRoutes.get('/api/v1/shop', answerOwnShop);
connectorRoutes.get('/api/v1/products', answerProducts);

/** `GET /pay/{token}` on a shop's host, accessible to anybody with the link. */
async function answerPayPage(c: HttpContext): Promise<Response> {
  const host = hostOf(urlOf(c.req.raw));
  const ctx = await atHost(c.var.ctx, host);
  const page = await getPaymentPage(ctx, { token: c.req.param('token') ?? '', host });
  return c.html(`<!doctype html>${<PayPage page={page} language={pageLanguage(c.req.raw)} />}`, 200, {
    ...(await outsideHeaders(COPY_SCRIPT)),
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  });
}

/** EPC069-12 requires error correction level M; ISO 18004 §6.3.8 requires a white margin of four modules. */
const QR = { ecc: 'M', border: 4 } as const;

const WORDS = {
  de: {
    title: 'Bestellung bezahlen',
    endedTitle: 'Ihre Bestellung',
    order: 'Bestellung',
    open: 'Noch nicht bezahlt',
    paid: 'Bezahlt',
    voided: 'Nicht mehr gültig',
    expired: 'Abgelaufen',
    take: 'Angaben übernehmen',
    scanTitle: 'Code scannen',
    scan: 'Mit der Banking-App auf einem anderen Gerät (GiroCode). Alles ist dann ausgefüllt.',
    paidText: 'Diese Bestellung ist bezahlt. Vielen Dank.',
    expiredText:
      'Die Frist dieses Links ist vorbei. Bitte überweisen Sie nicht mehr, sondern fragen Sie Ihre Apotheke nach einem neuen.',
    voidedText:
      'Betrag oder Bestellung haben sich geändert. Bitte überweisen Sie nicht mehr, sondern fragen Sie Ihre Apotheke.',
    recipient: 'Empfänger',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    validUntil: 'Gültig bis',
    after: 'Überweisungen kommen meist am nächsten Werktag an.',
    qr: 'GiroCode zum Scannen mit der Banking-App',
    copy: 'Kopieren',
    copied: 'Kopiert',
    test: 'TEST: Bitte nicht bezahlen.',
  },
  en: {
    title: 'Pay your order',
    endedTitle: 'Your order',
    order: 'Order',
    open: 'Not paid yet',
    paid: 'Paid',
    voided: 'No longer valid',
    expired: 'Expired',
    take: 'Copy the details',
    scanTitle: 'Scan the code',
    scan: 'With the banking app on another device (GiroCode). Everything is then filled in.',
    paidText: 'This order is paid. Thank you.',
    expiredText:
      'The time for this link is over. Please do not transfer any more, but ask your pharmacy for a new one.',
    voidedText: 'The amount or the order has changed. Please do not transfer any more, but ask your pharmacy.',
    recipient: 'Recipient',
    amount: 'Amount',
    reference: 'Reference, exactly as shown',
    validUntil: 'Valid until',
    after: 'Transfers usually arrive on the next working day.',
    qr: 'GiroCode to scan with a banking app',
    copy: 'Copy',
    copied: 'Copied',
    test: 'TEST: please do not pay.',
  },
} as const;

/** Shows and enables the copy buttons. Without the script, a tap selects a value. */
const COPY_SCRIPT =
  "for(const b of document.querySelectorAll('[data-copy]'))if(navigator.clipboard){b.hidden=false;" +
  'b.onclick=async()=>{const t=b.firstChild,w=t.data;try{await navigator.clipboard.writeText(b.dataset.copy)}catch{return}' +
  't.data=b.dataset.copied;setTimeout(()=>{t.data=w},2000)}}';

/** The page of a payment link for the customer. Works without scripts and on phones. */
function PayPage({ page, language }: { page: PaymentPage; language: PageLanguage }) {
  const words = WORDS[language];
  const euros = page.amountCents / 100;
  const amount = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency: 'EUR' }).format(euros);
  const isOver = page.state === 'voided' || page.state === 'expired';
  const title = page.state === 'open' ? words.title : words.endedTitle;
  return (
    <OutsidePage
      language={language}
      title={title}
      name={page.shop.shopName}
      class={page.state === 'open' ? 'pay' : 'narrow'}
      test={page.isTest ? words.test : undefined}
      script={page.state === 'open' ? COPY_SCRIPT : undefined}
    >
      <h1 class="unseen">{title}</h1>
      <p class="quiet">
        {words.order} {String(page.orderNumber)}
        <Place shop={page.shop} />
      </p>
      <p class="amount">
        <b>{amount}</b>
      </p>
      <span class={isOver ? 'state over' : `state ${page.state}`}>{words[page.state]}</span>
      {page.state === 'open' ? (
        <Ways {...{ page, language, amount }} />
      ) : (
        <div class="card">
          <p role="status">{words[`${page.state}Text`]}</p>
          <p class="quiet">
            <bdi>{page.recipient}</bdi>, {page.reference}
          </p>
        </div>
      )}
    </OutsidePage>
  );
}

/** The shop's address and phone number, if known. */
function Place({ shop }: Pick<PaymentPage, 'shop'>) {
  const { street, phone } = shop;
  const parts: Child[] = [street, townOf(shop)].filter((part) => part).map((part) => <bdi>{part}</bdi>);
  if (phone) parts.push(<a href={telOf(phone)}>{phone}</a>);
  return parts.map((part) => (
    <>
      {' · '}
      {part}
    </>
  ));
}

interface WaysProps {
  page: PaymentPage;
  language: PageLanguage;
  /** Formatted amount. */
  amount: string;
}

/**
 * The ways to pay. The data to copy comes before the code to scan, because nobody can scan the screen of the phone in
 * their hand.
 */
function Ways({ page, language, amount }: WaysProps) {
  const words = WORDS[language];
  const locale = LOCALES[language];
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: TIME_ZONE }).format(page.expiresAt);
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false });
  const iban = page.iban.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <div class="ways">
      <section class="card">
        <h2>{words.take}</h2>
        <dl class="copy">
          <ToCopy words={words} name={words.recipient} shown={page.recipient} copied={page.recipient} />
          <ToCopy words={words} name="IBAN" shown={iban} copied={page.iban} />
          <ToCopy words={words} name={words.amount} shown={amount} copied={plain.format(page.amountCents / 100)} />
          <ToCopy words={words} name={words.reference} shown={page.reference} copied={page.reference} />
        </dl>
        <p class="quiet">
          {words.validUntil} {until}. {words.after}
        </p>
      </section>
      {page.qrText !== null && (
        <section class="card">
          <h2>{words.scanTitle}</h2>
          <p class="quiet">{words.scan}</p>
          {/* Not escaped: the SVG has only squares, and does not contain the encoded text itself. */}
          <div class="qr" role="img" aria-label={words.qr}>
            {raw(renderSVG(page.qrText, QR))}
          </div>
        </section>
      )}
    </div>
  );
}

interface ToCopyProps {
  words: { copy: string; copied: string };
  name: string;
  shown: string;
  copied: string;
}

function ToCopy({ words, name, shown, copied }: ToCopyProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{shown}</bdi>
        <button type="button" hidden data-copy={copied} data-copied={words.copied}>
          {words.copy}
          <span class="unseen">: {name}</span>
        </button>
      </dd>
    </>
  );
}
