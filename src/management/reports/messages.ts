import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/time';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  thousands: { de: '.', en: ',' },
  periods: {
    7: { de: 'Letzte 7 Tage', en: 'Last 7 days' },
    30: { de: 'Letzte 30 Tage', en: 'Last 30 days' },
    90: { de: 'Letzte 90 Tage', en: 'Last 90 days' },
    this_month: { de: 'Dieser Monat', en: 'This month' },
    last_month: { de: 'Letzter Monat', en: 'Last month' },
  },
  emptyTitle: { de: 'In dieser Zeit kam nichts herein', en: 'Nothing came in during this time' },
  empty: {
    de: 'Sobald Anfragen oder Bestellungen eingehen, stehen hier Umsatz, Mengen und Entscheidungszeiten.',
    en: 'As soon as requests or orders come in, revenue, quantities and decision times are shown here.',
  },
  turnover: { de: 'Umsatz', en: 'Revenue' },
  decision: { de: 'Zeit bis zur Entscheidung', en: 'Time to decision' },
  decisionHint: {
    de: 'Median vom Eingang bis zur Annahme oder Ablehnung',
    en: 'Median from arrival to acceptance or rejection',
  },
  perOrder: {
    de: (money: string) => `${money} je Bestellung, ohne Storno und Retoure`,
    en: (money: string) => `${money} an order, without cancelled and returned ones`,
  },
  endedOf: {
    de: (count: string) => `davon ${count} storniert oder retourniert`,
    en: (count: string) => `${count} of them cancelled or returned`,
  },
  decidedOf: {
    de: (approved: string, rejected: string) => `davon ${approved} angenommen, ${rejected} abgelehnt`,
    en: (approved: string, rejected: string) => `${approved} of them accepted, ${rejected} rejected`,
  },
  ended: { de: 'Storno, Retoure', en: 'Cancelled, returned' },
  duration: {
    de: (seconds: number): string => {
      if (seconds < MINUTE_SECONDS) return 'unter 1 Min.';
      if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} Min.`;
      if (seconds < 2 * DAY_SECONDS)
        return `${Math.floor(seconds / HOUR_SECONDS)} Std. ${Math.floor((seconds % HOUR_SECONDS) / MINUTE_SECONDS)} Min.`;
      return `${Math.floor(seconds / DAY_SECONDS)} Tage`;
    },
    en: (seconds: number): string => {
      if (seconds < MINUTE_SECONDS) return 'less than 1 min';
      if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} min`;
      if (seconds < 2 * DAY_SECONDS)
        return `${Math.floor(seconds / HOUR_SECONDS)} h ${Math.floor((seconds % HOUR_SECONDS) / MINUTE_SECONDS)} min`;
      return `${Math.floor(seconds / DAY_SECONDS)} days`;
    },
  },
  turnoverByDay: { de: 'Umsatz je Tag', en: 'Revenue by day' },
  ordersByDay: { de: 'Bestellungen je Tag', en: 'Orders by day' },
  requestsByDay: { de: 'Bestellanfragen je Tag', en: 'Order requests by day' },
  most: {
    de: (value: string, day: string) => `Höchstwert ${value} am ${day}`,
    en: (value: string, day: string) => `peak ${value} on ${day}`,
  },
  chart: {
    de: (total: string, days: number, top: string) => `Zusammen ${total} an ${days} Tagen, ${top}.`,
    en: (total: string, days: number, top: string) => `${total} in all on ${days} days, ${top}.`,
  },
  byDay: { de: 'Alle Zahlen nach Tagen', en: 'All figures by day' },
  day: { de: 'Tag', en: 'Day' },
  exportDays: { de: 'Tage als CSV-Datei', en: 'Days as CSV file' },
  exportProducts: { de: 'Verkaufte Artikel als CSV-Datei', en: 'Sold articles as CSV file' },
  daysFile: { de: 'tage', en: 'days' },
  productsFile: { de: 'artikel', en: 'articles' },
  dayColumns: {
    de: ['Tag', 'Bestellanfragen', 'Angenommen', 'Abgelehnt', 'Bestellungen', 'Storno oder Retoure', 'Umsatz in EUR'],
    en: ['Day', 'Order requests', 'Accepted', 'Rejected', 'Orders', 'Cancelled or returned', 'Revenue in EUR'],
  },
  productColumns: {
    de: ['Produktkennung', 'Artikel', 'Menge', 'Umsatz in EUR'],
    en: ['Product id', 'Article', 'Quantity', 'Revenue in EUR'],
  },
  byStatus: { de: 'Bestellungen nach Status', en: 'Orders by status' },
  byPayment: { de: 'Umsatz nach Zahlung', en: 'Revenue by payment' },
  sum: { de: 'Summe', en: 'Sum' },
  topProducts: { de: 'Meistverkaufte Artikel', en: 'Best-selling articles' },
  product: { de: 'Artikel', en: 'Article' },
  lowStock: { de: 'Bestand unter dem Meldebestand', en: 'Stock below its threshold' },
  lowStockNone: {
    de: 'Zurzeit liegt kein Produkt unter seinem Meldebestand.',
    en: 'No product is below its threshold at the moment.',
  },
  lowStockMore: {
    de: (shown: number) => `Hier stehen die ${shown} mit dem geringsten Bestand.`,
    en: (shown: number) => `These are the ${shown} with the least stock.`,
  },
});
