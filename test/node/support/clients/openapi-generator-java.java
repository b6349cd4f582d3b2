import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.model.*;

class Life {
  static ApiClient client(String url, String scheme, String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(url).setServerIndex(null);
    ((ApiKeyAuth) client.getAuthentication(scheme)).setApiKey(key);
    return client;
  }

  public static void main(String[] args) throws Exception {
    JsonObject given = new Gson().fromJson(args[0], JsonObject.class);
    String org = given.get("org").getAsString(), p1 = given.get("p1_id").getAsString();
    String reference = given.get("reference").getAsString();
    ApiClient keyed = client(given.get("api").getAsString(), "apiKey", given.get("api_key").getAsString());
    ConnectorApi platform =
        new ConnectorApi(client(given.get("shop").getAsString(), "apiKeyHeader", given.get("integration_key").getAsString()));
    platform.setCustomBaseUrl(given.get("shop").getAsString());
    ApiClient own = new ApiClient();
    own.setBasePath(given.get("api").getAsString());
    own.setAccessToken(new AuthenticationApi(keyed).createAccessToken(org, new TokenRequest()).getAccessToken());
    ProductsApi products = new ProductsApi(own);
    ShopsApi shops = new ShopsApi(own);
    OrdersApi orders = new OrdersApi(own);
    OrderRequestsApi requests = new OrderRequestsApi(own);

    List<Shop> all = shops.listShops(org).getData();
    String shop = all.get(0).getShopId();
    products.addProductToInventory(org, new AddProductToInventoryRequest().p1Id(p1).initialStock(20), null);
    shops.attachProduct(org, new AttachProductRequest().shopId(shop).p1Id(p1), null);
    Overrides overrides = new Overrides().price(new BigDecimal(200));
    shops.setProductOverrides(org, new SetProductOverridesRequest().shopId(shop).p1Id(p1).overrides(overrides), null);
    products.updateProduct(org, p1, new UpdateProductRequest().price(new BigDecimal("12.5")), null);
    List<?> listed = products.listProducts(org, shop, 5, null, null, null, null).getData();
    BigDecimal price = products.getProduct(org, p1, shop).getPrice();

    UpsertOrderRequest upsert =
        new UpsertOrderRequest().shopId(shop).externalId(reference).customerName("Erika Mustermann")
            .addItemsItem(new UpsertOrderRequestItemsInner().p1Id(p1).qty(1).price(price));
    String id = orders.upsertOrder(org, upsert, null).getId();
    orders.upsertOrder(org, upsert, null);
    orders.changeOrder(org, id, new ChangeOrderRequest().status(ChangeOrderRequest.StatusEnum.READY_PICKUP), null, null);
    orders.markOrderPaid(org, id, null, new MarkOrderPaidRequest().paymentReference("TX-1"));
    orders.refundOrder(org, id, new RefundOrderRequest().reasonCode(RefundOrderRequest.ReasonCodeEnum.TEST), null);
    Order order = orders.getOrder(org, id, null);

    OrderRequestPayload payload =
        new OrderRequestPayload().customerName("Erika Mustermann").shippingOption("Abholung")
            .addItemsItem(new OrderRequestPayloadItemsInner().p1Id(p1).name("Ibuprofen").quantity(1).price(price));
    OrderRequestEnvelope envelope =
        new OrderRequestEnvelope().externalReference(reference).source("telemed.example").payload(payload);
    String sent = platform.submitOrderRequest(envelope, null).getId();
    SentOrderRequest pending = platform.getOrderRequestStatus(sent, null);
    List<?> inbox = requests.listOrderRequests(org, null, null, null, null, null, null, null, null, reference).getData();
    Decision decision = requests.approveOrderRequest(org, sent, null, new ApproveOrderRequestRequest());
    SentOrderRequest approved = platform.getOrderRequestStatus(sent, null);
    List<Event> events = new EventsApi(own).listEvents(org, 200, null, null).getData();
    JsonObject said = new JsonObject();
    said.addProperty("shops", all.size());
    said.addProperty("listed", !listed.isEmpty());
    said.addProperty("price", price);
    said.addProperty("order", order.getStatus());
    said.addProperty("payment", order.getPaymentStatus());
    said.addProperty("pending", pending.getOrder() == null);
    said.addProperty("inbox", inbox.size());
    said.addProperty("decision", decision.getStatus());
    said.addProperty("approved", approved.getOrder().getStatus());
    said.addProperty("events", events.stream().anyMatch(event -> event.getEventType().equals("order_created")));
    said.addProperty("unknown", events.stream().anyMatch(event -> event.getEventType().equals("added_later")));
    System.out.println(said);
    System.exit(0);
  }
}
