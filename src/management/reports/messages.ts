import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/time';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  thousands: ['.', ','],
  periods: {
    today: ['Heute', 'Today'],
    7: ['7 Tage', '7 days'],
    30: ['30 Tage', '30 days'],
    90: ['90 Tage', '90 days'],
    this_month: ['Dieser Monat', 'This month'],
    last_month: ['Letzter Monat', 'Last month'],
  },
  todayLead: (day: string, time: string) => [
    `${day}, bis ${time}; daneben gestern bis zur selben Zeit`,
    `${day}, until ${time}, compared with yesterday at this time`,
  ],
  sums: {
    requests: ['Anfragen', 'Requests'],
    decided: ['Entschieden', 'Decided'],
    packed: ['Gepackt', 'Packed'],
    left: ['Abgegeben', 'Handed over'],
    cashCents: ['Bei Abgabe kassiert', 'Taken at hand-over'],
  },
  yesterday: (value: string) => [`gestern ${value}`, `yesterday ${value}`],
  yesterdayWord: ['Gestern', 'Yesterday'],
  uncollected: ['Noch zu kassieren', 'Still to collect'],
  uncollectedTitle: [
    'Noch zu kassieren: abholbereit oder abgegeben, aus 30 Tagen',
    'Still to collect: ready or handed over, last 30 days',
  ],
  uncollectedNone: ['Alles ist bezahlt.', 'Everything is paid.'],
  uncollectedMore: (shown: number) => [`Hier stehen die neuesten ${shown}.`, `These are the newest ${shown}.`],
  atLeast: (sum: string) => [`mehr als ${sum}`, `more than ${sum}`],
  orderCount: (count: number) =>
    count === 1 ? ['1 Bestellung', '1 order'] : [`${count} Bestellungen`, `${count} orders`],
  byHour: ['Anfragen je Stunde', 'Requests by hour'],
  allByHour: ['Alle Zahlen nach Stunden, daneben gestern', 'All figures by hour, compared with yesterday'],
  hourHead: ['Stunde', 'Hour'],
  hour: (hour: number) => [`${hour} Uhr`, `${hour}:00`],
  hoursChart: (total: string) => [
    `heute ${total}. Alle Werte stehen in der Tabelle darunter.`,
    `${total} today. The table below has all values.`,
  ],
  emptyTitle: ['In dieser Zeit kam nichts herein', 'Nothing came in during this time'],
  empty: [
    'Sobald Anfragen oder Bestellungen eingehen, stehen hier Umsatz, Mengen und Entscheidungszeiten.',
    'As soon as requests or orders come in, revenue, quantities and decision times are shown here.',
  ],
  lead: (from: string, to: string, time: string) => [
    `${from} bis ${to}${time && `, heute bis ${time}`}`,
    `${from} to ${to}${time && `, today until ${time}`}`,
  ],
  percent: (tenths: number) => [`${(tenths / 10).toFixed(1)} %`.replace('.', ','), `${(tenths / 10).toFixed(1)}%`],
  points: (tenths: number) => [
    `${(tenths / 10).toFixed(1)} Punkte`.replace('.', ','),
    `${(tenths / 10).toFixed(1)} points`,
  ],
  /** Compares a figure with the same figure of the previous period. @param change such as `+3,2 %`; empty if unknown */
  against: (change: string, before: string) =>
    change === ''
      ? [`Vorzeitraum ${before}`, `previous period ${before}`]
      : [`${change} gegen ${before}`, `${change} from ${before}`],
  noneBefore: ['Vorzeitraum: keine', 'previous period: none'],
  same: (before: string) => [`wie im Vorzeitraum: ${before}`, `same as before: ${before}`],
  decision: ['Zeit bis zur Entscheidung', 'Time to decision'],
  perOrder: (money: string) => [`${money} je Bestellung`, `${money} per order`],
  endedOf: (count: string) => [`${count} storniert oder retourniert`, `${count} canceled or returned`],
  approvedShare: ['Annahmequote', 'Acceptance rate'],
  decidedOf: (requests: string, rejected: string) => [
    `von ${requests} Anfragen, ${rejected} abgelehnt`,
    `of ${requests} requests, ${rejected} rejected`,
  ],
  ended: ['Storno, Retoure', 'Canceled, returned'],
  duration: (seconds: number) => {
    if (seconds < MINUTE_SECONDS) return ['<\u00a01\u00a0Min.', '<\u00a01\u00a0min'];
    const minutes = Math.floor(seconds / MINUTE_SECONDS);
    const hours = Math.floor(seconds / HOUR_SECONDS);
    const days = Math.floor(seconds / DAY_SECONDS);
    if (hours === 0) return [`${minutes} Min.`, `${minutes} min`];
    if (days >= 2) return [`${days} Tage`, `${days} days`];
    return [`${hours} Std. ${minutes % 60} Min.`, `${hours} h ${minutes % 60} min`];
  },
  charts: {
    revenue: {
      title: ['Umsatz', 'Revenue'],
      byDay: ['Umsatz je Tag', 'Revenue by day'],
      byWeek: ['Umsatz je Woche', 'Revenue by week'],
    },
    orders: {
      title: ['Bestellungen', 'Orders'],
      byDay: ['Bestellungen je Tag', 'Orders by day'],
      byWeek: ['Bestellungen je Woche', 'Orders by week'],
    },
    requests: {
      title: ['Bestellanfragen', 'Order requests'],
      byDay: ['Bestellanfragen je Tag', 'Order requests by day'],
      byWeek: ['Bestellanfragen je Woche', 'Order requests by week'],
    },
  },
  shown: ['Was das Diagramm zeigt', 'What the chart shows'],
  stillGoing: ['läuft noch', 'not over yet'],
  thisPeriod: ['dieser Zeitraum', 'this period'],
  most: (value: string, day: string) => [`Höchstwert ${value} am ${day}`, `peak ${value} on ${day}`],
  chart: (total: string, days: number, top: string) => [
    `Zusammen ${total} an ${days} Tagen, ${top}. Alle Werte stehen in der Tabelle darunter.`,
    `${total} in all on ${days} days, ${top}. The table below has all values.`,
  ],
  /** Label of a day below the chart. @param day `2026-11-09` */
  mark: (day: string) => [
    `${Number(day.slice(8))}.${Number(day.slice(5, 7))}.`,
    `${Number(day.slice(8))}/${Number(day.slice(5, 7))}`,
  ],
  range: (from: string, to: string) => [`${from}–${to}`, `${from}–${to}`],
  euros: (euros: string) => [`${euros} €`, `€${euros}`],
  byDay: ['Alle Zahlen nach Tagen', 'All figures by day'],
  byWeek: ['Alle Zahlen nach Wochen', 'All figures by week'],
  day: ['Tag', 'Day'],
  week: ['Woche', 'Week'],
  exportDays: ['Tage als CSV', 'Days as CSV'],
  exportProducts: ['Artikel als CSV', 'Items as CSV'],
  daysFile: ['tage', 'days'],
  productsFile: ['artikel', 'items'],
  dayColumns: [
    ['Tag', 'Bestellanfragen', 'Angenommen', 'Abgelehnt', 'Bestellungen', 'Storno oder Retoure', 'Umsatz in EUR'],
    ['Day', 'Order requests', 'Accepted', 'Rejected', 'Orders', 'Canceled or returned', 'Revenue in EUR'],
  ],
  productColumns: [
    ['Produktkennung', 'Artikel', 'Menge', 'Einheit', 'Umsatz in EUR'],
    ['Product ID', 'Item', 'Quantity', 'Unit', 'Revenue in EUR'],
  ],
  byStatus: ['Bestellungen nach Status', 'Orders by status'],
  byPayment: ['Umsatz nach Zahlung', 'Revenue by payment'],
  bySource: ['Nach Plattform', 'By platform'],
  source: ['Plattform', 'Platform'],
  sourceShop: ['Ohne Angabe', 'Not named'],
  otherSources: ['Alle übrigen', 'All others'],
  sum: ['Summe', 'Total'],
  topProducts: ['Meistverkaufte Artikel', 'Best-selling items'],
  product: ['Artikel', 'Item'],
  lowStock: ['Bestand unter dem Meldebestand', 'Stock below its threshold'],
  lowStockNone: ['Zurzeit liegt kein Produkt unter seinem Meldebestand.', 'No product is below its threshold.'],
  lowStockMore: (shown: number) => [
    `Hier stehen die ${shown} mit dem geringsten Bestand.`,
    `These are the ${shown} with the least stock.`,
  ],
});
