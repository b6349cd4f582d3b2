CREATE TABLE `audit_log` (
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`entity_id` text NOT NULL,
	`fields` text,
	`reason_code` text,
	`request_id` text NOT NULL,
	`form_id` text,
	PRIMARY KEY(`org_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_one_form` ON `audit_log` (`form_id`,`action`) WHERE form_id is not null;
--> statement-breakpoint
CREATE INDEX `audit_log_by_entity` ON `audit_log` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`iban` text,
	`payment_recipient` text,
	`low_stock_threshold` integer NOT NULL,
	`request_retention_days` integer NOT NULL,
	`order_retention_days` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "organizations_threshold" CHECK("organizations"."low_stock_threshold" >= 0),
	CONSTRAINT "organizations_state" CHECK("organizations"."state" in ('active', 'moving', 'gone'))
) WITHOUT ROWID;
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `api_keys_by_org` ON `api_keys` (`org_id`);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`org_id` text NOT NULL,
	`family_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`request_id` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `family_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_invitation` ON `members` (`org_id`,`email`) WHERE revoked_at is null;
--> statement-breakpoint
CREATE INDEX `members_by_email` ON `members` (`email`) WHERE accepted_at is not null and revoked_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_invitation` ON `members` (`invitation_hash`) WHERE invitation_hash is not null;
--> statement-breakpoint
CREATE TABLE `staff_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_accounts_by_member` ON `staff_accounts` (`member_id`);
--> statement-breakpoint
CREATE TABLE `staff_page_data` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `staff_page_data_by_expiry` ON `staff_page_data` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `staff_resets` (
	`member_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_second_factor` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_resets_by_token` ON `staff_resets` (`token_hash`);
--> statement-breakpoint
CREATE TABLE `staff_second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`secret` text NOT NULL,
	`backup_codes` text NOT NULL,
	`verified` integer NOT NULL,
	`failed_verification_count` integer NOT NULL,
	`locked_until` integer,
	`last_step` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_second_factors_by_member` ON `staff_second_factors` (`member_id`);
--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`member_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_sessions_by_token` ON `staff_sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `staff_sessions_by_member` ON `staff_sessions` (`member_id`,`expires_at`);
--> statement-breakpoint
CREATE TABLE `staff_verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `staff_verifications_by_identifier` ON `staff_verifications` (`identifier`,`created_at`);
--> statement-breakpoint
CREATE INDEX `staff_verifications_by_expiry` ON `staff_verifications` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `catalog_products` (
	`p1_id` text PRIMARY KEY NOT NULL,
	`pzn` text,
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
CREATE UNIQUE INDEX `catalog_products_slug` ON `catalog_products` (`slug`);
--> statement-breakpoint
CREATE INDEX `catalog_products_by_category` ON `catalog_products` (`category`);
--> statement-breakpoint
CREATE INDEX `catalog_products_by_pzn` ON `catalog_products` (`pzn`) WHERE pzn is not null;
--> statement-breakpoint
CREATE TABLE `directory` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`org_id` text NOT NULL,
	`shard` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `key`, `org_id`),
	CONSTRAINT "directory_kind" CHECK("directory"."kind" in ('organization', 'host', 'email'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_one_home` ON `directory` (`kind`,`key`) WHERE kind <> 'email';
--> statement-breakpoint
CREATE INDEX `directory_by_organization` ON `directory` (`org_id`);
--> statement-breakpoint
CREATE TABLE `inventory` (
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`stock_quantity` integer NOT NULL,
	`stock_version` integer DEFAULT 0 NOT NULL,
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
	`metadata` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `p1_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`p1_id`) REFERENCES `catalog_products`(`p1_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inventory_metadata" CHECK("inventory"."metadata" is null or json_valid("inventory"."metadata")),
	CONSTRAINT "stock_not_negative" CHECK("inventory"."stock_quantity" >= 0),
	CONSTRAINT "inventory_price" CHECK(coalesce("inventory"."price_cents", 0) >= 0),
	CONSTRAINT "inventory_percent" CHECK(coalesce("inventory"."thc_percent", 0) between 0 and 100 and coalesce("inventory"."cbd_percent", 0) between 0 and 100)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `inventory_slug` ON `inventory` (`org_id`,`slug`) WHERE slug is not null;
--> statement-breakpoint
CREATE TABLE `shops` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`delivery_service_name` text NOT NULL,
	`listed_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `shops_by_org` ON `shops` (`org_id`);
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `listings_by_product` ON `listings` (`org_id`,`p1_id`);
--> statement-breakpoint
CREATE TABLE `stock_movements` (
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`delta` integer NOT NULL,
	`stock_before` integer NOT NULL,
	`stock_after` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `p1_id`, `id`),
	CONSTRAINT "stock_movements_sum" CHECK("stock_movements"."stock_after" = "stock_movements"."stock_before" + "stock_movements"."delta")
) WITHOUT ROWID;
--> statement-breakpoint
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
	`prescription_pdf_url` text,
	`cash_on_pickup` integer,
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
	CONSTRAINT "order_requests_items" CHECK(json_valid("order_requests"."items"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_requests_reference` ON `order_requests` (`shop_id`,`external_reference`,`integration_id`,`source`,case status when 'pending' then '' when 'approved' then '' else id end) WHERE external_reference is not null;
--> statement-breakpoint
CREATE INDEX `order_requests_by_status` ON `order_requests` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `order_requests_rejected` ON `order_requests` (`org_id`,`decided_at`) WHERE status = 'rejected' and erased_at is null and legal_hold = 0;
--> statement-breakpoint
CREATE TABLE `sweep_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL,
	`has_more` integer NOT NULL,
	`done_night` text
) WITHOUT ROWID;
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email` ON `customers` (`org_id`,`email`) WHERE email is not null;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`number` integer NOT NULL,
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
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`refund_note` text,
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
	PRIMARY KEY(`org_id`, `id`),
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_status" CHECK("orders"."status" in ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping', 'shipped', 'delivered', 'picked_up', 'returned', 'cancelled')),
	CONSTRAINT "orders_payment_status" CHECK("orders"."payment_status" in ('cash_on_pickup', 'pending', 'paid', 'refunded')),
	CONSTRAINT "orders_items" CHECK(json_valid("orders"."items")),
	CONSTRAINT "orders_total" CHECK("orders"."total_cents" >= 0),
	CONSTRAINT "orders_refunded" CHECK("orders"."refunded_cents" >= 0 and "orders"."refunded_cents" <= "orders"."total_cents")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`org_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_request` ON `orders` (`order_request_id`) WHERE order_request_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external` ON `orders` (`shop_id`,`external_id`) WHERE external_id is not null and deleted_at is null;
--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_id`) WHERE customer_id is not null;
--> statement-breakpoint
CREATE INDEX `orders_ended` ON `orders` (`org_id`,`updated_at`) WHERE erased_at is null and status in ('delivered', 'picked_up', 'returned', 'cancelled');
--> statement-breakpoint
CREATE TABLE `payment_links` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org_id`,`order_id`) REFERENCES `orders`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_links_status" CHECK("payment_links"."status" in ('open', 'paid', 'voided')),
	CONSTRAINT "payment_links_amount" CHECK("payment_links"."amount_cents" > 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payment_links_by_order` ON `payment_links` (`order_id`);
--> statement-breakpoint
CREATE TABLE `file_deletions` (
	`file_key` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `installation` (
	`singleton` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`shard` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	CONSTRAINT "installation_single" CHECK("installation"."singleton" = 1)
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `prescriptions_by_request` ON `prescriptions` (`order_request_id`);
--> statement-breakpoint
CREATE INDEX `prescriptions_by_order` ON `prescriptions` (`order_id`) WHERE order_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `prescriptions_file` ON `prescriptions` (`file_key`) WHERE file_key is not null;
--> statement-breakpoint
CREATE INDEX `prescriptions_fetching` ON `prescriptions` (`next_fetch_at`) WHERE status = 'fetching';
--> statement-breakpoint
CREATE TABLE `pending_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`host` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pending_hosts_normalised" CHECK("pending_hosts"."host" = lower("pending_hosts"."host") and "pending_hosts"."host" not like '%:%' and "pending_hosts"."host" not like '%.')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_hosts_once` ON `pending_hosts` (`host`,`shop_id`);
--> statement-breakpoint
CREATE INDEX `pending_hosts_by_org` ON `pending_hosts` (`org_id`);
--> statement-breakpoint
CREATE TABLE `shop_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_hosts_normalised" CHECK("shop_hosts"."host" = lower("shop_hosts"."host") and "shop_hosts"."host" not like '%:%' and "shop_hosts"."host" not like '%.')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `shop_hosts_by_shop` ON `shop_hosts` (`shop_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`is_test` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `seq`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`host` text NOT NULL,
	`event_types` text NOT NULL,
	`status` text NOT NULL,
	`hold_reason` text,
	`held_since` integer,
	`next_probe_at` integer,
	`is_healthy` integer DEFAULT true NOT NULL,
	`exhausted_in_row` integer DEFAULT 0 NOT NULL,
	`recover_after` integer,
	`recover_started_at` integer,
	`secret_ciphertext` text NOT NULL,
	`previous_secret_ciphertext` text,
	`previous_secret_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'holding', 'paused', 'disabled')),
	CONSTRAINT "subscriptions_event_types" CHECK(json_valid("subscriptions"."event_types"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `subscriptions_by_org` ON `subscriptions` (`org_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_on_hold` ON `subscriptions` (`id`) WHERE hold_reason is not null;
--> statement-breakpoint
CREATE INDEX `subscriptions_recovering` ON `subscriptions` (`id`) WHERE recover_after is not null;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_by_subscription` ON `deliveries` (`subscription_id`,`id`);
--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`);
--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`subscription_id`,`priority`,`next_attempt_at`) WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `deliveries` (`subscription_id`,`lease_until`) WHERE status = 'delivering';
--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`subscription_id`,`id`) WHERE status = 'held';
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_one_recovery` ON `deliveries` (`event_id`,`subscription_id`) WHERE "trigger" = 'recovery';
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `secret_canaries` (
	`key_id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `guards` (
	`id` integer PRIMARY KEY NOT NULL,
	`changed` integer NOT NULL,
	CONSTRAINT "must_change_one" CHECK("guards"."changed" = 1)
);
