CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`entity_id` text NOT NULL,
	`fields` text,
	`reason_code` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_by_org` ON `audit_log` (`org_id`,`entity_id`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`family_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`hash` text NOT NULL,
	`sends_submitted_events` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_scopes" CHECK(json_valid("api_keys"."scopes"))
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_org` ON `api_keys` (`org_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`role` text NOT NULL,
	`two_factor_enabled` integer NOT NULL,
	`invitation_hash` text,
	`invitation_expires_at` integer,
	`invited_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_role" CHECK("members"."role" in ('owner', 'pharmacist', 'staff')),
	CONSTRAINT "members_email" CHECK("members"."email" = lower("members"."email")),
	CONSTRAINT "members_invited_or_accepted" CHECK("members"."accepted_at" is null or "members"."invitation_hash" is null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_organization` ON `members` (`email`) WHERE accepted_at is not null and revoked_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_invitation` ON `members` (`org_id`,`email`) WHERE revoked_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_invitation` ON `members` (`invitation_hash`) WHERE invitation_hash is not null;--> statement-breakpoint
CREATE TABLE `staff_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_accounts_by_member` ON `staff_accounts` (`member_id`);--> statement-breakpoint
CREATE TABLE `staff_second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`secret` text NOT NULL,
	`backup_codes` text NOT NULL,
	`verified` integer NOT NULL,
	`failed_verification_count` integer NOT NULL,
	`locked_until` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_second_factors_by_member` ON `staff_second_factors` (`member_id`);--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`member_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_sessions_by_token` ON `staff_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `staff_sessions_by_member` ON `staff_sessions` (`member_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `staff_verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `staff_verifications_by_identifier` ON `staff_verifications` (`identifier`,`created_at`);--> statement-breakpoint
CREATE INDEX `staff_verifications_by_expiry` ON `staff_verifications` (`expires_at`);--> statement-breakpoint
CREATE TABLE `catalog_products` (
	`p1_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_folded` text DEFAULT '' NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`category` text NOT NULL,
	`price_cents` integer NOT NULL,
	`thc_percent` real,
	`cbd_percent` real,
	`prescription_required` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "catalog_products_price" CHECK("catalog_products"."price_cents" >= 0),
	CONSTRAINT "catalog_products_percent" CHECK(coalesce("catalog_products"."thc_percent", 0) between 0 and 100 and coalesce("catalog_products"."cbd_percent", 0) between 0 and 100)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `catalog_products_slug` ON `catalog_products` (`slug`);--> statement-breakpoint
CREATE INDEX `catalog_products_by_category` ON `catalog_products` (`category`);--> statement-breakpoint
CREATE TABLE `inventory` (
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`stock_quantity` integer NOT NULL,
	`low_stock_threshold` integer,
	`name` text,
	`name_folded` text,
	`slug` text,
	`description` text,
	`category` text,
	`price_cents` integer,
	`available` integer,
	`thc_percent` real,
	`cbd_percent` real,
	`available_for_pickup` integer,
	`available_for_shipping` integer,
	`prescription_required` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `p1_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`p1_id`) REFERENCES `catalog_products`(`p1_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "stock_not_negative" CHECK("inventory"."stock_quantity" >= 0),
	CONSTRAINT "inventory_price" CHECK(coalesce("inventory"."price_cents", 0) >= 0),
	CONSTRAINT "inventory_percent" CHECK(coalesce("inventory"."thc_percent", 0) between 0 and 100 and coalesce("inventory"."cbd_percent", 0) between 0 and 100)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inventory_slug` ON `inventory` (`org_id`,`slug`) WHERE slug is not null;--> statement-breakpoint
CREATE TABLE `listings` (
	`shop_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`org_id` text NOT NULL,
	`overrides` text NOT NULL,
	`name_folded` text,
	`attached_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`shop_id`, `p1_id`),
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "listings_overrides" CHECK(json_valid("listings"."overrides"))
);
--> statement-breakpoint
CREATE INDEX `listings_by_product` ON `listings` (`org_id`,`p1_id`);--> statement-breakpoint
CREATE TABLE `stock_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`delta` integer NOT NULL,
	`stock_before` integer NOT NULL,
	`stock_after` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "stock_movements_sum" CHECK("stock_movements"."stock_after" = "stock_movements"."stock_before" + "stock_movements"."delta")
);
--> statement-breakpoint
CREATE INDEX `stock_movements_by_product` ON `stock_movements` (`org_id`,`p1_id`);--> statement-breakpoint
CREATE TABLE `order_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`source` text NOT NULL,
	`external_reference` text,
	`status` text NOT NULL,
	`fingerprint` text,
	`supersedes_id` text,
	`payload` text,
	`customer_name` text,
	`customer_email` text,
	`customer_id` text,
	`address_street` text,
	`address_city` text,
	`address_postal_code` text,
	`address_phone` text,
	`shipping_option` text,
	`payment_status` text NOT NULL,
	`payment_reference` text,
	`total_cents` integer,
	`items` text NOT NULL,
	`approved_items` text,
	`needs_info` integer DEFAULT false NOT NULL,
	`needs_info_note` text,
	`decided_by` text,
	`decided_at` integer,
	`reason_code` text,
	`reason_note` text,
	`override_reason` text,
	`order_id` text,
	`legal_hold` integer DEFAULT false NOT NULL,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_requests_status" CHECK("order_requests"."status" in ('pending', 'approved', 'rejected', 'deleted')),
	CONSTRAINT "order_requests_payment_status" CHECK("order_requests"."payment_status" in ('cash_on_pickup', 'paid', 'pending')),
	CONSTRAINT "order_requests_payload" CHECK("order_requests"."payload" is null or json_valid("order_requests"."payload")),
	CONSTRAINT "order_requests_items" CHECK(json_valid("order_requests"."items"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_requests_live_reference` ON `order_requests` (`shop_id`,`integration_id`,`source`,`external_reference`) WHERE external_reference is not null and status in ('pending', 'approved');--> statement-breakpoint
CREATE INDEX `order_requests_by_reference` ON `order_requests` (`shop_id`,`external_reference`) WHERE external_reference is not null;--> statement-breakpoint
CREATE INDEX `order_requests_by_status` ON `order_requests` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text,
	`email` text,
	`legal_hold` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`erased_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customers_email_folded" CHECK("customers"."email" = lower("customers"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email` ON `customers` (`org_id`,`email`) WHERE email is not null;--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`external_id` text,
	`order_request_id` text,
	`source` text NOT NULL,
	`external_reference` text,
	`customer_id` text,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`payment_reference` text,
	`paid_at` integer,
	`on_hold` integer NOT NULL,
	`hold_reason` text,
	`express` integer NOT NULL,
	`archived` integer NOT NULL,
	`cancel_reason_code` text,
	`note` text,
	`shipping_option` text,
	`customer_name` text,
	`customer_email` text,
	`address_street` text,
	`address_city` text,
	`address_postal_code` text,
	`address_phone` text,
	`total_cents` integer NOT NULL,
	`items` text NOT NULL,
	`holds_stock` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`erased_at` integer,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_status" CHECK("orders"."status" in ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping', 'shipped', 'delivered', 'picked_up', 'returned', 'cancelled')),
	CONSTRAINT "orders_payment_status" CHECK("orders"."payment_status" in ('cash_on_pickup', 'pending', 'paid', 'refunded')),
	CONSTRAINT "orders_items" CHECK(json_valid("orders"."items")),
	CONSTRAINT "orders_total" CHECK("orders"."total_cents" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_request` ON `orders` (`order_request_id`) WHERE order_request_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external` ON `orders` (`shop_id`,`external_id`) WHERE external_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`org_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_org` ON `orders` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_id`) WHERE customer_id is not null;--> statement-breakpoint
CREATE TABLE `payment_links` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_links_status" CHECK("payment_links"."status" in ('open', 'paid', 'voided')),
	CONSTRAINT "payment_links_amount" CHECK("payment_links"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE INDEX `payment_links_by_order` ON `payment_links` (`order_id`);--> statement-breakpoint
CREATE TABLE `file_deletions` (
	`file_key` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `prescriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_request_id` text,
	`order_id` text,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`file_key` text,
	`sha256` text,
	`size_bytes` integer,
	`source_url` text,
	`source_host` text,
	`fetch_attempts` integer NOT NULL,
	`next_fetch_at` integer NOT NULL,
	`fetch_failure` text,
	`approved_at` integer,
	`approved_by` text,
	`signature_provider` text,
	`signature_reference` text,
	`signed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "prescriptions_origin" CHECK("prescriptions"."origin" in ('base64', 'url', 'staff')),
	CONSTRAINT "prescriptions_status" CHECK("prescriptions"."status" in ('fetching', 'stored', 'fetch_failed', 'erased')),
	CONSTRAINT "prescriptions_stored_file" CHECK("prescriptions"."status" <> 'stored' or ("prescriptions"."file_key" is not null and "prescriptions"."sha256" is not null)),
	CONSTRAINT "prescriptions_fetches" CHECK("prescriptions"."fetch_attempts" between 0 and 3)
);
--> statement-breakpoint
CREATE INDEX `prescriptions_by_request` ON `prescriptions` (`order_request_id`);--> statement-breakpoint
CREATE INDEX `prescriptions_by_order` ON `prescriptions` (`order_id`) WHERE order_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `prescriptions_file` ON `prescriptions` (`file_key`) WHERE file_key is not null;--> statement-breakpoint
CREATE INDEX `prescriptions_fetching` ON `prescriptions` (`next_fetch_at`) WHERE status = 'fetching';--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`iban` text,
	`payment_recipient` text,
	`low_stock_threshold` integer NOT NULL,
	`request_retention_days` integer NOT NULL,
	`order_retention_days` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "organizations_threshold" CHECK("organizations"."low_stock_threshold" >= 0)
);
--> statement-breakpoint
CREATE TABLE `shop_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`shop_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_hosts_status" CHECK("shop_hosts"."status" in ('active', 'pending')),
	CONSTRAINT "shop_hosts_normalised" CHECK("shop_hosts"."host" = lower("shop_hosts"."host") and "shop_hosts"."host" not like '%:%' and "shop_hosts"."host" not like '%.')
);
--> statement-breakpoint
CREATE INDEX `shop_hosts_by_shop` ON `shop_hosts` (`shop_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `shops` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`delivery_service_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shops_by_org` ON `shops` (`org_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`trigger` text NOT NULL,
	`status` text NOT NULL,
	`attempt_count` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`lease_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "deliveries_three_attempts" CHECK("deliveries"."attempt_count" between 0 and 3),
	CONSTRAINT "deliveries_status" CHECK("deliveries"."status" in ('pending', 'delivering', 'succeeded', 'exhausted', 'held', 'cancelled')),
	CONSTRAINT "deliveries_trigger" CHECK("deliveries"."trigger" in ('event', 'redelivery', 'recovery', 'test', 'probe'))
);
--> statement-breakpoint
CREATE INDEX `deliveries_by_subscription` ON `deliveries` (`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `deliveries` (`lease_until`) WHERE status = 'delivering';--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_one_recovery` ON `deliveries` (`event_id`,`subscription_id`) WHERE "trigger" = 'recovery';--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`trigger` text NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`http_status` integer,
	`failure_class` text,
	`answer_excerpt` text,
	PRIMARY KEY(`delivery_id`, `attempt`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "delivery_attempts_number" CHECK("delivery_attempts"."attempt" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_by_org` ON `events` (`org_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`host` text NOT NULL,
	`event_types` text NOT NULL,
	`status` text NOT NULL,
	`secret_ciphertext` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'holding', 'paused', 'disabled')),
	CONSTRAINT "subscriptions_event_types" CHECK(json_valid("subscriptions"."event_types"))
);
--> statement-breakpoint
CREATE INDEX `subscriptions_by_org` ON `subscriptions` (`org_id`);--> statement-breakpoint
CREATE TABLE `guards` (
	`id` integer PRIMARY KEY NOT NULL,
	`changed` integer NOT NULL,
	CONSTRAINT "must_change_one" CHECK("guards"."changed" = 1)
);
