import { dialed } from '../platform/markup/phone';
import { type Day, dayOf, TIME_ZONE } from '../platform/pharmacy-time';
import { townOf } from '../tenants/rules';
import type { shops } from '../tenants/tables';
import { MESSAGE_LANGUAGES, type MessageKind, type MessageLanguage } from './tables';

/** The facts that a message may contain: no items, no reasons, and no free text. */
export interface MessageFacts {
  /** The number of the order; null if the order has none. The message then names the day of the order. */
  number: string | null;
  /** Epoch ms. */
  orderedAt: number;
  shop: ShopFacts;
  /** The day on which the missing packs arrive. */
  day?: Day | null;
  trackingUrl?: string | null;
}

type ShopFacts = Pick<typeof shops.$inferSelect, 'name' | 'street' | 'postalCode' | 'city' | 'phone' | 'openingHours'>;

interface MessageText {
  subject: string;
  /** Lines end with `\n`. */
  text: string;
}

interface Words {
  /** The name of the language, in the language itself. */
  name: string;
  locale: string;
  isRightToLeft?: true;
  hello: string;
  /**
   * Names the day of an order that has no number. Each function below takes the number, or these words, as `order`.
   */
  of: (day: string) => string;
  subject: (order: string) => string;
  ready: (order: string) => string;
  later: (order: string, day: string) => string;
  shipped: (order: string) => string;
  question: (order: string) => string;
  rejected: (order: string) => string;
  tracking: string;
  noMore: string;
  noMoreTitle: string;
  noMoreButton: string;
  noMoreDone: string;
}

export const MESSAGE_WORDS: Readonly<Record<MessageLanguage, Words>> = {
  de: {
    name: 'Deutsch',
    locale: 'de-DE',
    hello: 'Guten Tag,',
    of: (day) => `vom ${day}`,
    subject: (order) => `Ihre Bestellung ${order}`,
    ready: (order) => `Ihre Bestellung ${order} liegt zur Abholung bereit.`,
    later: (order, day) => `ein Teil Ihrer Bestellung ${order} liegt zur Abholung bereit. Der Rest kommt am ${day}.`,
    shipped: (order) => `Ihre Bestellung ${order} ist unterwegs.`,
    question: (order) =>
      `wir haben eine Frage zu Ihrer Bestellung ${order}. Bitte rufen Sie uns an oder antworten Sie auf diese Nachricht.`,
    rejected: (order) =>
      `Ihre Bestellung ${order} können wir leider nicht ausführen. Wenn Sie Fragen haben, rufen Sie uns bitte an.`,
    tracking: 'Sendung verfolgen:',
    noMore: 'Keine solchen E-Mails mehr:',
    noMoreTitle: 'Keine E-Mails zu Ihren Bestellungen mehr?',
    noMoreButton: 'Keine E-Mails mehr senden',
    noMoreDone: 'Wir senden Ihnen keine E-Mails zu Ihren Bestellungen mehr.',
  },
  en: {
    name: 'English',
    locale: 'en-US',
    hello: 'Hello,',
    of: (day) => `of ${day}`,
    subject: (order) => `Your order ${order}`,
    ready: (order) => `Your order ${order} is ready for pickup.`,
    later: (order, day) => `Part of your order ${order} is ready for pickup. The rest will be here on ${day}.`,
    shipped: (order) => `Your order ${order} is on its way.`,
    question: (order) => `We have a question about your order ${order}. Please call us or reply to this message.`,
    rejected: (order) => `Unfortunately we cannot fulfill your order ${order}. If you have questions, please call us.`,
    tracking: 'Track your parcel:',
    noMore: 'No more e-mails like this:',
    noMoreTitle: 'No more e-mails about your orders?',
    noMoreButton: 'Stop sending e-mails',
    noMoreDone: 'We no longer send you e-mails about your orders.',
  },
  tr: {
    name: 'Türkçe',
    locale: 'tr-TR',
    hello: 'Merhaba,',
    of: (day) => `(${day})`,
    subject: (order) => `Siparişiniz ${order}`,
    ready: (order) => `Siparişiniz ${order} teslim almanız için hazır.`,
    later: (order, day) =>
      `Siparişinizin (${order}) bir kısmı teslim almanız için hazır. Kalanı şu tarihte gelecek: ${day}.`,
    shipped: (order) => `Siparişiniz ${order} yola çıktı.`,
    question: (order) => `Siparişiniz ${order} hakkında bir sorumuz var. Lütfen bizi arayın veya bu mesajı yanıtlayın.`,
    rejected: (order) => `Siparişinizi ${order} maalesef yerine getiremiyoruz. Sorularınız varsa lütfen bizi arayın.`,
    tracking: 'Gönderi takibi:',
    noMore: 'Bu tür e-postaları almamak için:',
    noMoreTitle: 'Siparişlerinizle ilgili e-posta almak istemiyor musunuz?',
    noMoreButton: 'E-posta gönderilmesin',
    noMoreDone: 'Siparişlerinizle ilgili artık e-posta göndermeyeceğiz.',
  },
  ar: {
    name: 'العربية',
    locale: 'ar',
    isRightToLeft: true,
    hello: 'مرحباً،',
    of: (day) => `بتاريخ ${day}`,
    subject: (order) => `طلبكم ${order}`,
    ready: (order) => `طلبكم ${order} جاهز للاستلام.`,
    later: (order, day) => `جزء من طلبكم ${order} جاهز للاستلام. يصل الباقي في ${day}.`,
    shipped: (order) => `طلبكم ${order} في الطريق إليكم.`,
    question: (order) => `لدينا سؤال بخصوص طلبكم ${order}. يرجى الاتصال بنا أو الرد على هذه الرسالة.`,
    rejected: (order) => `للأسف لا يمكننا تنفيذ طلبكم ${order}. إذا كانت لديكم أسئلة فيرجى الاتصال بنا.`,
    tracking: 'تتبع الشحنة:',
    noMore: 'لإيقاف هذه الرسائل:',
    noMoreTitle: 'إيقاف الرسائل الإلكترونية بخصوص طلباتكم؟',
    noMoreButton: 'إيقاف الرسائل',
    noMoreDone: 'لن نرسل إليكم بعد الآن رسائل إلكترونية بخصوص طلباتكم.',
  },
  ru: {
    name: 'Русский',
    locale: 'ru-RU',
    hello: 'Здравствуйте!',
    of: (day) => `от ${day}`,
    subject: (order) => `Ваш заказ ${order}`,
    ready: (order) => `Ваш заказ ${order} готов к получению.`,
    later: (order, day) => `Часть вашего заказа ${order} готова к получению. Остальное поступит: ${day}.`,
    shipped: (order) => `Ваш заказ ${order} в пути.`,
    question: (order) =>
      `У нас есть вопрос по вашему заказу ${order}. Пожалуйста, позвоните нам или ответьте на это сообщение.`,
    rejected: (order) =>
      `К сожалению, мы не можем выполнить ваш заказ ${order}. Если у вас есть вопросы, позвоните нам.`,
    tracking: 'Отследить посылку:',
    noMore: 'Больше не получать такие письма:',
    noMoreTitle: 'Больше не получать писем о ваших заказах?',
    noMoreButton: 'Больше не присылать писем',
    noMoreDone: 'Мы больше не будем присылать вам письма о ваших заказах.',
  },
  pl: {
    name: 'Polski',
    locale: 'pl-PL',
    hello: 'Dzień dobry,',
    of: (day) => `z dnia ${day}`,
    subject: (order) => `Państwa zamówienie ${order}`,
    ready: (order) => `Państwa zamówienie ${order} jest gotowe do odbioru.`,
    later: (order, day) => `część Państwa zamówienia ${order} jest gotowa do odbioru. Reszta dotrze: ${day}.`,
    shipped: (order) => `Państwa zamówienie ${order} jest w drodze.`,
    question: (order) =>
      `mamy pytanie dotyczące Państwa zamówienia ${order}. Prosimy o telefon lub odpowiedź na tę wiadomość.`,
    rejected: (order) =>
      `niestety nie możemy zrealizować Państwa zamówienia ${order}. W razie pytań prosimy o telefon.`,
    tracking: 'Śledzenie przesyłki:',
    noMore: 'Rezygnacja z takich e-maili:',
    noMoreTitle: 'Zrezygnować z e-maili o Państwa zamówieniach?',
    noMoreButton: 'Nie wysyłać więcej e-maili',
    noMoreDone: 'Nie będziemy już wysyłać e-maili o Państwa zamówieniach.',
  },
  uk: {
    name: 'Українська',
    locale: 'uk-UA',
    hello: 'Добрий день!',
    of: (day) => `від ${day}`,
    subject: (order) => `Ваше замовлення ${order}`,
    ready: (order) => `Ваше замовлення ${order} готове до отримання.`,
    later: (order, day) => `Частина вашого замовлення ${order} готова до отримання. Решта надійде: ${day}.`,
    shipped: (order) => `Ваше замовлення ${order} у дорозі.`,
    question: (order) =>
      `У нас є запитання щодо вашого замовлення ${order}. Будь ласка, зателефонуйте нам або дайте відповідь на це повідомлення.`,
    rejected: (order) =>
      `На жаль, ми не можемо виконати ваше замовлення ${order}. Якщо у вас є запитання, зателефонуйте нам.`,
    tracking: 'Відстежити посилку:',
    noMore: 'Більше не отримувати таких листів:',
    noMoreTitle: 'Більше не отримувати листів про ваші замовлення?',
    noMoreButton: 'Більше не надсилати листів',
    noMoreDone: 'Ми більше не надсилатимемо вам листів про ваші замовлення.',
  },
};

/** The text of a message of this kind in this language. */
export function messageText(kind: MessageKind, language: MessageLanguage, facts: MessageFacts): MessageText {
  const words = MESSAGE_WORDS[language];
  const apart = (text: string) => (words.isRightToLeft ? `\u2068${oneLine(text)}\u2069` : oneLine(text));
  const order = apart(facts.number ?? words.of(dayIn(words, dayOf(facts.orderedAt))));
  const day = facts.day ? apart(weekdayIn(words, facts.day)) : '';
  const { shop, trackingUrl } = facts;
  const more = kind === 'shipped' && trackingUrl ? [words.tracking, trackingUrl] : [];
  const address = [shop.street, townOf(shop)].filter(Boolean).join(', ');
  const from = [shop.name, address, shop.phone, shop.openingHours].flatMap((line) => (line ? [apart(line)] : []));
  const text = [words.hello, words[kind](order, day), ...more, '', ...from].join('\n');
  return { subject: words.subject(order), text };
}

/** Characters that end a line or change the direction of the text after them. */
const TURNING = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces characters that end a line or change the text's direction with spaces, and trims the text. */
export function oneLine(text: string): string {
  return text.replace(TURNING, ' ').trim();
}

/** `24.11.2026`; in English `November 24, 2026`. */
function dayIn({ locale }: Words, day: Day): string {
  if (locale !== 'en-US') return day.split('-').toReversed().join('.');
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));
}

function weekdayIn(words: Words, day: Day): string {
  const at = Date.parse(`${day}T12:00Z`);
  const weekday = new Intl.DateTimeFormat(words.locale, { weekday: 'long', timeZone: TIME_ZONE }).format(at);
  return `${weekday}, ${dayIn(words, day)}`;
}

/** The names of platform fields that hold the customer's language, in lower case without `_` and `-`. */
const LANGUAGE_NAMES = new Set(['language', 'locale', 'lang', 'customerlanguage', 'preferredlanguage', 'sprache']);

/** The customer's language if the platform sends one that messages support, otherwise German. */
export function messageLanguageOf(details: Readonly<Record<string, string>> | null): MessageLanguage {
  const said = Object.entries(details ?? {}).find(([name]) =>
    LANGUAGE_NAMES.has(name.toLowerCase().replace(/[_-]/g, '')),
  );
  const code = said?.[1].trim().toLowerCase().split(/[-_]/)[0];
  return MESSAGE_LANGUAGES.find((language) => language === code) ?? 'de';
}

/**
 * Returns a link that opens a new e-mail (RFC 6068), percent-encoded, with CRLF between lines. Without `message`, it
 * has only the address.
 */
export function mailtoLink(email: string, message?: MessageText): string {
  const to = encodeURIComponent(email.toWellFormed()).replace(/%40(?=[^%]*$)/, '@');
  return `mailto:${to}${message ? `?subject=${encoded(message.subject)}&body=${encoded(message.text)}` : ''}`;
}

/** Returns a link that opens a new text message (RFC 5724); null if the phone number has fewer than five digits. */
export function smsLink(phone: string, text?: string): string | null {
  const number = dialed(phone);
  if (number === null || number.replaceAll('+', '').length < 5) return null;
  return `sms:${number}${text === undefined ? '' : `?body=${encoded(text)}`}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed().replaceAll('\n', '\r\n'));
}
