import { code128 } from '../../codes/service';
import { dueCents, labelOf, type Order, type OrderDetail } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Icon } from '../ui/icons';
import { Document } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { shippingWord } from '../ui/shipping';
import type { View } from '../ui/view';
import { messages } from './messages';
import { packingMessages } from './packing-messages';
import { supplyMessages } from './supply-messages';

/** What slips and labels say. */
export interface PaperProps {
  view: View;
  detail: Pick<OrderDetail, 'order' | 'products' | 'shopName'> & {
    /** Where the shop is. */
    shop: Partial<NonNullable<OrderDetail['shop']>> | null;
  };
}

interface SheetProps {
  view: View;
  title: string;
  /** What the button says. */
  print: string;
  back: { path: string; label: string };
  children: Child;
}

/** The way back from an order's own papers. */
export function backTo(view: View, { id }: Order) {
  return { path: orderPath(id), label: messages(view).toOrder };
}

/** A page for paper, with its way back and its button on the screen alone. */
export function Paper({ view, title, print, back, children }: SheetProps) {
  return (
    <Document view={view} title={title} class="paper">
      <main id="main" tabindex={-1}>
        <h1 class="unseen screen">{title}</h1>
        <div class="acts screen">
          <a class="button" href={back.path}>
            <Icon name="left" />
            {back.label}
          </a>
          <button type="button" class="primary" hidden data-print>
            <Icon name="print" />
            {print}
          </button>
        </div>
        {children}
      </main>
    </Document>
  );
}

/** A shelf's name of so many letters is set in its usual size. */
const SHORT_SHELF = 5;

export function Shelf({ view, order: { shelf } }: { view: View; order: Order }) {
  if (!shelf) return <p></p>;
  return (
    <p class="at-shelf">
      <small>{packingMessages(view).shelf}</small>
      <b class={shelf.length > SHORT_SHELF ? 'long' : undefined}>
        <bdi>{shelf}</bdi>
      </b>
    </p>
  );
}

/** How it leaves, and from which shop. */
export function wayOf(view: View, { order, shopName }: PaperProps['detail']): string {
  return [shippingWord(view, order.shippingOption), shopName].filter(Boolean).join(', ');
}

/** Who sends the paper: the pharmacy, the shop where it has another name, its address and phone number, each once. */
export function letterhead(view: View, { shop, shopName }: PaperProps['detail']): Child {
  const town = [shop?.postalCode, shop?.city].filter(Boolean).join(' ');
  const parts = [view.session?.organizationName, shopName, shop?.street, town, shop?.phone].filter((part) => part);
  return [...new Set(parts)].map((part, index) => [index > 0 && ' · ', <bdi>{part}</bdi>]);
}

/** Two dots of a printer with 203 dpi: bars of whole dots can be read. */
const MODULE_MM = 0.25;

/** What a slip begins with: the order's number, what it is, where the bags wait, and the code that finds it. */
export function SlipHead({ view, order, title }: { view: View; order: Order; title: string }) {
  return (
    <div class="ends">
      <p>
        <b class="paper-number">{order.number}</b>
        <br />
        <b>{title}</b>
      </p>
      <Shelf view={view} order={order} />
      <Barcode text={labelOf(order)} />
    </div>
  );
}

/** Code 128 with its text below. */
export function Barcode({ text }: { text: string }) {
  const { width, path } = code128(text);
  return (
    <div class="barcode">
      <svg
        viewBox={`0 0 ${width} 1`}
        width={`${width * MODULE_MM}mm`}
        preserveAspectRatio="none"
        shape-rendering="crispEdges"
        role="img"
        aria-label={text}
      >
        <path d={path} />
      </svg>
      <small>{text}</small>
    </div>
  );
}

/** Whether it is paid, and what is still to be paid. */
export function paymentWords(view: View, order: Order): string {
  const paid = sharedMessages(view).orders.payments[order.paymentStatus];
  const due = dueCents(order);
  if (due === 0) return paid;
  const amount = formatMoney(view.language, due);
  if (order.paymentStatus === 'cash_on_pickup') return packingMessages(view).paysAtPickup(amount);
  return order.paymentStatus === 'paid' ? `${paid}. ${supplyMessages(view).underpaid}: ${amount}` : paid;
}
