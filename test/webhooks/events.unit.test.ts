import { expect, test } from 'vitest';
import { EVENT_TYPES, textClasses } from '../../src/webhooks/event-types';

const texts = EVENT_TYPES.flatMap((type) =>
  [...textClasses(type)].map(([name, of]) => ({ at: `${type}.${name}`, of })),
);

test('every text in the metadata of an event says what it can tell', () => {
  expect(texts.length).toBeGreaterThan(40);
  expect(texts.filter(({ of }) => of === undefined).map(({ at }) => at)).toEqual([]);
});

test('what callers write freely is emptied with the person', () => {
  const erased = texts.filter(({ of }) => of === 'person' || of === 'health').map(({ at }) => at);
  expect(erased).toEqual([
    'order_created.external_reference',
    'order_updated.external_reference',
    'order_status_updated.external_reference',
    'order_marked_paid.payment_reference',
    'order_request_submitted.external_reference',
    'order_request_approved.external_reference',
    'order_request_rejected.external_reference',
    'order_request_deleted.external_reference',
    'order_request_needs_info.external_reference',
    'paperless_signature_completed.signature_reference',
  ]);
});
