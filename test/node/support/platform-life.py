"""A platform's program, written from the reference alone: it has a shop's address and an integration key, and nothing else.

    python3 platform-life.py SHOP_URL INTEGRATION_KEY PDF

It prints where it wants its callback, reads the signing secret that the pharmacy's owner was shown, sends order requests, and
waits for what the pharmacy does. Each line that it prints is JSON; the last one tells what it learned. Beside it stands
verify.py, the Python block of /docs/signatures. Standard library only.
"""
import base64
import json
import queue
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from verify import is_genuine

SHOP_URL, KEY, PDF = sys.argv[1:]
CONNECTOR = f"{SHOP_URL}/api/v1"
SOURCE = "telemed.example"
TIMEOUT = 60

# Names below localhost are this machine; not every system knows that.
lookup = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: lookup(
    "127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more)


class Inbox:
    """Callbacks as they come: verified, each once, by request and type."""

    def __init__(self):
        self.secret = ""
        self.refused = 0
        self.types = set()
        self.about = set()
        self.seen = set()
        self.waiting = {}
        self.lock = threading.Lock()

    def take(self, body, headers):
        if not is_genuine(body, headers, self.secret):
            self.refused += 1
            return False
        event = json.loads(body)
        with self.lock:
            if event["id"] not in self.seen:
                self.seen.add(event["id"])
                self.types.add(event["event_type"])
                self.about.add(event["metadata"]["order_request_id"])
                self.at(event["metadata"]["order_request_id"], event["event_type"]).put(event["metadata"])
        return True

    def at(self, request_id, event_type):
        return self.waiting.setdefault((request_id, event_type), queue.Queue())

    def wait(self, request_id, event_type):
        with self.lock:
            waiting = self.at(request_id, event_type)
        return waiting.get(timeout=TIMEOUT)


inbox = Inbox()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.send_response(204 if inbox.take(body, headers) else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


def call(method, path, body=None, etag=None):
    """@returns status, body and headers, whatever the status."""
    headers = {"apikey": KEY, **({"If-None-Match": etag} if etag else {})}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    try:
        answer = urlopen(Request(CONNECTOR + path, data, headers, method=method), timeout=TIMEOUT)
    except HTTPError as error:
        answer = error
    with answer:
        text = answer.read()
        return answer.status, json.loads(text) if text else None, answer.headers


def submit(reference, offer, **more):
    """As a platform that lost the first answer: the same again has to be the same request."""
    item = {"p1_id": offer["p1_id"], "name": offer["name"], "price": offer["price"], "quantity": 1}
    payload = {
        "customer_name": "Erika Mustermann", "customer_email": "erika@example.com",
        "address_street": "Heidestraße 17", "address_postal_code": "51147", "address_city": "Köln",
        "payment_status": "paid", "total_amount": offer["price"], "items": [item], **more,
    }
    body = {"external_reference": reference, "source": SOURCE, "payload": payload}
    _, first, _ = expect(200, call("POST", "/external-order", body))
    _, again, headers = expect(200, call("POST", "/external-order", body))
    assert again["id"] == first["id"] and headers["Idempotent-Replayed"] == "true", again
    assert first["status"] == "pending", first
    sent.add(first["id"])
    return first["id"]


def expect(status, answer):
    assert answer[0] == status, answer[:2]
    return answer


class Followed:
    """A request whose state is asked for with the ETag of the last answer."""

    def __init__(self, id):
        self.id = id
        self.etag = None
        self.known = None

    def changed(self):
        """What it is now, which must not be what it was."""
        _, self.known, headers = expect(200, call("GET", f"/external-order/{self.id}", etag=self.etag))
        self.etag = headers["ETag"]
        expect(304, call("GET", f"/external-order/{self.id}", etag=self.etag))
        return self.known


def say(what):
    """One line for the pharmacy, which goes on when it has read that."""
    print(json.dumps(what), flush=True)


sent = set()


def pdf(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def asked_and_shipped(shop, offer):
    """A prescription that staff cannot read: asked, answered with a better one, approved, sent as a parcel."""
    reference = "RX-asked"
    option = next(each for each in shop["shipping_options"] if each == "Versand")
    request = Followed(submit(reference, offer, shipping_option=option, prescription_pdf_base64=pdf(PDF)))
    assert request.changed() == {
        "id": request.id, "status": "pending", "needs_info": False, "needs_info_code": None,
        "external_reference": reference, "source": SOURCE, "created_at": request.known["created_at"],
        "decided_at": None, "reason_code": None, "withdrawal": "none", "order": None,
    }, request.known
    by_reference = urlencode({"external_reference": reference, "source": SOURCE})
    assert call("GET", f"/external-order?{by_reference}")[1] == request.known
    say({"learned": "pending"})

    question = inbox.wait(request.id, "order_request_needs_info")
    told = request.changed()
    assert told["needs_info"] and told["needs_info_code"] == question["code"] == "prescription_unreadable", (told, question)
    assert question["external_reference"] == reference and question["source"] == SOURCE, question
    answer = {"prescription_pdf_base64": pdf(PDF + ".better"), "note": "Scanned anew.", "replaces": True}
    _, first, _ = expect(200, call("POST", f"/external-order/{request.id}/supplement", answer))
    _, again, _ = expect(200, call("POST", f"/external-order/{request.id}/supplement", answer))
    assert first == again, (first, again)
    assert request.changed()["needs_info"] is False, request.known
    say({"learned": "answered"})

    approved = inbox.wait(request.id, "order_request_approved")
    told = request.changed()
    assert told["status"] == "approved" and told["order"]["id"] == approved["order_id"], (told, approved)
    assert "number" not in told["order"] and told["decided_at"], told
    say({"learned": "approved"})

    steps = [inbox.wait(request.id, "order_status_updated") for _ in range(2)]
    assert {step["new_status"] for step in steps} == {"ready_shipping", "shipped"}, steps
    assert {step["order_id"] for step in steps} == {approved["order_id"]}, steps
    tracking = inbox.wait(request.id, "order_updated")
    assert set(tracking["changed_fields"]) == {"carrier", "tracking_number", "tracking_url"}, tracking
    told = request.changed()
    expect(409, call("DELETE", f"/external-order/{request.id}"))
    assert isinstance(told["order"]["number"], int), told
    shown = ("status", "payment_status", "carrier", "tracking_number", "tracking_url")
    return {name: told["order"][name] for name in shown}


def withdrawn_in_time(offer):
    reference = "RX-withdrawn"
    request = Followed(submit(reference, offer, shipping_option="Abholung"))
    request.changed()
    _, first, _ = expect(200, call("DELETE", f"/external-order/{request.id}"))
    assert call("DELETE", f"/external-order/{request.id}")[:2] == (200, first)
    assert first == {"id": request.id, "status": "deleted", "withdrawal": "accepted"}, first
    inbox.wait(request.id, "order_request_deleted")
    told = request.changed()
    return {name: told[name] for name in ("status", "withdrawal", "reason_code", "order")}


def withdrawn_late(reference, offer):
    """Staff approved it already, so they decide: the shelf is put on hold first."""
    request = Followed(submit(reference, offer, shipping_option="Abholung"))
    inbox.wait(request.id, "order_request_approved")
    request.changed()
    _, first, _ = expect(202, call("DELETE", f"/external-order/{request.id}"))
    assert first == {"id": request.id, "status": "approved", "withdrawal": "requested"}, first
    assert call("DELETE", f"/external-order/{request.id}")[:2] == (202, first)
    while True:
        inbox.wait(request.id, "order_updated")
        _, told, headers = call("GET", f"/external-order/{request.id}")
        if told["withdrawal"] != "requested":
            return {"withdrawal": told["withdrawal"], "reason_code": told["reason_code"], "order": told["order"]["status"]}


def rejected(offer):
    reference = "RX-rejected"
    request = Followed(submit(reference, offer, shipping_option="Abholung"))
    told = inbox.wait(request.id, "order_request_rejected")
    status = request.changed()
    return {"callback": told["reason_code"], "status": status["status"], "reason_code": status["reason_code"]}


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say({"callback": f"http://127.0.0.1:{server.server_address[1]}/callback"})
    inbox.secret = sys.stdin.readline().strip()

    _, shop, _ = expect(200, call("GET", "/shop"))
    assert shop["is_active"], shop
    offers, cursor = [], None
    while True:
        query = urlencode({"limit": 20, **({"cursor": cursor} if cursor else {})})
        _, page, _ = expect(200, call("GET", f"/products?{query}"))
        offers += [offer for offer in page["data"] if offer["available"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    prescribed = next(offer for offer in offers if offer["prescription_required"])
    free = next(offer for offer in offers if not offer["prescription_required"])

    outcome = {
        "shop": shop["name"],
        "shipped": asked_and_shipped(shop, prescribed),
        "withdrawn": withdrawn_in_time(free),
        "accepted": withdrawn_late("RX-late-accepted", free),
        "refused": withdrawn_late("RX-late-refused", free),
        "rejected": rejected(free),
    }
    expect(404, call("GET", "/external-order/019aa0c4-808c-76f7-86e4-e22a0e4f38b4"))
    say({**outcome, "types": sorted(inbox.types), "forged": inbox.refused, "of_others": len(inbox.about - sent)})


main()
