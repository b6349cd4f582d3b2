import { verify } from '@octokit/webhooks-methods';
import { askQuestion } from '../../src/order-requests/review/decisions';
import { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from '../../src/webhooks/event-types';
import {
  approve,
  deleteRequest,
  itemOf,
  openApprovable,
  openConnector,
  openOrder,
  openPrescribed,
  openRequest,
  orderBody,
  patchOrder,
  reject,
  requestBody,
  staffContext,
  upsert,
} from '../support/order-flow';
import {
  callApi,
  eventsOf,
  holdProduct,
  importFile,
  importProduct,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { accepted } from '../support/probe';
import { expect, test } from '../support/test';
import { attemptsOf, deliver, deliveriesOf, deliveryRow, newReceiverUrl } from '../support/webhooks';
import { operate, subscribe } from '../support/world';

/** Does the act that causes an event. @returns what the event then says */
type Act = () => Promise<Record<string, unknown>>;

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The stock of a product as it entered. */
const UNTOUCHED_STOCK = {
  unit: 'piece',
  stock_quantity: 10,
  on_hand: 10,
  committed_quantity: 0,
  reserved_quantity: 0,
  stock_version: 1,
  shop_ids: [],
};

/** For every type: what has to be there, and the act that causes it. */
const ACTS: Record<EventType, (api: OrganizationApi) => Promise<Act> | Act> = {
  order_created: (api) => async () => {
    const order = succeeded(await upsert(api, orderBody(api, { source: 'shop.example' })), 201);
    return {
      order_id: order.id,
      shop_id: api.shopId,
      source: 'shop.example',
      external_reference: '',
      status: 'awaiting_packing',
      payment_status: 'cash_on_pickup',
    };
  },
  order_updated: async (api) => {
    const { id } = await openOrder(api);
    return async () => {
      succeeded(await patchOrder(api, id, { note: 'Klingel', address_city: 'Köln' }));
      return { order_id: id, changed_fields: ['note', 'address_city'] };
    };
  },
  order_status_updated: async (api) => {
    const { id } = await openOrder(api);
    return async () => {
      succeeded(await patchOrder(api, id, { status: 'ready_pickup' }));
      return { order_id: id, old_status: 'awaiting_packing', new_status: 'ready_pickup' };
    };
  },
  order_marked_paid: async (api) => {
    const { id } = await openOrder(api, { payment_status: 'pending' });
    return async () => {
      const body = { payment_reference: 'TX-4711' };
      succeeded(await callApi(api, 'POST', `/orders/${id}/mark-paid`, { body }));
      return { order_id: id, payment_reference: 'TX-4711', total_amount: 4.95 };
    };
  },
  order_deleted: async (api) => {
    const { id } = await openOrder(api);
    succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'test' }));
    return async () => {
      succeeded(await callApi(api, 'DELETE', `/orders/${id}`));
      return { order_id: id };
    };
  },
  order_request_submitted: async (api) => {
    const submit = await openConnector(api);
    return async () => {
      const { shop_id, ...envelope } = requestBody(api);
      const { id } = await accepted(await submit(envelope));
      const { external_reference, source } = envelope;
      return { order_request_id: id, external_reference, shop_id, source };
    };
  },
  order_request_approved: async (api) => {
    const { id } = await openApprovable(api, { rest: { external_reference: 'RX-approved' } });
    return async () => {
      const { order_id } = succeeded(await approve(api, id));
      return { ...requestKeys(api, id, 'RX-approved'), order_id };
    };
  },
  order_request_rejected: async (api) => {
    const id = await openRequest(api, {}, { external_reference: 'RX-rejected' });
    return async () => {
      succeeded(await reject(api, id, { reason_code: 'out_of_stock' }));
      return { ...requestKeys(api, id, 'RX-rejected'), reason_code: 'out_of_stock' };
    };
  },
  order_request_deleted: async (api) => {
    const id = await openRequest(api, {}, { external_reference: 'RX-deleted' });
    return async () => {
      succeeded(await deleteRequest(api, id));
      return requestKeys(api, id, '');
    };
  },
  order_request_needs_info: async (api) => {
    const id = await openRequest(api, {}, { external_reference: 'RX-asked' });
    return async () => {
      await askQuestion(staffContext(api.orgId).ctx, { id, code: 'dosage', text: 'Was sagt Erika?' });
      return { ...requestKeys(api, id, 'RX-asked'), code: 'dosage' };
    };
  },
  prescription_approved: async (api) => {
    const { id, prescriptionId } = await openPrescribed(api);
    return async () => {
      succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: {} }));
      return { prescription_id: prescriptionId, order_request_id: id };
    };
  },
  paperless_signature_completed: async (api) => {
    const { prescriptionId } = await openPrescribed(api);
    return async () => {
      const body = { provider: 'qes.example', signature_reference: 'SIG-1', signed_at: '2026-11-20T10:30:00+01:00' };
      succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/signature`, { body }));
      return { ...body, prescription_id: prescriptionId, signed_at: '2026-11-20T09:30:00.000Z' };
    };
  },
  product_created: async (api) => {
    const { p1_id } = await importProduct();
    return async () => {
      succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id } }), 201);
      const state = {
        unit: 'piece',
        stock_quantity: 1,
        on_hand: 1,
        committed_quantity: 0,
        reserved_quantity: 0,
        stock_version: 1,
        shop_ids: [],
      };
      return { p1_id, changed_fields: [], ...state };
    };
  },
  product_updated: async (api) => {
    const { p1_id } = await holdProduct(api);
    return async () => {
      succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 3, name: 'Neu' } }));
      return { p1_id, changed_fields: ['name', 'price'], ...UNTOUCHED_STOCK };
    };
  },
  products_updated: async (api) => {
    const product = await holdProduct(api);
    return async () => {
      await importFile(JSON.stringify({ ...product, category: 'Neu' }));
      return { products: [{ p1_id: product.p1_id, changed_fields: ['category'], ...UNTOUCHED_STOCK }] };
    };
  },
  product_deleted: async (api) => {
    const { p1_id } = await holdProduct(api);
    return async () => {
      succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
      return { p1_id };
    };
  },
  low_stock: async (api) => {
    const product = await holdProduct(api, { stock: 6 });
    const id = await openRequest(api, { items: [itemOf(product, 2)] });
    return async () => {
      succeeded(await approve(api, id));
      return { p1_id: product.p1_id, unit: 'piece', stock_quantity: 4, threshold: 5 };
    };
  },
  out_of_stock: async (api) => {
    const product = await holdProduct(api, { stock: 6 });
    const id = await openRequest(api, { items: [itemOf(product, 6)] });
    return async () => {
      succeeded(await approve(api, id));
      return { p1_id: product.p1_id, unit: 'piece', stock_quantity: 0, threshold: 5 };
    };
  },
  payment_link_created: async (api) => {
    await operate(`/organizations/${api.orgId}`, { iban: 'DE89370400440532013000' }, 'PATCH');
    const { id } = await openOrder(api, { payment_status: 'pending' });
    return async () => {
      const link = succeeded(await callApi(api, 'POST', `/orders/${id}/payment-links`, { body: {} }), 201);
      expect(link.expires_at).toEqual(aTime);
      return { ...link, order_id: id };
    };
  },
};

function requestKeys(api: OrganizationApi, id: string, external_reference: string) {
  return { order_request_id: id, external_reference, shop_id: api.shopId, source: 'telemed.example' };
}

test('every event type of the catalog has an action here that causes it', () => {
  expect(EVENT_TYPES).toHaveLength(19);
  expect(Object.keys(ACTS).toSorted()).toEqual(EVENT_TYPES.toSorted());
});

test.for(EVENT_TYPES)('%s fires once, says what happened and reaches its subscriber signed', async (type, { api }) => {
  const act = await ACTS[type](api);
  const url = newReceiverUrl();
  const { subscriptionId, signingSecret } = await subscribe(api.orgId, url, [type]);
  const others = EVENT_TYPES.filter((each) => each !== type);
  await subscribe(api.orgId, newReceiverUrl(), [others[0] ?? type]);
  const before = (await eventsOf(api.orgId, type)).length;

  const metadata = await act();

  const events = (await eventsOf(api.orgId, type)).slice(before);
  expect(events).toHaveLength(1);
  const body = events[0]?.body ?? '';
  const envelope = envelopeSchema.parse(JSON.parse(body));
  expect(envelope).toEqual({
    id: events[0]?.id,
    org_id: api.orgId,
    event_type: type,
    title: EVENTS[type].title,
    description: EVENTS[type].description,
    metadata,
    created_at: aTime,
  });
  expect(EVENTS[type].metadata.parse(envelope.metadata)).toEqual(metadata);
  expect(body).not.toMatch(/Erika|Mustermann|erika@|Klingel|Köln/);

  const waiting = (await deliveriesOf(api.orgId)).filter(({ subscription_id }) => subscription_id === subscriptionId);
  expect(waiting).toMatchObject([{ event_id: envelope.id, status: 'pending', trigger: 'event', attempt_count: 0 }]);
  const [{ id: deliveryId = '' } = {}] = waiting;

  const posts = outsideAnswers();
  await deliver([deliveryId]);
  expect(posts).toHaveLength(1);
  expect(posts[0]).toMatchObject({ url, text: body });
  expect(posts[0]?.headers.get('X-Service-Event')).toBe(type);
  expect(await verify(signingSecret, body, posts[0]?.headers.get('X-Service-Signature') ?? '')).toBe(true);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  expect(await attemptsOf(deliveryId)).toMatchObject([{ http_status: 204, failure_class: null }]);
});
