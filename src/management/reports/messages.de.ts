import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/time';

/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  thousands: '.',
  periods: {
    7: 'Letzte 7 Tage',
    30: 'Letzte 30 Tage',
    90: 'Letzte 90 Tage',
    this_month: 'Dieser Monat',
    last_month: 'Letzter Monat',
  },
  emptyTitle: 'In dieser Zeit kam nichts herein',
  empty: 'Sobald Anfragen oder Bestellungen eingehen, stehen hier Umsatz, Mengen und Entscheidungszeiten.',
  turnover: 'Umsatz',
  decision: 'Zeit bis zur Entscheidung',
  decisionHint: 'Median vom Eingang bis zur Freigabe oder Ablehnung',
  perOrder: (money: string) => `${money} je Bestellung, ohne Storno und Retoure`,
  endedOf: (count: string) => `davon ${count} storniert oder retourniert`,
  decidedOf: (approved: string, rejected: string) => `davon ${approved} freigegeben, ${rejected} abgelehnt`,
  ended: 'Storno, Retoure',
  duration: (seconds: number): string => {
    if (seconds < MINUTE_SECONDS) return 'unter 1 Min.';
    if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} Min.`;
    if (seconds < 2 * DAY_SECONDS)
      return `${Math.floor(seconds / HOUR_SECONDS)} Std. ${Math.floor((seconds % HOUR_SECONDS) / MINUTE_SECONDS)} Min.`;
    return `${Math.floor(seconds / DAY_SECONDS)} Tage`;
  },
  turnoverByDay: 'Umsatz je Tag',
  ordersByDay: 'Bestellungen je Tag',
  requestsByDay: 'Bestellanfragen je Tag',
  most: (value: string, day: string) => `Höchstwert ${value} am ${day}`,
  chart: (total: string, days: number, top: string) => `Zusammen ${total} an ${days} Tagen, ${top}.`,
  byDay: 'Alle Zahlen nach Tagen',
  day: 'Tag',
  exportDays: 'Tage als CSV-Datei',
  exportProducts: 'Verkaufte Artikel als CSV-Datei',
  daysFile: 'tage',
  productsFile: 'artikel',
  dayColumns: [
    'Tag',
    'Bestellanfragen',
    'Freigegeben',
    'Abgelehnt',
    'Bestellungen',
    'Storno oder Retoure',
    'Umsatz in EUR',
  ],
  productColumns: ['Produktkennung', 'Artikel', 'Menge', 'Umsatz in EUR'],
  byStatus: 'Bestellungen nach Status',
  byPayment: 'Umsatz nach Zahlung',
  sum: 'Summe',
  topProducts: 'Meistverkaufte Artikel',
  product: 'Artikel',
  lowStock: 'Bestand unter dem Meldebestand',
  lowStockNone: 'Zurzeit liegt kein Produkt unter seinem Meldebestand.',
  lowStockMore: (shown: number) => `Hier stehen die ${shown} mit dem geringsten Bestand.`,
};

export type Messages = typeof de;
