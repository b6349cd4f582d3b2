package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	offizin "life/client"
)

func with(header, value string) offizin.ClientOption {
	return offizin.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set(header, value)
		return nil
	})
}

func clientOf(url, header, value string) *offizin.ClientWithResponses {
	client, err := offizin.NewClientWithResponses(url, with(header, value))
	if err != nil {
		panic(err)
	}
	return client
}

type answer interface {
	StatusCode() int
	GetBody() []byte
}

func good[A answer](got A, err error) A {
	if err != nil {
		panic(err)
	}
	if got.StatusCode() >= 300 {
		panic(string(got.GetBody()))
	}
	return got
}

func ref[T any](value T) *T { return &value }

// A body as its JSON says it: the generated types of lines have no names.
func body[T any](text string, values ...any) (made T) {
	if err := json.Unmarshal(fmt.Appendf(nil, text, values...), &made); err != nil {
		panic(err)
	}
	return made
}

func main() {
	var given map[string]string
	json.Unmarshal([]byte(os.Args[1]), &given)
	org, p1, reference := given["org"], given["p1_id"], given["reference"]
	ctx := context.Background()
	keyed := clientOf(given["api"], "X-API-Key", given["api_key"])
	platform := clientOf(given["shop"], "apikey", given["integration_key"])
	token := good(keyed.CreateAccessTokenWithResponse(ctx, org, offizin.TokenRequest{})).JSON200
	api := clientOf(given["api"], "Authorization", "Bearer "+token.AccessToken)

	shops := good(api.ListShopsWithResponse(ctx, org)).JSON200.Data
	shop := shops[0].ShopId
	good(api.AddProductToInventoryWithResponse(ctx, org, nil, offizin.AddProductToInventoryJSONRequestBody{P1Id: p1, InitialStock: ref(20)}))
	good(api.AttachProductWithResponse(ctx, org, nil, offizin.AttachProductJSONRequestBody{P1Id: p1, ShopId: shop}))
	overrides := body[offizin.Overrides](`{"price":200}`)
	good(api.SetProductOverridesWithResponse(ctx, org, nil, offizin.SetProductOverridesJSONRequestBody{P1Id: p1, ShopId: shop, Overrides: overrides}))
	good(api.UpdateProductWithResponse(ctx, org, p1, nil, body[offizin.UpdateProductJSONRequestBody](`{"price":12.5,"description":null}`)))
	listed := good(api.ListProductsWithResponse(ctx, org, &offizin.ListProductsParams{ShopId: shop, Limit: ref(5)})).JSON200.Data
	price := good(api.GetProductWithResponse(ctx, org, p1, &offizin.GetProductParams{ShopId: shop})).JSON200.Price

	upsert := body[offizin.UpsertOrderJSONRequestBody](`{"shop_id":%q,"external_id":%q,"customer_name":"Erika Mustermann",
		"items":[{"p1_id":%q,"qty":1,"price":%v}]}`, shop, reference, p1, price)
	id := good(api.UpsertOrderWithResponse(ctx, org, nil, upsert)).JSON201.Id
	good(api.UpsertOrderWithResponse(ctx, org, nil, upsert))
	good(api.ChangeOrderWithResponse(ctx, org, id, nil, body[offizin.ChangeOrderJSONRequestBody](`{"status":"ready_pickup"}`)))
	good(api.MarkOrderPaidWithResponse(ctx, org, id, nil, offizin.MarkOrderPaidJSONRequestBody{PaymentReference: ref("TX-1")}))
	good(api.RefundOrderWithResponse(ctx, org, id, nil, body[offizin.RefundOrderJSONRequestBody](`{"reason_code":"test"}`)))
	order := good(api.GetOrderWithResponse(ctx, org, id, nil)).JSON200

	envelope := body[offizin.OrderRequestEnvelope](`{"external_reference":%q,"source":"telemed.example","payload":{
		"customer_name":"Erika Mustermann","shipping_option":"Abholung","items":[{"p1_id":%q,"name":"Ibuprofen","quantity":1,"price":%v}]}}`,
		reference, p1, price)
	sent := good(platform.SubmitOrderRequestWithResponse(ctx, nil, envelope)).JSON200
	pending := good(platform.GetOrderRequestStatusWithResponse(ctx, sent.Id, nil)).JSON200
	inbox := good(api.ListOrderRequestsWithResponse(ctx, org, &offizin.ListOrderRequestsParams{ExternalReference: &reference})).JSON200.Data
	decision := good(api.ApproveOrderRequestWithResponse(ctx, org, sent.Id, nil, offizin.ApproveOrderRequestJSONRequestBody{})).JSON200
	approved := good(platform.GetOrderRequestStatusWithResponse(ctx, sent.Id, nil)).JSON200
	events := map[string]bool{}
	for _, event := range good(api.ListEventsWithResponse(ctx, org, &offizin.ListEventsParams{Limit: ref(200)})).JSON200.Data {
		events[event.EventType] = true
	}
	said, _ := json.Marshal(map[string]any{
		"shops": len(shops), "listed": len(listed) > 0, "price": price, "order": order.Status, "payment": order.PaymentStatus,
		"pending": pending.Order == nil, "inbox": len(inbox), "decision": decision.Status, "approved": approved.Order.Status,
		"events": events["order_created"], "unknown": events["added_later"],
	})
	fmt.Println(string(said))
}
