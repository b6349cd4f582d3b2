import json
import sys

from offizin_api_client import AuthenticatedClient
from offizin_api_client.api.authentication import create_access_token
from offizin_api_client.api.connector import get_order_request_status, submit_order_request
from offizin_api_client.api.events import list_events
from offizin_api_client.api.order_requests import approve_order_request, list_order_requests
from offizin_api_client.api.orders import change_order, get_order, mark_order_paid, refund_order, upsert_order
from offizin_api_client.api.products import add_product_to_inventory, get_product, list_products, update_product
from offizin_api_client.api.shops import attach_product, list_shops, set_product_overrides
from offizin_api_client.models import *

given = json.loads(sys.argv[1])
org, p1_id, reference = given["org"], given["p1_id"], given["reference"]


def client(url, key, header="Authorization", prefix="Bearer"):
    return AuthenticatedClient(url, key, prefix=prefix, auth_header_name=header, raise_on_unexpected_status=True)


def call(operation, client, *path, **given):
    answer = operation.sync(*path, client=client, **given)
    assert not isinstance(answer, (Problem, TokenError)), answer
    return answer


keyed = client(given["api"], given["api_key"], "X-API-Key", "")
token = call(create_access_token, keyed, org, body=TokenRequest())
own = client(given["api"], token.access_token)
platform = client(given["shop"], given["integration_key"], "apikey", "")

shops = call(list_shops, own, org).data
shop_id = shops[0].shop_id
call(add_product_to_inventory, own, org, body=AddProductToInventoryBody(p1_id=p1_id, initial_stock=20))
call(attach_product, own, org, body=AttachProductBody(shop_id=shop_id, p1_id=p1_id))
call(set_product_overrides, own, org,
     body=SetProductOverridesBody(shop_id=shop_id, p1_id=p1_id, overrides=Overrides(price=200)))
call(update_product, own, org, p1_id, body=UpdateProductBody(price=12.5, description=None))
listed = call(list_products, own, org, shop_id=shop_id, limit=5).data
price = call(get_product, own, org, p1_id, shop_id=shop_id).price

body = UpsertOrderBody(shop_id=shop_id, external_id=reference, customer_name="Erika Mustermann",
                       items=[UpsertOrderBodyItemsItem(p1_id=p1_id, qty=1, price=price)])
id = call(upsert_order, own, org, body=body).id
call(upsert_order, own, org, body=body)
call(change_order, own, org, id, body=ChangeOrderBody(status=ChangeOrderBodyStatus.READY_PICKUP))
call(mark_order_paid, own, org, id, body=MarkOrderPaidBody(payment_reference="TX-1"))
call(refund_order, own, org, id, body=RefundOrderBody(reason_code=RefundOrderBodyReasonCode.TEST))
order = call(get_order, own, org, id)

item = OrderRequestPayloadItemsType0Item(p1_id=p1_id, name="Ibuprofen", quantity=1, price=price)
payload = OrderRequestPayload(customer_name="Erika Mustermann", shipping_option="Abholung", items=[item])
envelope = OrderRequestEnvelope(external_reference=reference, source="telemed.example", payload=payload)
sent = call(submit_order_request, platform, body=envelope)
pending = call(get_order_request_status, platform, sent.id)
inbox = call(list_order_requests, own, org, external_reference=reference).data
decision = call(approve_order_request, own, org, sent.id, body=ApproveOrderRequestBody())
approved = call(get_order_request_status, platform, sent.id)
events = call(list_events, own, org, limit=200).data
print(json.dumps({
    "shops": len(shops),
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
