import json
import sys

from offizin_client import *

given = json.loads(sys.argv[1])
org, p1_id, reference = given["org"], given["p1_id"], given["reference"]
keyed = ApiClient(Configuration(host=given["api"], api_key={"apiKey": given["api_key"]}))
token = AuthenticationApi(keyed).create_access_token(org, TokenRequest())
own = ApiClient(Configuration(host=given["api"], access_token=token.access_token))
# The first server of an operation of the connector stands in the document; here it is called at another address.
connector = Configuration(host=given["shop"], api_key={"apiKeyHeader": given["integration_key"]},
                          ignore_operation_servers=True)
platform = ConnectorApi(ApiClient(connector))
products, shops, orders, requests = ProductsApi(own), ShopsApi(own), OrdersApi(own), OrderRequestsApi(own)

every = shops.list_shops(org).data
shop_id = every[0].shop_id
products.add_product_to_inventory(org, AddProductToInventoryRequest(p1_id=p1_id, initial_stock=20))
shops.attach_product(org, AttachProductRequest(shop_id=shop_id, p1_id=p1_id))
shops.set_product_overrides(
    org, SetProductOverridesRequest(shop_id=shop_id, p1_id=p1_id, overrides=Overrides(price=200)))
products.update_product(org, p1_id, UpdateProductRequest(price=12.5, description=None))
listed = products.list_products(org, shop_id, limit=5).data
price = products.get_product(org, p1_id, shop_id).price

body = UpsertOrderRequest(shop_id=shop_id, external_id=reference, customer_name="Erika Mustermann",
                          items=[UpsertOrderRequestItemsInner(p1_id=p1_id, qty=1, price=price)])
id = orders.upsert_order(org, body).id
orders.upsert_order(org, body)
orders.change_order(org, id, ChangeOrderRequest(status="ready_pickup"))
orders.mark_order_paid(org, id, mark_order_paid_request=MarkOrderPaidRequest(payment_reference="TX-1"))
orders.refund_order(org, id, RefundOrderRequest(reason_code="test"))
order = orders.get_order(org, id)

item = OrderRequestPayloadItemsInner(p1_id=p1_id, name="Ibuprofen", quantity=1, price=price)
payload = OrderRequestPayload(customer_name="Erika Mustermann", shipping_option="Abholung", items=[item])
sent = platform.submit_order_request(
    OrderRequestEnvelope(external_reference=reference, source="telemed.example", payload=payload))
pending = platform.get_order_request_status(sent.id)
inbox = requests.list_order_requests(org, external_reference=reference).data
decision = requests.approve_order_request(org, sent.id, approve_order_request_request=ApproveOrderRequestRequest())
approved = platform.get_order_request_status(sent.id)
events = EventsApi(own).list_events(org, limit=200).data
print(json.dumps({
    "shops": len(every),
    "listed": len(listed) > 0,
    "price": price,
    "order": order.status,
    "payment": order.payment_status,
    "pending": pending.order is None,
    "inbox": len(inbox),
    "decision": decision.status,
    "approved": approved.order.status,
    "events": any(event.event_type == "order_created" for event in events),
    "unknown": any(event.event_type == "added_later" for event in events),
}))
