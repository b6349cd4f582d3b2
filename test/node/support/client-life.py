"""The life of an order by the generated client: sent by a platform, approved, packed, paid, handed over."""
import json
import socket
import sys

from client import *

lookup = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: lookup(
    "127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more)

given = json.loads(sys.argv[1])
org = given["org_id"]
servers = {"service": given["base_url"], "shop": given["shop_url"]}
platform = Api(servers, {"apiKeyHeader": given["integration_key"]})
token = create_access_token(Api(servers, {"apiKey": given["api_key"]}), org, CreateAccessTokenBody.from_dict({}))
pharmacy = Api(servers, {"accessToken": token.access_token})

offer = list_offered_products(platform, limit=1).data[0]
item = {"p1_id": offer.p1_id, "name": offer.name, "price": offer.price, "quantity": 1}
payload = {
    "customer_name": "Erika Mustermann", "shipping_option": "Abholung", "payment_status": "cash_on_pickup", "items": [item],
}
sent = submit_order_request(platform, SubmitOrderRequestBody.from_dict({
    "external_reference": "GENERATED-PY", "source": "telemed.example", "payload": payload}))
request = get_order_request(pharmacy, org, sent.id)
order_id = approve_order_request(pharmacy, org, request.id, ApproveOrderRequestBody.from_dict({})).order_id
change_order(pharmacy, org, order_id, ChangeOrderBody.from_dict({"status": "ready_pickup"}))
mark_order_paid(pharmacy, org, order_id, MarkOrderPaidBody.from_dict({"payment_reference": "TX-4711"}))
change_order(pharmacy, org, order_id, ChangeOrderBody.from_dict({"status": "picked_up"}))
order = get_order(pharmacy, org, order_id)
status = get_order_request_status(platform, sent.id)
listed = list_orders(pharmacy, org, external_reference="GENERATED-PY")
print(json.dumps({
    "request": status.status,
    "order": order.status,
    "payment": order.payment_status,
    "told": [status.order.status, status.order.number == order.number],
    "listed": [each.id == order_id for each in listed.data],
}))
