import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/time';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  thousands: { de: '.', en: ',' },
  periods: {
    today: { de: 'Heute', en: 'Today' },
    7: { de: '7 Tage', en: '7 days' },
    30: { de: '30 Tage', en: '30 days' },
    90: { de: '90 Tage', en: '90 days' },
    this_month: { de: 'Dieser Monat', en: 'This month' },
    last_month: { de: 'Letzter Monat', en: 'Last month' },
  },
  todayLead: {
    de: (day: string, time: string) => `${day}, bis ${time}; daneben gestern bis zur selben Zeit`,
    en: (day: string, time: string) => `${day}, until ${time}, beside yesterday until the same time`,
  },
  sums: {
    requests: { de: 'Anfragen', en: 'Requests' },
    decided: { de: 'Entschieden', en: 'Decided' },
    packed: { de: 'Gepackt', en: 'Packed' },
    left: { de: 'Abgegeben', en: 'Handed over' },
    cashCents: { de: 'Bei Abgabe kassiert', en: 'Taken at hand-over' },
  },
  yesterday: { de: (value: string) => `gestern ${value}`, en: (value: string) => `yesterday ${value}` },
  yesterdayWord: { de: 'Gestern', en: 'Yesterday' },
  uncollected: { de: 'Noch zu kassieren', en: 'Still to collect' },
  uncollectedTitle: {
    de: 'Noch zu kassieren: abholbereit oder abgegeben, aus 30 Tagen',
    en: 'Still to collect: ready or handed over, of 30 days',
  },
  uncollectedNone: { de: 'Alles ist bezahlt.', en: 'Everything is paid.' },
  uncollectedMore: {
    de: (shown: number) => `Hier stehen die neuesten ${shown}.`,
    en: (shown: number) => `These are the newest ${shown}.`,
  },
  atLeast: { de: (sum: string) => `mehr als ${sum}`, en: (sum: string) => `more than ${sum}` },
  orderCount: {
    de: (count: number) => (count === 1 ? '1 Bestellung' : `${count} Bestellungen`),
    en: (count: number) => (count === 1 ? '1 order' : `${count} orders`),
  },
  byHour: { de: 'Anfragen je Stunde', en: 'Requests by hour' },
  allByHour: { de: 'Alle Zahlen nach Stunden, daneben gestern', en: 'All figures by hour, beside yesterday' },
  hourHead: { de: 'Stunde', en: 'Hour' },
  hour: { de: (hour: number) => `${hour} Uhr`, en: (hour: number) => `${hour}:00` },
  hoursChart: {
    de: (total: string) => `heute ${total}. Alle Werte stehen in der Tabelle darunter.`,
    en: (total: string) => `${total} today. The table below has all values.`,
  },
  emptyTitle: { de: 'In dieser Zeit kam nichts herein', en: 'Nothing came in during this time' },
  empty: {
    de: 'Sobald Anfragen oder Bestellungen eingehen, stehen hier Umsatz, Mengen und Entscheidungszeiten.',
    en: 'As soon as requests or orders come in, revenue, quantities and decision times are shown here.',
  },
  lead: {
    de: (from: string, to: string, time: string) => `${from} bis ${to}${time && `, heute bis ${time}`}`,
    en: (from: string, to: string, time: string) => `${from} to ${to}${time && `, today until ${time}`}`,
  },
  percent: {
    de: (tenths: number): string => `${(tenths / 10).toFixed(1)} %`.replace('.', ','),
    en: (tenths: number): string => `${(tenths / 10).toFixed(1)}%`,
  },
  points: {
    de: (tenths: number): string => `${(tenths / 10).toFixed(1)} Punkte`.replace('.', ','),
    en: (tenths: number): string => `${(tenths / 10).toFixed(1)} points`,
  },
  /** Compares a figure with the previous period's. @param change such as `+3,2 %`; empty if unknown */
  against: {
    de: (change: string, before: string) => (change === '' ? `Vorzeitraum ${before}` : `${change} gegen ${before}`),
    en: (change: string, before: string) => (change === '' ? `before ${before}` : `${change} against ${before}`),
  },
  noneBefore: { de: 'Vorzeitraum: keine', en: 'none before' },
  same: { de: (before: string) => `wie im Vorzeitraum: ${before}`, en: (before: string) => `as before: ${before}` },
  decision: { de: 'Zeit bis zur Entscheidung', en: 'Time to decision' },
  perOrder: {
    de: (money: string) => `${money} je Bestellung`,
    en: (money: string) => `${money} an order`,
  },
  endedOf: {
    de: (count: string) => `${count} storniert oder retourniert`,
    en: (count: string) => `${count} cancelled or returned`,
  },
  decidedOf: {
    de: (requests: string, rejected: string) => `von ${requests} Anfragen, ${rejected} abgelehnt`,
    en: (requests: string, rejected: string) => `of ${requests} requests, ${rejected} rejected`,
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
  charts: {
    revenue: {
      title: { de: 'Umsatz', en: 'Revenue' },
      byDay: { de: 'Umsatz je Tag', en: 'Revenue by day' },
      byWeek: { de: 'Umsatz je Woche', en: 'Revenue by week' },
    },
    orders: {
      title: { de: 'Bestellungen', en: 'Orders' },
      byDay: { de: 'Bestellungen je Tag', en: 'Orders by day' },
      byWeek: { de: 'Bestellungen je Woche', en: 'Orders by week' },
    },
    requests: {
      title: { de: 'Bestellanfragen', en: 'Order requests' },
      byDay: { de: 'Bestellanfragen je Tag', en: 'Order requests by day' },
      byWeek: { de: 'Bestellanfragen je Woche', en: 'Order requests by week' },
    },
  },
  shown: { de: 'Was das Diagramm zeigt', en: 'What the chart shows' },
  thisPeriod: { de: 'dieser Zeitraum', en: 'this period' },
  most: {
    de: (value: string, day: string) => `Höchstwert ${value} am ${day}`,
    en: (value: string, day: string) => `peak ${value} on ${day}`,
  },
  chart: {
    de: (total: string, days: number, top: string) =>
      `Zusammen ${total} an ${days} Tagen, ${top}. Alle Werte stehen in der Tabelle darunter.`,
    en: (total: string, days: number, top: string) =>
      `${total} in all on ${days} days, ${top}. The table below has all values.`,
  },
  /** Label of a day below the chart. @param day `2026-11-09` */
  mark: {
    de: (day: string): string => `${Number(day.slice(8))}.${Number(day.slice(5, 7))}.`,
    en: (day: string): string => `${Number(day.slice(8))}/${Number(day.slice(5, 7))}`,
  },
  range: { de: (from: string, to: string) => `${from}–${to}`, en: (from: string, to: string) => `${from}–${to}` },
  euros: { de: (euros: string) => `${euros} €`, en: (euros: string) => `€${euros}` },
  byDay: { de: 'Alle Zahlen nach Tagen', en: 'All figures by day' },
  byWeek: { de: 'Alle Zahlen nach Wochen', en: 'All figures by week' },
  day: { de: 'Tag', en: 'Day' },
  week: { de: 'Woche', en: 'Week' },
  exportDays: { de: 'Tage als CSV', en: 'Days as CSV' },
  exportProducts: { de: 'Artikel als CSV', en: 'Articles as CSV' },
  daysFile: { de: 'tage', en: 'days' },
  productsFile: { de: 'artikel', en: 'articles' },
  dayColumns: {
    de: ['Tag', 'Bestellanfragen', 'Angenommen', 'Abgelehnt', 'Bestellungen', 'Storno oder Retoure', 'Umsatz in EUR'],
    en: ['Day', 'Order requests', 'Accepted', 'Rejected', 'Orders', 'Cancelled or returned', 'Revenue in EUR'],
  },
  productColumns: {
    de: ['Produktkennung', 'Artikel', 'Menge', 'Einheit', 'Umsatz in EUR'],
    en: ['Product id', 'Article', 'Quantity', 'Unit', 'Revenue in EUR'],
  },
  byStatus: { de: 'Bestellungen nach Status', en: 'Orders by status' },
  byPayment: { de: 'Umsatz nach Zahlung', en: 'Revenue by payment' },
  bySource: { de: 'Nach Plattform', en: 'By platform' },
  source: { de: 'Plattform', en: 'Platform' },
  sourceShop: { de: 'Ohne Angabe', en: 'Not named' },
  otherSources: { de: 'Alle übrigen', en: 'All others' },
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
