package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"golang.org/x/oauth2"
	offizin "life/client"
)

func good[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func clientOf(url string) *offizin.APIClient {
	configuration := offizin.NewConfiguration()
	configuration.Servers = offizin.ServerConfigurations{{URL: url}}
	configuration.OperationServers = nil
	return offizin.NewAPIClient(configuration)
}

func main() {
	var given map[string]string
	json.Unmarshal([]byte(os.Args[1]), &given)
	org, p1, reference := given["org"], given["p1_id"], given["reference"]
	api, connector := clientOf(given["api"]), clientOf(given["shop"]).ConnectorAPI
	keyed := func(scheme, key string) context.Context {
		keys := map[string]offizin.APIKey{scheme: {Key: key}}
		return context.WithValue(context.Background(), offizin.ContextAPIKeys, keys)
	}
	platform := keyed("apiKeyHeader", given["integration_key"])
	token := good(api.AuthenticationAPI.CreateAccessToken(keyed("apiKey", given["api_key"]), org).TokenRequest(*offizin.NewTokenRequest()).Execute())
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token.AccessToken})
	ctx := context.WithValue(context.Background(), offizin.ContextOAuth2, source)

	shops := good(api.ShopsAPI.ListShops(ctx, org).Execute()).Data
	shop := shops[0].ShopId
	add := offizin.NewAddProductToInventoryRequest(p1)
	add.SetInitialStock(20)
	good(api.ProductsAPI.AddProductToInventory(ctx, org).AddProductToInventoryRequest(*add).Execute())
	good(api.ShopsAPI.AttachProduct(ctx, org).AttachProductRequest(*offizin.NewAttachProductRequest(shop, p1)).Execute())
	overrides := offizin.NewOverrides()
	overrides.SetPrice(200)
	good(api.ShopsAPI.SetProductOverrides(ctx, org).SetProductOverridesRequest(*offizin.NewSetProductOverridesRequest(shop, p1, *overrides)).Execute())
	update := offizin.NewUpdateProductRequest()
	update.SetPrice(12.5)
	update.SetDescriptionNil()
	good(api.ProductsAPI.UpdateProduct(ctx, org, p1).UpdateProductRequest(*update).Execute())
	listed := good(api.ProductsAPI.ListProducts(ctx, org).ShopId(shop).Limit(5).Execute()).Data
	price := good(api.ProductsAPI.GetProduct(ctx, org, p1).ShopId(shop).Execute()).Price

	line := offizin.NewUpsertOrderRequestItemsInner(1, price)
	line.SetP1Id(p1)
	upsert := offizin.NewUpsertOrderRequest(shop, reference, []offizin.UpsertOrderRequestItemsInner{*line})
	upsert.SetCustomerName("Erika Mustermann")
	id := good(api.OrdersAPI.UpsertOrder(ctx, org).UpsertOrderRequest(*upsert).Execute()).Id
	good(api.OrdersAPI.UpsertOrder(ctx, org).UpsertOrderRequest(*upsert).Execute())
	change := offizin.NewChangeOrderRequest()
	change.SetStatus("ready_pickup")
	good(api.OrdersAPI.ChangeOrder(ctx, org, id).ChangeOrderRequest(*change).Execute())
	paid := offizin.NewMarkOrderPaidRequest()
	paid.SetPaymentReference("TX-1")
	good(api.OrdersAPI.MarkOrderPaid(ctx, org, id).MarkOrderPaidRequest(*paid).Execute())
	good(api.OrdersAPI.RefundOrder(ctx, org, id).RefundOrderRequest(*offizin.NewRefundOrderRequest("test")).Execute())
	order := good(api.OrdersAPI.GetOrder(ctx, org, id).Execute())

	item := offizin.NewOrderRequestPayloadItemsInner(1, price)
	item.SetP1Id(p1)
	item.SetName("Ibuprofen")
	payload := offizin.NewOrderRequestPayload()
	payload.SetCustomerName("Erika Mustermann")
	payload.SetShippingOption("Abholung")
	payload.Items = []offizin.OrderRequestPayloadItemsInner{*item}
	envelope := offizin.NewOrderRequestEnvelope(*payload)
	envelope.SetExternalReference(reference)
	envelope.SetSource("telemed.example")
	sent := good(connector.SubmitOrderRequest(platform).OrderRequestEnvelope(*envelope).Execute())
	pending := good(connector.GetOrderRequestStatus(platform, sent.Id).Execute())
	inbox := good(api.OrderRequestsAPI.ListOrderRequests(ctx, org).ExternalReference(reference).Execute()).Data
	decision := good(api.OrderRequestsAPI.ApproveOrderRequest(ctx, org, sent.Id).ApproveOrderRequestRequest(*offizin.NewApproveOrderRequestRequest()).Execute())
	approved := good(connector.GetOrderRequestStatus(platform, sent.Id).Execute()).GetOrder()
	pendingOrder, _ := pending.GetOrderOk()
	events := map[string]bool{}
	for _, event := range good(api.EventsAPI.ListEvents(ctx, org).Limit(200).Execute()).Data {
		events[event.EventType] = true
	}
	said, _ := json.Marshal(map[string]any{
		"shops": len(shops), "listed": len(listed) > 0, "price": price, "order": order.Status, "payment": order.PaymentStatus,
		"pending": pendingOrder == nil, "inbox": len(inbox), "decision": decision.Status, "approved": approved.Status,
		"events": events["order_created"], "unknown": events["added_later"],
	})
	fmt.Println(string(said))
}
