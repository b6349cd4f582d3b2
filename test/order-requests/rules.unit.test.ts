import { expect, test } from 'vitest';
import type { Envelope } from '../../src/order-requests/envelope';
import {
  comparableText,
  differingFields,
  isPaidSince,
  normalize,
  type Submission,
} from '../../src/order-requests/intake/rules';
import type { ShopAtHost } from '../../src/tenants/store';

const shop = { id: 'shop-1', deliveryServiceName: 'Lieferdienst' } as ShopAtHost;
const item = {
  name: 'Ibuprofen',
  quantity: 1,
  priceCents: 495,
  p1Id: 'p1',
  productId: null,
} as Submission['items'][number];

function normalized(payload: Envelope['payload'], fields: Partial<Envelope> = {}): Submission {
  return normalize({ payload, ...fields } as Envelope, shop);
}

test('what a submission leaves out is null, and it comes from its shop', () => {
  expect(normalized({})).toEqual({
    source: 'shop:shop-1',
    externalReference: null,
    customerName: null,
    customerEmail: null,
    customerBirthDate: null,
    prescriberName: null,
    customerId: null,
    addressStreet: null,
    addressCity: null,
    addressPostalCode: null,
    addressPhone: null,
    shippingOption: null,
    paymentStatus: 'cash_on_pickup',
    paymentReference: null,
    totalCents: null,
    feeCents: null,
    discountCents: null,
    items: [],
  });
});

test('what a submission says is kept', () => {
  const payload: Envelope['payload'] = {
    customer_name: 'Erika Muster',
    customer_email: 'erika@example.com',
    customer_id: 'c1',
    address_street: 'Weg 1',
    address_city: 'Ulm',
    address_postal_code: '89073',
    address_phone: '0731 1',
    shipping_option: 'Versand',
    payment_status: 'paid',
    payment_reference: 'R1',
    total_amount: 495,
    items: [item],
  };
  expect(normalized(payload, { source: 'platform', external_reference: 'E1' })).toEqual({
    source: 'platform',
    externalReference: 'E1',
    customerName: 'Erika Muster',
    customerEmail: 'erika@example.com',
    customerBirthDate: null,
    prescriberName: null,
    customerId: 'c1',
    addressStreet: 'Weg 1',
    addressCity: 'Ulm',
    addressPostalCode: '89073',
    addressPhone: '0731 1',
    shippingOption: 'Versand',
    paymentStatus: 'paid',
    paymentReference: 'R1',
    feeCents: null,
    discountCents: null,
    totalCents: 495,
    items: [item],
  });
});

test.each([
  [undefined, undefined, 'cash_on_pickup'],
  [undefined, true, 'cash_on_pickup'],
  [undefined, false, 'pending'],
  ['paid', true, 'paid'],
  ['pending', true, 'pending'],
  ['cash_on_pickup', false, 'cash_on_pickup'],
] as const)('payment_status %j with cash_on_pickup %j is %s', (payment_status, cash_on_pickup, expected) => {
  expect(normalized({ payment_status, cash_on_pickup }).paymentStatus).toBe(expected);
});

const full = normalized({
  customer_name: 'Erika',
  customer_email: 'e@example.com',
  customer_id: 'c1',
  address_street: 'Weg 1',
  address_city: 'Ulm',
  address_postal_code: '89073',
  address_phone: '0731',
  shipping_option: 'Versand',
  payment_status: 'paid',
  payment_reference: 'R1',
  total_amount: 495,
  items: [item],
});

test.each<[Partial<Submission>, string]>([
  [{ customerName: 'Max' }, 'customer_name'],
  [{ customerEmail: 'm@example.com' }, 'customer_email'],
  [{ customerId: 'c2' }, 'customer_id'],
  [{ addressStreet: 'Weg 2' }, 'address_street'],
  [{ addressCity: 'Bonn' }, 'address_city'],
  [{ addressPostalCode: '53111' }, 'address_postal_code'],
  [{ addressPhone: null }, 'address_phone'],
  [{ shippingOption: 'Abholung' }, 'shipping_option'],
  [{ paymentStatus: 'pending' }, 'payment_status'],
  [{ paymentReference: 'R2' }, 'payment_reference'],
  [{ totalCents: 496 }, 'total_amount'],
  [{ items: [{ ...item, quantity: 2 }] }, 'items'],
])('a repetition with %j differs in %s, by its name alone', (change, name) => {
  const [stored, submitted] = [
    { ...full, prescription: 'hash' },
    { ...full, ...change, prescription: 'hash' },
  ];
  expect(differingFields(submitted, stored)).toEqual([name]);
  expect(comparableText({ ...full, ...change }, 'hash')).not.toBe(comparableText(full, 'hash'));
});

test('the same content again does not differ, whatever its source and reference', () => {
  const other = { ...full, items: [{ ...item }], source: 'elsewhere', externalReference: 'E2' };
  expect(differingFields({ ...other, prescription: null }, { ...full, prescription: null })).toEqual([]);
  expect(comparableText(other, null)).toBe(comparableText(full, null));
});

test('another prescription is told after the other fields', () => {
  const submitted = { ...full, customerName: 'Max', prescription: 'one' };
  expect(differingFields(submitted, { ...full, prescription: 'two' })).toEqual(['customer_name', 'prescription']);
  expect(differingFields({ ...full, prescription: 'one' }, { ...full, prescription: null })).toEqual(['prescription']);
  expect(comparableText(full, 'one')).not.toBe(comparableText(full, 'two'));
});

test('a field that came after the first version counts only where it is sent', () => {
  const first = '[[],null,null,null,null,null,null,null,null,"cash_on_pickup",null,null,null]';
  expect(comparableText(normalized({}), null)).toBe(first);
  const later = [['feeCents', 490]];
  expect(comparableText(normalized({ fee_amount: 490 }), null)).toBe(
    `${first.slice(0, -1)},${JSON.stringify(later[0])}]`,
  );
});

test('links to one file are the same, however they are signed', () => {
  const signed = (signature: string) =>
    ['https://files.example/a.pdf?X-Amz-Signature=', 'https://files.example/b.pdf?X-Amz-Signature=']
      .map((link) => link + signature)
      .join('\n');
  expect(comparableText(full, signed('1'))).toBe(comparableText(full, signed('2')));
  expect(comparableText(full, signed('1'))).toContain('https://files.example/a.pdf\\nhttps://files.example/b.pdf');
  expect(comparableText(full, 'see https://files.example/a.pdf?X-Amz-Signature=1')).toContain('X-Amz-Signature=1');
  expect(comparableText(full, 'hash')).toContain('"hash"');
});

const WAITING = { paymentStatus: 'pending', status: 'pending' } as const;

test.each<[string, Parameters<typeof isPaidSince>, boolean]>([
  ['is paid now', [{ paymentStatus: 'paid' }, WAITING, ['payment_status', 'payment_reference']], true],
  ['differs in nothing', [{ paymentStatus: 'paid' }, WAITING, []], true],
  ['is not paid', [{ paymentStatus: 'cash_on_pickup' }, WAITING, ['payment_status']], false],
  ['was paid before', [{ paymentStatus: 'paid' }, { ...WAITING, paymentStatus: 'paid' }, []], false],
  ['was decided', [{ paymentStatus: 'paid' }, { ...WAITING, status: 'approved' }, ['payment_status']], false],
  ['differs in something else', [{ paymentStatus: 'paid' }, WAITING, ['payment_status', 'items']], false],
])('a repetition that %s is the stored one, paid since: %3$j', (_, given, isPaid) => {
  expect(isPaidSince(...given)).toBe(isPaid);
});
