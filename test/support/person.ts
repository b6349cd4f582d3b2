import { env } from 'cloudflare:workers';
import { readReview } from '../../src/order-requests/inbox/inbox';
import {
  addRequestNote,
  answerQuestion,
  askQuestion,
  setAsidePrescription,
} from '../../src/order-requests/review/decisions';
import { changeOrder } from '../../src/orders/change';
import { shelveOrder } from '../../src/orders/packing/pack';
import { refundOrder } from '../../src/orders/payments/refund';
import { addOrderNote } from '../../src/orders/timeline/notes';
import { newId } from '../../src/platform/ids';
import { decide, staffContext } from './order-flow';
import { callApi, holdProduct, succeeded } from './organization';
import { accepted } from './probe';
import { insertRow } from './rows';
import { moveOrder, type Order, openSeller, placeOrder, type Seller } from './seller';
import { envelope, rows, submit } from './world';

/** Somebody whom no other test knows: each value can be searched for. */
export type Person = {
  customer_name: string;
  customer_email: string;
  address_street: string;
  address_city: string;
  address_postal_code: string;
  address_phone: string;
};

export function newPerson(): Person {
  const mark = newId().replaceAll('-', '');
  return {
    customer_name: `Ägidius Quittenbaum ${mark}`,
    customer_email: `Quitte.${mark}@Mail.example`,
    address_street: `Quittengasse ${mark}`,
    address_city: `Quittenhausen ${mark}`,
    address_postal_code: `Q-${mark}`,
    address_phone: `+49 30 ${mark}`,
  };
}

/** A PDF with a person's name in it. */
export function pdfOf(person: Person): string {
  return btoa(`%PDF-1.7\n${person.customer_email} /Type/Page\n%%EOF\n`);
}

/** An order request from the connector. @returns its id */
export async function request(seller: Seller, payload: Record<string, unknown>): Promise<string> {
  return (await accepted(await submit(seller, envelope(payload)))).id;
}

export async function approve(seller: Seller, requestId: string, body: Record<string, unknown> = {}): Promise<string> {
  return succeeded(await decide(seller, requestId, 'approve', body)).order_id;
}

export async function reject(seller: Seller, requestId: string, note?: string): Promise<void> {
  succeeded(await decide(seller, requestId, 'reject', { reason_code: 'clinical_concern', note }));
}

/** Everything in the database, table by table. */
export async function everything(): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await rows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name <> 'search_words'",
  );
  const found = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  );
  return Object.fromEntries(tables.map(({ name }, index) => [name, found[index]?.results ?? []]));
}

/** Where any of these texts stands, in whatever case: `table.column`. */
export async function placesOf(texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const places = Object.entries(await everything()).flatMap(([table, found]) =>
    found.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => wanted.some((text) => String(value).toLowerCase().includes(text)))
        .map(([column]) => `${table}.${column}`),
    ),
  );
  return [...new Set(places)].sort();
}

export async function isInR2(fileKey: string): Promise<boolean> {
  return (await env.FILES.head(fileKey)) !== null;
}

export async function filesOf(requestIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ file_key: string }>(
    `select file_key from prescriptions where file_key is not null
       and order_request_id in (select value from json_each(?))`,
    JSON.stringify(requestIds),
  );
  return found.map(({ file_key }) => file_key);
}

/** Files that wait for their deletion. */
export async function waitingFiles(): Promise<string[]> {
  return (await rows<{ file_key: string }>('select file_key from file_deletions')).map(({ file_key }) => file_key);
}

export interface Traces {
  seller: Seller;
  person: Person;
  customerId: string;
  approvedId: string;
  pendingId: string;
  rejectedId: string;
  /** Of the approved request. */
  orderId: string;
  /** By upsert. */
  upserted: Order;
  /** All that was said about the person, anywhere. */
  said: string[];
  fileKey: string;
}

/**
 * A person whose data are everywhere they can be: requests in every state, PDFs, orders, notes, references.
 * The orders are over, since nobody is erased before.
 */
export async function leaveTraces(person = newPerson()): Promise<Traces> {
  const traces = await leaveOpenTraces(person);
  const { seller, orderId, upserted, said } = traces;
  const { ctx } = staffContext(seller.orgId);
  const mark = newId();
  const [shelf, collectedBy, refundNote] = [mark.slice(-10), `Abholer-${mark}`, `Erstattung-${mark}`];
  await moveOrder(seller, orderId, 'ready_pickup');
  await shelveOrder(ctx, orderId, { shelf, bags: 1 });
  await changeOrder(ctx, orderId, { status: 'picked_up', collectedBy, cashReceived: true });
  await insertRow('emails', {
    ...{ id: newId(), org_id: seller.orgId, shop_id: seller.shopId, about: orderId, kind: 'ready', language: 'de' },
    ...{ recipient: person.customer_email, facts: JSON.stringify({ number: mark }), customer_id: traces.customerId },
    ...{ state: 'waiting', attempts: 0, due_at: Number.MAX_SAFE_INTEGER, created_at: 1, updated_at: 1 },
  });
  await refundOrder(ctx, orderId, { amountCents: 1, reasonCode: 'other', note: refundNote });
  await moveOrder(seller, upserted.id, 'cancelled');
  return { ...traces, said: [...said, shelf, collectedBy, refundNote] };
}

/** The same while both orders are under way. */
export async function leaveOpenTraces(person = newPerson()): Promise<Traces> {
  const seller = await openSeller();
  const { p1_id } = await holdProduct(seller, { stock: 100 });
  const mark = newId();
  const said = { born: `geboren-${mark}`, why: `Grund-${mark}`, note: `Notiz-${mark}`, hold: `Halt-${mark}` };
  const written = {
    asked: `Frage-${mark}`,
    answer: `Antwort-${mark}`,
    memo: `Zettel-${mark}`,
    aside: `Abseits-${mark}`,
    wish: `Wunsch-${mark}`,
  };
  const items = [{ p1_id, name: 'Ibuprofen', quantity: 2, price: 4.95 }];

  const approvedId = await request(seller, {
    ...person,
    items: [...items, { name: 'Sonderanfertigung', quantity: 1, price: 10 }],
    prescription_pdf_base64: pdfOf(person),
    date_of_birth: said.born,
    payment_reference: `TX-${mark}`,
    delivery_instructions: written.wish,
  });
  const [fileKey = ''] = await filesOf([approvedId]);
  const { ctx } = staffContext(seller.orgId);
  await askQuestion(ctx, { id: approvedId, code: 'other', text: written.asked });
  const [question] = (await readReview(ctx, approvedId)).questions;
  await answerQuestion(ctx, { id: approvedId, questionId: question?.id ?? '', answer: written.answer });
  await addRequestNote(ctx, { id: approvedId, text: written.memo });
  const orderId = await approve(seller, approvedId, { override_reason: said.why });
  await addOrderNote(ctx, { id: orderId, text: written.memo });
  const url = `https://files-${mark}.example.com/${mark}.pdf?signature=${mark}`;
  const pendingId = await request(seller, {
    ...person,
    customer_email: person.customer_email.toUpperCase(),
    items,
    prescription_pdf_url: url,
  });
  await askQuestion(ctx, { id: pendingId, code: 'other', text: written.asked });
  const [{ id: linkedId } = { id: '' }] = await rows<{ id: string }>(
    'select id from prescriptions where order_request_id = ?',
    pendingId,
  );
  await setAsidePrescription(ctx, { id: linkedId, requestId: pendingId, reason: written.aside });
  const rejectedId = await request(seller, { customer_email: person.customer_email.toLowerCase(), items });
  await reject(seller, rejectedId, said.note);
  const upserted = await placeOrder(seller, { ...person, customer_email: person.customer_email.toUpperCase() });
  const patch = { on_hold: true, hold_reason: said.hold, note: said.note };
  succeeded(await callApi(seller, 'PATCH', `/orders/${upserted.id}`, { body: patch }));
  return {
    seller,
    person,
    customerId: upserted.customer.id,
    approvedId,
    pendingId,
    rejectedId,
    orderId,
    upserted,
    said: [...Object.values(person), ...Object.values(said), ...Object.values(written), `TX-${mark}`, url, fileKey],
    fileKey,
  };
}

export function erase(seller: Seller, customerId: string, changed: Partial<Env> = {}) {
  return callApi(seller, 'DELETE', `/customers/${customerId}`, { env: changed });
}

/**
 * What a restore of D1 does to rows that are there before and after: each has its old values again. Rows that came since
 * stay; no test needs them gone.
 */
export async function restoreRows(before: Awaited<ReturnType<typeof everything>>): Promise<void> {
  for (const table of ['request_questions', 'staff_notes']) {
    for (const row of before[table] ?? []) {
      const columns = Object.keys(row);
      await rows(
        `insert or replace into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        ...columns.map((column) => row[column]),
      );
    }
  }
  const tables = ['customers', 'orders', 'order_requests', 'prescriptions', 'events', 'delivery_attempts'];
  for (const table of tables) {
    for (const row of before[table] ?? []) {
      const columns = Object.keys(row);
      const keys = table === 'delivery_attempts' ? ['delivery_id', 'attempt'] : ['id'];
      await rows(
        `update ${table} set ${columns.map((column) => `"${column}" = ?`).join(', ')}
         where ${keys.map((key) => `${key} = ?`).join(' and ')}`,
        ...columns.map((column) => row[column]),
        ...keys.map((key) => row[key]),
      );
    }
  }
}
