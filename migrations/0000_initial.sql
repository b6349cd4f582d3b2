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
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`fenced_by` integer,
	`suspended_at` integer,
	`is_test` integer DEFAULT false NOT NULL,
	`counterpart_id` text,
	`iban` text,
	`payment_recipient` text,
	`low_stock_threshold` integer NOT NULL,
	`request_retention_days` integer NOT NULL,
	`order_retention_days` integer NOT NULL,
	`prescription_valid_days` integer DEFAULT 90 NOT NULL,
	`shipping_rules` text DEFAULT '[]' NOT NULL,
	`order_number_floor` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "organizations_test" CHECK("organizations"."is_test" = 0 or "organizations"."counterpart_id" is not null),
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
	`prescription_shop_ids` text,
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
CREATE TABLE `idempotency_keys` (
	`org_id` text NOT NULL,
	`family_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`request_id` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	`about` text,
	PRIMARY KEY(`org_id`, `family_id`, `key`)
) WITHOUT ROWID;
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
CREATE TABLE `staff_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `staff_page_data` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `staff_resets` (
	`member_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_second_factor` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
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
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`member_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `staff_verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
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
CREATE TABLE `inventory` (
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`stock_quantity` integer NOT NULL,
	`committed_quantity` integer DEFAULT 0 NOT NULL,
	`shortage` integer DEFAULT 0 NOT NULL,
	`stock_version` integer DEFAULT 0 NOT NULL,
	`counted_at` integer,
	`low_stock_threshold` integer,
	`is_short` integer DEFAULT true NOT NULL,
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
	CONSTRAINT "stock_committed" CHECK("inventory"."committed_quantity" >= 0),
	CONSTRAINT "stock_shortage" CHECK("inventory"."shortage" between 0 and "inventory"."committed_quantity" and ("inventory"."shortage" = 0 or "inventory"."stock_quantity" = 0)),
	CONSTRAINT "inventory_price" CHECK(coalesce("inventory"."price_cents", 0) >= 0),
	CONSTRAINT "inventory_percent" CHECK(coalesce("inventory"."thc_percent", 0) between 0 and 100 and coalesce("inventory"."cbd_percent", 0) between 0 and 100)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `shops` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`delivery_service_name` text NOT NULL,
	`express_kind` text DEFAULT 'bote' NOT NULL,
	`delivery_service_kind` text DEFAULT 'bote' NOT NULL,
	`shipping_aliases` text DEFAULT '{}' NOT NULL,
	`listed_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`street` text,
	`postal_code` text,
	`city` text,
	`phone` text,
	`opening_hours` text,
	`fees` text DEFAULT '{}' NOT NULL,
	`fee_max_cents` integer DEFAULT 2500 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
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
CREATE TABLE `stock_movements` (
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`delta` integer NOT NULL,
	`stock_before` integer NOT NULL,
	`stock_after` integer NOT NULL,
	`committed_delta` integer DEFAULT 0 NOT NULL,
	`on_hand_delta` integer DEFAULT 0 NOT NULL,
	`on_hand_after` integer,
	`counted_at` integer,
	`reason` text NOT NULL,
	`reference` text,
	`order_id` text,
	`actor_kind` text,
	`actor_id` text,
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
	`platform_details` text,
	`prescription_pdf_url` text,
	`cash_on_pickup` integer,
	`customer_name` text,
	`customer_name_folded` text,
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
	`fee_cents` integer,
	`discount_cents` integer,
	`fee_limits` text,
	`items` text NOT NULL,
	`approved_items` text,
	`acknowledged` text,
	`draft` text,
	`needs_info` integer DEFAULT false NOT NULL,
	`needs_info_code` text,
	`needs_info_note` text,
	`supplements` text,
	`withdrawal` text DEFAULT 'none' NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`reason_code` text,
	`reason_note` text,
	`override_reason` text,
	`order_id` text,
	`legal_hold` integer DEFAULT false NOT NULL,
	`erased_at` integer,
	`change_number` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_requests_status" CHECK("order_requests"."status" in ('pending', 'approved', 'rejected', 'deleted')),
	CONSTRAINT "order_requests_payment_status" CHECK("order_requests"."payment_status" in ('cash_on_pickup', 'paid', 'pending')),
	CONSTRAINT "order_requests_withdrawal" CHECK("order_requests"."withdrawal" in ('none', 'requested', 'accepted', 'refused')),
	CONSTRAINT "order_requests_items" CHECK(json_valid("order_requests"."items"))
);
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
	`name_folded` text,
	`email` text,
	`legal_hold` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`erased_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customers_email_folded" CHECK("customers"."email" = lower("customers"."email"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`number` integer NOT NULL,
	`shop_id` text NOT NULL,
	`external_id` text,
	`order_request_id` text,
	`integration_id` text,
	`source` text NOT NULL,
	`external_reference` text,
	`customer_id` text,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`payment_reference` text,
	`paid_at` integer,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`payment_action` text,
	`payment_difference_cents` integer,
	`refund_note` text,
	`on_hold` integer NOT NULL,
	`hold_reason` text,
	`original_missing` integer DEFAULT false NOT NULL,
	`withdrawal` text DEFAULT 'none' NOT NULL,
	`express` integer NOT NULL,
	`archived` integer NOT NULL,
	`cancel_reason_code` text,
	`note` text,
	`shipping_option` text,
	`carrier` text,
	`tracking_number` text,
	`tracking_url` text,
	`customer_name` text,
	`customer_email` text,
	`address_street` text,
	`address_city` text,
	`address_postal_code` text,
	`address_phone` text,
	`total_cents` integer NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`discount_cents` integer DEFAULT 0 NOT NULL,
	`discount_kind` text,
	`items` text NOT NULL,
	`platform_details` text,
	`packing` text,
	`shelf` text,
	`bags` integer,
	`collected_by` text,
	`unpaid_reason` text,
	`returned` text,
	`supply` text,
	`expected_on` text,
	`nothing_here` integer DEFAULT false NOT NULL,
	`refunded_lines` text,
	`holds_stock` integer NOT NULL,
	`version` integer NOT NULL,
	`change_number` integer DEFAULT 0 NOT NULL,
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
	CONSTRAINT "orders_original_missing" CHECK("orders"."original_missing" = 0 or "orders"."status" not in ('shipped', 'delivered', 'picked_up')),
	CONSTRAINT "orders_payment_action" CHECK(("orders"."payment_action" is null) = ("orders"."payment_difference_cents" is null) and ("orders"."payment_action" is null or "orders"."payment_action" in ('collect', 'refund', 'ask'))),
	CONSTRAINT "orders_withdrawal" CHECK("orders"."withdrawal" in ('none', 'requested', 'accepted', 'refused') and ("orders"."withdrawal" <> 'requested' or "orders"."on_hold" = 1)),
	CONSTRAINT "orders_refunded" CHECK("orders"."refunded_cents" >= 0 and "orders"."refunded_cents" <= "orders"."total_cents")
);
--> statement-breakpoint
CREATE TABLE `payment_links` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`pepper_id` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`org_id`,`order_id`) REFERENCES `orders`(`org_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_links_status" CHECK("payment_links"."status" in ('open', 'paid', 'voided')),
	CONSTRAINT "payment_links_amount" CHECK("payment_links"."amount_cents" > 0)
) WITHOUT ROWID;
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
	`shop_id` text,
	`order_request_id` text,
	`order_id` text,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`file_key` text,
	`sha256` text,
	`size_bytes` integer,
	`file_fault` text,
	`source_url` text,
	`source_host` text,
	`fetch_attempts` integer NOT NULL,
	`next_fetch_at` integer NOT NULL,
	`fetch_failure` text,
	`approved_at` integer,
	`approved_by` text,
	`approved_lines` text,
	`checked_as` text,
	`issued_on` text,
	`set_aside_at` integer,
	`set_aside_by` text,
	`set_aside_reason` text,
	`signature_provider` text,
	`signature_reference` text,
	`signed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "prescriptions_origin" CHECK("prescriptions"."origin" in ('base64', 'url', 'staff')),
	CONSTRAINT "prescriptions_status" CHECK("prescriptions"."status" in ('fetching', 'stored', 'fetch_failed', 'erased')),
	CONSTRAINT "prescriptions_stored_file" CHECK("prescriptions"."status" <> 'stored' or ("prescriptions"."file_key" is not null and "prescriptions"."sha256" is not null)),
	CONSTRAINT "prescriptions_fetches" CHECK("prescriptions"."fetch_attempts" between 0 and 3),
	CONSTRAINT "prescriptions_approved_lines" CHECK("prescriptions"."approved_lines" is null or ("prescriptions"."approved_at" is not null and json_valid("prescriptions"."approved_lines"))),
	CONSTRAINT "prescriptions_checked_as" CHECK("prescriptions"."checked_as" is null or ("prescriptions"."approved_at" is not null and "prescriptions"."checked_as" in ('signed_file', 'original_present', 'original_follows'))),
	CONSTRAINT "prescriptions_set_aside" CHECK("prescriptions"."set_aside_at" is null or "prescriptions"."approved_at" is null)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `pending_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`host` text NOT NULL,
	`created_at` integer NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`failure` text,
	`has_cname` integer DEFAULT false NOT NULL,
	`has_txt` integer DEFAULT false NOT NULL,
	`checked_at` integer,
	`next_check_at` integer DEFAULT 0 NOT NULL,
	`custom_hostname_id` text,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pending_hosts_status" CHECK("pending_hosts"."status" in ('pending', 'verifying', 'failed')),
	CONSTRAINT "pending_hosts_failure" CHECK("pending_hosts"."failure" is null or "pending_hosts"."failure" in ('taken', 'refused')),
	CONSTRAINT "pending_hosts_normalised" CHECK("pending_hosts"."host" = lower("pending_hosts"."host") and "pending_hosts"."host" not like '%:%' and "pending_hosts"."host" not like '%.')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `shop_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`custom_hostname_id` text,
	`moved_at` integer,
	`next_check_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_hosts_normalised" CHECK("shop_hosts"."host" = lower("shop_hosts"."host") and "shop_hosts"."host" not like '%:%' and "shop_hosts"."host" not like '%.')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`is_test` integer DEFAULT false NOT NULL,
	`chunk_seq` integer,
	`shop_id` text,
	`source` text,
	`integration_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `seq`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`host` text NOT NULL,
	`event_types` text NOT NULL,
	`integration_id` text,
	`shop_ids` text,
	`sources` text,
	`status` text NOT NULL,
	`hold_reason` text,
	`held_since` integer,
	`next_probe_at` integer,
	`probe_id` text,
	`is_settling` integer DEFAULT false NOT NULL,
	`is_healthy` integer DEFAULT true NOT NULL,
	`exhausted_in_row` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`wait_until` integer,
	`skipped_after` integer,
	`skipped_until` integer,
	`recover_failed_after` text,
	`recover_after` integer,
	`recover_started_at` integer,
	`recover_since` integer,
	`recover_until` integer,
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
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`event_type` text,
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
--> statement-breakpoint
CREATE TABLE `moves` (
	`org_id` text PRIMARY KEY NOT NULL,
	`from_shard` integer NOT NULL,
	`to_shard` integer NOT NULL,
	`step` text NOT NULL,
	`table_name` text,
	`position` text,
	`copied` integer NOT NULL,
	`round` integer NOT NULL,
	`digest` text,
	`fenced_at` integer,
	`lease` text NOT NULL,
	`lease_until` integer NOT NULL,
	`started_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	`failure` text,
	CONSTRAINT "moves_step" CHECK("moves"."step" in ('fence', 'wait', 'clear', 'copy', 'verify', 'switch', 'done', 'unfence', 'failed')),
	CONSTRAINT "moves_elsewhere" CHECK("moves"."from_shard" <> "moves"."to_shard")
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inbox_changes` (
	`org_id` text PRIMARY KEY NOT NULL,
	`changes` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `day_totals` (
	`org_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`shop_id` text NOT NULL,
	`orders` text NOT NULL,
	`approved` integer NOT NULL,
	`rejected` integer NOT NULL,
	`deleted` integer NOT NULL,
	`review_seconds` text NOT NULL,
	`sources` text DEFAULT '{}' NOT NULL,
	PRIMARY KEY(`org_id`, `starts_at`, `shop_id`),
	CONSTRAINT "day_totals_json" CHECK(json_valid("day_totals"."orders") and json_valid("day_totals"."review_seconds"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_totals` (
	`org_id` text NOT NULL,
	`span` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`p1_id` text NOT NULL,
	`name` text NOT NULL,
	`shop_id` text NOT NULL,
	`lines` integer NOT NULL,
	`quantity` integer NOT NULL,
	`millicents` integer NOT NULL,
	PRIMARY KEY(`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_blocks` (
	`list_id` text NOT NULL,
	`first_p1_id` text NOT NULL,
	`product_count` integer NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`list_id`, `first_p1_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `delivery_totals` (
	`org_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`summed_until` integer NOT NULL,
	`delivered` integer NOT NULL,
	`exhausted` integer NOT NULL,
	PRIMARY KEY(`org_id`, `starts_at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `request_questions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_request_id` text NOT NULL,
	`code` text NOT NULL,
	`text` text NOT NULL,
	`asked_by` text,
	`asked_at` integer NOT NULL,
	`answer` text,
	`answered_by` text,
	`answered_at` integer,
	CONSTRAINT "request_questions_answer" CHECK(("request_questions"."answer" is null) = ("request_questions"."answered_at" is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `staff_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_request_id` text,
	`order_id` text,
	`text` text NOT NULL,
	`written_by` text,
	`written_at` integer NOT NULL,
	CONSTRAINT "staff_notes_subject" CHECK(("staff_notes"."order_request_id" is null) <> ("staff_notes"."order_id" is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `released_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inventory_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`header` text NOT NULL,
	`ignored` text NOT NULL,
	`line_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inventory_imports_json" CHECK(json_valid("inventory_imports"."header") and json_valid("inventory_imports"."ignored"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inventory_import_parts` (
	`import_id` text NOT NULL,
	`place` integer NOT NULL,
	`lines` text NOT NULL,
	`preview` text NOT NULL,
	`outcome` text,
	PRIMARY KEY(`import_id`, `place`),
	FOREIGN KEY (`import_id`) REFERENCES `inventory_imports`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inventory_import_parts_json" CHECK(json_valid("inventory_import_parts"."lines") and json_valid("inventory_import_parts"."preview"))
);
--> statement-breakpoint
CREATE TABLE `email_opt_outs` (
	`org_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `customer_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text,
	`about` text NOT NULL,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`recipient` text,
	`facts` text,
	`customer_id` text,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`provider_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "emails_state" CHECK("emails"."state" in ('waiting', 'sending', 'sent', 'bounced', 'failed', 'dropped')),
	CONSTRAINT "emails_attempts" CHECK("emails"."attempts" between 0 and 3),
	CONSTRAINT "emails_recipient" CHECK("emails"."recipient" is null or "emails"."state" in ('waiting', 'sending'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `message_settings` (
	`shop_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`reply_to` text,
	`is_sending` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `notice_readers` (
	`member_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `told_subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "told_subscriptions_kind" CHECK("told_subscriptions"."kind" in ('webhook_held', 'webhook_disabled', 'webhook_recovered'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `courier_tours` (
	`org_id` text PRIMARY KEY NOT NULL,
	`sequence` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `search_cursors` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`org_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `search_entries` (
	`docid` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`words` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_one_form` ON `audit_log` (`form_id`,`action`) WHERE form_id is not null;
--> statement-breakpoint
CREATE INDEX `audit_log_by_entity` ON `audit_log` (`org_id`,`entity_id`);
--> statement-breakpoint
CREATE INDEX `audit_log_by_part` ON `audit_log` (`org_id`,case when action glob 'prescription.viewed' or action glob 'organization.rows_read' then 'views' when action glob 'member.accepted' or action glob 'member.signed_in' or action glob 'member.signed_out_everywhere' or action glob 'member.password_changed' or action glob 'member.second_factor_enabled' or action glob 'member.second_factor_disabled' or action glob 'member.second_factor_locked' or action glob 'member.reset_issued' or action glob 'member.reset_used' then 'sign_ins' when action glob 'api_key.*' or action glob 'member.*' or action glob 'subscription.*' or action glob 'delivery.*' or action glob 'shop.*' or action glob 'shop_host.*' or action glob 'organization.*' then 'settings' end,`id`) WHERE case when action glob 'prescription.viewed' or action glob 'organization.rows_read' then 'views' when action glob 'member.accepted' or action glob 'member.signed_in' or action glob 'member.signed_out_everywhere' or action glob 'member.password_changed' or action glob 'member.second_factor_enabled' or action glob 'member.second_factor_disabled' or action glob 'member.second_factor_locked' or action glob 'member.reset_issued' or action glob 'member.reset_used' then 'sign_ins' when action glob 'api_key.*' or action glob 'member.*' or action glob 'subscription.*' or action glob 'delivery.*' or action glob 'shop.*' or action glob 'shop_host.*' or action glob 'organization.*' then 'settings' end is not null;
--> statement-breakpoint
CREATE INDEX `api_keys_by_org` ON `api_keys` (`org_id`);
--> statement-breakpoint
CREATE INDEX `api_keys_by_hash` ON `api_keys` (`hash`) WHERE revoked_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_invitation` ON `members` (`org_id`,`email`) WHERE revoked_at is null;
--> statement-breakpoint
CREATE INDEX `members_by_email` ON `members` (`email`) WHERE accepted_at is not null and revoked_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_invitation` ON `members` (`invitation_hash`) WHERE invitation_hash is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_accounts_by_member` ON `staff_accounts` (`member_id`);
--> statement-breakpoint
CREATE INDEX `staff_page_data_by_expiry` ON `staff_page_data` (`expires_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_resets_by_token` ON `staff_resets` (`token_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_second_factors_by_member` ON `staff_second_factors` (`member_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_sessions_by_token` ON `staff_sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `staff_sessions_by_member` ON `staff_sessions` (`member_id`,`expires_at`);
--> statement-breakpoint
CREATE INDEX `staff_verifications_by_identifier` ON `staff_verifications` (`identifier`,`created_at`);
--> statement-breakpoint
CREATE INDEX `staff_verifications_by_expiry` ON `staff_verifications` (`expires_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `catalog_products_slug` ON `catalog_products` (`slug`);
--> statement-breakpoint
CREATE INDEX `catalog_products_by_category` ON `catalog_products` (`category`);
--> statement-breakpoint
CREATE INDEX `catalog_products_by_update` ON `catalog_products` (`updated_at`,`p1_id`);
--> statement-breakpoint
CREATE INDEX `catalog_products_by_pzn` ON `catalog_products` (`pzn`) WHERE pzn is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_one_home` ON `directory` (`kind`,`key`) WHERE kind <> 'email';
--> statement-breakpoint
CREATE INDEX `directory_by_organization` ON `directory` (`org_id`);
--> statement-breakpoint
CREATE INDEX `moves_under_way` ON `moves` (`org_id`) WHERE finished_at is null;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_about` ON `idempotency_keys` (`org_id`,`about`) WHERE about is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `inventory_slug` ON `inventory` (`org_id`,`slug`) WHERE slug is not null;
--> statement-breakpoint
CREATE INDEX `inventory_short` ON `inventory` (`org_id`,`p1_id`) WHERE is_short = 1;
--> statement-breakpoint
CREATE INDEX `inventory_shortage` ON `inventory` (`org_id`,`p1_id`) WHERE shortage > 0;
--> statement-breakpoint
CREATE INDEX `inventory_imports_by_org` ON `inventory_imports` (`org_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `inventory_imports_by_expiry` ON `inventory_imports` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `listings_by_product` ON `listings` (`org_id`,`p1_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_once` ON `emails` (`org_id`,`about`,`kind`);
--> statement-breakpoint
CREATE INDEX `emails_due` ON `emails` (`due_at`) WHERE state in ('waiting', 'sending');
--> statement-breakpoint
CREATE INDEX `emails_by_provider_id` ON `emails` (`provider_id`) WHERE provider_id is not null;
--> statement-breakpoint
CREATE INDEX `message_settings_by_org` ON `message_settings` (`org_id`);
--> statement-breakpoint
CREATE INDEX `notice_readers_by_org` ON `notice_readers` (`org_id`);
--> statement-breakpoint
CREATE INDEX `told_subscriptions_by_org` ON `told_subscriptions` (`org_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_requests_changes` ON `order_requests` (`org_id`,`change_number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_requests_reference` ON `order_requests` (`shop_id`,`external_reference`,`integration_id`,`source`,case status when 'pending' then '' when 'approved' then '' else id end) WHERE external_reference is not null;
--> statement-breakpoint
CREATE INDEX `order_requests_by_status` ON `order_requests` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `order_requests_by_shop` ON `order_requests` (`shop_id`,`status`,`id`) WHERE status <> 'pending';
--> statement-breakpoint
CREATE INDEX `order_requests_by_email` ON `order_requests` (lower(customer_email)) WHERE customer_email is not null and status <> 'pending';
--> statement-breakpoint
CREATE INDEX `order_requests_by_unfolded_email` ON `order_requests` (`org_id`) WHERE customer_email glob '*[^ -~]*' and status <> 'pending';
--> statement-breakpoint
CREATE INDEX `order_requests_by_customer` ON `order_requests` (`customer_id`) WHERE customer_id is not null and status <> 'pending';
--> statement-breakpoint
CREATE INDEX `order_requests_payload` ON `order_requests` (`org_id`,`decided_at`) WHERE payload is not null and decided_at is not null;
--> statement-breakpoint
CREATE INDEX `order_requests_rejected` ON `order_requests` (`org_id`,`decided_at`) WHERE status = 'rejected' and erased_at is null and legal_hold = 0;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email` ON `customers` (`org_id`,`email`) WHERE email is not null;
--> statement-breakpoint
CREATE INDEX `customers_by_name` ON `customers` (`org_id`,`name_folded`) WHERE name_folded is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`org_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_changes` ON `orders` (`org_id`,`change_number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_request` ON `orders` (`order_request_id`) WHERE order_request_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external` ON `orders` (`shop_id`,`external_id`) WHERE external_id is not null and deleted_at is null;
--> statement-breakpoint
CREATE INDEX `orders_by_reference` ON `orders` (`org_id`,`external_reference`,`id`) WHERE external_reference is not null;
--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`org_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_by_shop` ON `orders` (`shop_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_to_pack` ON `orders` (`org_id`,`id`) WHERE status = 'awaiting_packing' and nothing_here = 0;
--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));
--> statement-breakpoint
CREATE INDEX `orders_to_carry` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and not (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));
--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`org_id`,`id`) WHERE (status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1)
  or status = 'awaiting_packing' and nothing_here = 1);
--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_id`) WHERE customer_id is not null;
--> statement-breakpoint
CREATE INDEX `orders_expected` ON `orders` (`org_id`,`expected_on`,`id`) WHERE expected_on is not null;
--> statement-breakpoint
CREATE INDEX `orders_ended` ON `orders` (`org_id`,`updated_at`) WHERE erased_at is null and status in ('delivered', 'picked_up', 'returned', 'cancelled');
--> statement-breakpoint
CREATE INDEX `payment_links_by_order` ON `payment_links` (`order_id`);
--> statement-breakpoint
CREATE INDEX `payment_links_by_pepper` ON `payment_links` (`pepper_id`,`expires_at`) WHERE status = 'open';
--> statement-breakpoint
CREATE INDEX `request_questions_by_request` ON `request_questions` (`order_request_id`,`id`);
--> statement-breakpoint
CREATE INDEX `staff_notes_by_request` ON `staff_notes` (`order_request_id`) WHERE order_request_id is not null;
--> statement-breakpoint
CREATE INDEX `staff_notes_by_order` ON `staff_notes` (`order_id`) WHERE order_id is not null;
--> statement-breakpoint
CREATE INDEX `organizations_away` ON `organizations` (`id`) WHERE state <> 'active';
--> statement-breakpoint
CREATE INDEX `organizations_suspended` ON `organizations` (`id`) WHERE suspended_at is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_test_of` ON `organizations` (`counterpart_id`) WHERE is_test = 1;
--> statement-breakpoint
CREATE INDEX `prescriptions_by_request` ON `prescriptions` (`order_request_id`);
--> statement-breakpoint
CREATE INDEX `prescriptions_by_order` ON `prescriptions` (`order_id`) WHERE order_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `prescriptions_file` ON `prescriptions` (`file_key`) WHERE file_key is not null;
--> statement-breakpoint
CREATE INDEX `prescriptions_fetching` ON `prescriptions` (`next_fetch_at`) WHERE status = 'fetching';
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_by_id` ON `search_entries` (`org_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_hosts_once` ON `pending_hosts` (`host`,`shop_id`);
--> statement-breakpoint
CREATE INDEX `pending_hosts_to_check` ON `pending_hosts` (`next_check_at`) WHERE status <> 'failed';
--> statement-breakpoint
CREATE INDEX `pending_hosts_by_org` ON `pending_hosts` (`org_id`);
--> statement-breakpoint
CREATE INDEX `shop_hosts_by_shop` ON `shop_hosts` (`shop_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `shop_hosts_to_check` ON `shop_hosts` (`next_check_at`);
--> statement-breakpoint
CREATE INDEX `shop_hosts_moved` ON `shop_hosts` (`moved_at`) WHERE moved_at is not null;
--> statement-breakpoint
CREATE INDEX `shops_by_org` ON `shops` (`org_id`);
--> statement-breakpoint
CREATE INDEX `deliveries_by_subscription` ON `deliveries` (`subscription_id`,`id`);
--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`,`subscription_id`);
--> statement-breakpoint
CREATE INDEX `deliveries_by_type` ON `deliveries` (`subscription_id`,`event_type`,`id`) WHERE event_type <> 'order_request_submitted';
--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`subscription_id`,`priority`,`next_attempt_at`) WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX `deliveries_leased` ON `deliveries` (`subscription_id`,`lease_until`) WHERE status = 'delivering';
--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`subscription_id`,`id`) WHERE status = 'held';
--> statement-breakpoint
CREATE INDEX `deliveries_exhausted` ON `deliveries` (`subscription_id`,`id`) WHERE status = 'exhausted';
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_one_recovery` ON `deliveries` (`event_id`,`subscription_id`) WHERE "trigger" = 'recovery';
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);
--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`org_id`,`type`,`seq`) WHERE type <> 'order_request_submitted' and is_test = 0 and chunk_seq is null;
--> statement-breakpoint
CREATE INDEX `subscriptions_by_org` ON `subscriptions` (`org_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_live` ON `subscriptions` (`org_id`,`integration_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_callback` ON `subscriptions` (`integration_id`) WHERE integration_id is not null and deleted_at is null;
--> statement-breakpoint
CREATE INDEX `subscriptions_on_hold` ON `subscriptions` (`id`) WHERE hold_reason is not null;
--> statement-breakpoint
CREATE INDEX `subscriptions_unfinished` ON `subscriptions` (`id`) WHERE is_settling = 1 or recover_after is not null;
--> statement-breakpoint
-- The audit log only grows. A batch that D1 runs twice inserts the same row again, which changes nothing; with `INSERT OR
-- REPLACE` another row could take its place without the triggers below, so that is refused here.
CREATE TRIGGER `audit_log_no_replace` BEFORE INSERT ON `audit_log`
WHEN EXISTS (SELECT 1 FROM `audit_log` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`
  AND (`at`, `actor_kind`, `actor_id`, `action`, `entity_id`, `fields`, `reason_code`, `request_id`, `form_id`)
    IS NOT (NEW.`at`, NEW.`actor_kind`, NEW.`actor_id`, NEW.`action`, NEW.`entity_id`, NEW.`fields`, NEW.`reason_code`,
      NEW.`request_id`, NEW.`form_id`))
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log`
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- Ten years, after which the record may go; and when the organization lives on another database, which has the same rows.
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.`at` > (unixepoch() - 315576000) * 1000
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = OLD.`org_id` AND `state` = 'gone')
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- `INSERT OR REPLACE` would take the place of the first sending's row: an insert under its form is refused before it.
CREATE TRIGGER `audit_log_form_once` BEFORE INSERT ON `audit_log`
WHEN NEW.`form_id` IS NOT NULL
  AND EXISTS (SELECT 1 FROM `audit_log` WHERE `form_id` = NEW.`form_id` AND `action` = NEW.`action`)
BEGIN
  SELECT RAISE(ABORT, 'form_already_sent');
END;
--> statement-breakpoint
CREATE TRIGGER `stock_movements_no_update` BEFORE UPDATE ON `stock_movements`
BEGIN
  SELECT RAISE(ABORT, 'stock_movements is append-only');
END;
--> statement-breakpoint
-- A shop's listings are counted as they come and go, so that no list counts the whole assortment for its total.
CREATE TRIGGER `listings_counted` AFTER INSERT ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` + 1 WHERE `id` = NEW.`shop_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `listings_uncounted` AFTER DELETE ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` - 1 WHERE `id` = OLD.`shop_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_prescriptions` AFTER UPDATE OF `status` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`status` <> OLD.`status`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_uploads` AFTER INSERT ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`origin` = 'staff'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- A listing without overrides changes no price and no name.
CREATE TRIGGER `inbox_sees_listed` AFTER INSERT ON `listings`
WHEN NEW.`overrides` <> '{}'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_overrides` AFTER UPDATE OF `overrides` ON `listings`
WHEN NEW.`overrides` <> OLD.`overrides`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_unlisted` AFTER DELETE ON `listings`
WHEN OLD.`overrides` <> '{}'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (OLD.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_shops` AFTER INSERT ON `shops`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_shop_names` AFTER UPDATE OF `name` ON `shops`
WHEN NEW.`name` <> OLD.`name`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts` AFTER INSERT ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts_change` AFTER UPDATE ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts_go` AFTER DELETE ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (OLD.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- The catalog is everybody's.
CREATE TRIGGER `inbox_sees_catalog` AFTER UPDATE OF `name`, `price_cents`, `prescription_required` ON `catalog_products`
WHEN (NEW.`name`, NEW.`price_cents`, NEW.`prescription_required`) <> (OLD.`name`, OLD.`price_cents`, OLD.`prescription_required`)
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES ('', 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_goes` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `inbox_changes` WHERE `org_id` = OLD.`id`;
END;
--> statement-breakpoint
-- Reports read these totals, not the orders. A part of a day (src/reports/parts.ts) is found from created_at: each hour from
-- 22:00 UTC on is one, the 22 hours before are one. Rows that a move copies into this database are not counted: their totals
-- are copied, too. None is taken away when a row is deleted, so that the figures outlive it.
CREATE TRIGGER `orders_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET `orders` = (
    SELECT json_set(`orders`, `path`, json_array(
      coalesce(`orders` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`orders` ->> (`path` || '[1]'), 0) + NEW.`total_cents` - NEW.`refunded_cents`))
    FROM (SELECT '$."' || NEW.`status` || ' ' || NEW.`payment_status` || '"' AS `path`))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- Out under what the order was, in under what it is.
CREATE TRIGGER `orders_recounted` AFTER UPDATE OF `status`, `payment_status`, `total_cents`, `refunded_cents`, `deleted_at`
ON `orders`
WHEN (OLD.`status`, OLD.`payment_status`, OLD.`total_cents`, OLD.`refunded_cents`, OLD.`deleted_at` IS NULL)
  IS NOT (NEW.`status`, NEW.`payment_status`, NEW.`total_cents`, NEW.`refunded_cents`, NEW.`deleted_at` IS NULL)
BEGIN
  UPDATE `day_totals` SET `orders` = (
    SELECT iif(NEW.`deleted_at` IS NOT NULL, `without`, json_set(`without`, `path`, json_array(
      coalesce(`without` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`without` ->> (`path` || '[1]'), 0) + NEW.`total_cents` - NEW.`refunded_cents`)))
    FROM (
      SELECT '$."' || NEW.`status` || ' ' || NEW.`payment_status` || '"' AS `path`,
        iif(OLD.`deleted_at` IS NOT NULL, `orders`, json_set(`orders`, `old_path`, json_array(
          (`orders` ->> (`old_path` || '[0]')) - 1,
          (`orders` ->> (`old_path` || '[1]')) - OLD.`total_cents` + OLD.`refunded_cents`))) AS `without`
      FROM (SELECT '$."' || OLD.`status` || ' ' || OLD.`payment_status` || '"' AS `old_path`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- A line bears its share of the order's refund.
CREATE TRIGGER `products_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned')
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `product_totals` (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`, `lines`, `quantity`, `millicents`)
  SELECT NEW.`org_id`, `span`, NEW.`created_at` - NEW.`created_at` % CASE WHEN `span` > 0 THEN `span`
      WHEN NEW.`created_at` % 86400000 >= 79200000 THEN 3600000 ELSE 86400000 END,
    coalesce(`value` ->> 'p1Id', '') AS `product`, iif(`value` ->> 'p1Id' IS NULL, `value` ->> 'name', '') AS `called`,
    NEW.`shop_id`, count(*), sum(`value` ->> 'quantity'),
    sum(cast(round(1000.0 * (`value` ->> 'quantity') * (`value` ->> 'priceCents')
      * iif(NEW.`refunded_cents` = 0, 1, 1.0 - 1.0 * NEW.`refunded_cents` / NEW.`total_cents`)) AS integer))
  FROM json_each(NEW.`items`),
    (SELECT 0 AS `span` UNION ALL SELECT 604800000 UNION ALL SELECT 2419200000)
  WHERE true
  GROUP BY `span`, `product`, `called`
  ON CONFLICT (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`) DO UPDATE SET
    `lines` = `lines` + excluded.`lines`, `quantity` = `quantity` + excluded.`quantity`,
    `millicents` = `millicents` + excluded.`millicents`;
END;
--> statement-breakpoint
-- What is the same before and after is not written.
CREATE TRIGGER `products_recounted` AFTER UPDATE OF `status`, `total_cents`, `refunded_cents`, `items`, `deleted_at` ON `orders`
WHEN (OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned'),
    OLD.`total_cents`, OLD.`refunded_cents`, OLD.`items`)
  IS NOT (NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned'),
    NEW.`total_cents`, NEW.`refunded_cents`, NEW.`items`)
BEGIN
  INSERT INTO `product_totals` (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`, `lines`, `quantity`, `millicents`)
  SELECT NEW.`org_id`, `span`, NEW.`created_at` - NEW.`created_at` % CASE WHEN `span` > 0 THEN `span`
      WHEN NEW.`created_at` % 86400000 >= 79200000 THEN 3600000 ELSE 86400000 END,
    coalesce(`line` ->> 'p1Id', '') AS `product`, iif(`line` ->> 'p1Id' IS NULL, `line` ->> 'name', '') AS `called`,
    NEW.`shop_id`, sum(`sign`), sum(`sign` * (`line` ->> 'quantity')),
    sum(`sign` * cast(round(1000.0 * (`line` ->> 'quantity') * (`line` ->> 'priceCents') * `kept`) AS integer))
  FROM (
      SELECT -1 AS `sign`, `value` AS `line`,
        iif(OLD.`refunded_cents` = 0, 1, 1.0 - 1.0 * OLD.`refunded_cents` / OLD.`total_cents`) AS `kept`
      FROM json_each(OLD.`items`) WHERE OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned')
      UNION ALL
      SELECT 1, `value`, iif(NEW.`refunded_cents` = 0, 1, 1.0 - 1.0 * NEW.`refunded_cents` / NEW.`total_cents`)
      FROM json_each(NEW.`items`) WHERE NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned')),
    (SELECT 0 AS `span` UNION ALL SELECT 604800000 UNION ALL SELECT 2419200000)
  WHERE true
  GROUP BY `span`, `product`, `called`
  HAVING (sum(`sign`), sum(`sign` * (`line` ->> 'quantity')),
    sum(`sign` * cast(round(1000.0 * (`line` ->> 'quantity') * (`line` ->> 'priceCents') * `kept`) AS integer))) IS NOT (0, 0, 0)
  ON CONFLICT (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`) DO UPDATE SET
    `lines` = `lines` + excluded.`lines`, `quantity` = `quantity` + excluded.`quantity`,
    `millicents` = `millicents` + excluded.`millicents`;
END;
--> statement-breakpoint
-- No name of a line outlives the order that it came with.
CREATE TRIGGER `product_totals_end` AFTER UPDATE OF `lines` ON `product_totals`
WHEN NEW.`lines` = 0
BEGIN
  DELETE FROM `product_totals` WHERE `org_id` = NEW.`org_id` AND `span` = NEW.`span` AND `starts_at` = NEW.`starts_at`
    AND `p1_id` = NEW.`p1_id` AND `name` = NEW.`name` AND `shop_id` = NEW.`shop_id`;
END;
--> statement-breakpoint
-- Pending requests are not counted here, so that accepting one writes no row more.
CREATE TRIGGER `requests_counted` AFTER INSERT ON `order_requests`
WHEN NEW.`status` <> 'pending'
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET
    `approved` = `approved` + (NEW.`status` = 'approved'),
    `rejected` = `rejected` + (NEW.`status` = 'rejected'),
    `deleted` = `deleted` + (NEW.`status` = 'deleted'),
    `review_seconds` = (
      SELECT iif(NEW.`decided_at` IS NULL, `review_seconds`,
        json_set(`review_seconds`, `new_path`, coalesce(`review_seconds` ->> `new_path`, 0) + 1))
      FROM (SELECT '$."' || (`new_seconds` - `new_seconds` % CASE length(`new_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `new_path`
        FROM (SELECT max(0, (NEW.`decided_at` - NEW.`created_at`) / 1000) AS `new_seconds`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
CREATE TRIGGER `requests_recounted` AFTER UPDATE OF `status`, `decided_at` ON `order_requests`
WHEN (OLD.`status`, OLD.`decided_at`) IS NOT (NEW.`status`, NEW.`decided_at`)
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET
    `approved` = `approved` + (NEW.`status` = 'approved') - (OLD.`status` = 'approved'),
    `rejected` = `rejected` + (NEW.`status` = 'rejected') - (OLD.`status` = 'rejected'),
    `deleted` = `deleted` + (NEW.`status` = 'deleted') - (OLD.`status` = 'deleted'),
    `review_seconds` = (
      SELECT iif(NEW.`decided_at` IS NULL, `without`, json_set(`without`, `new_path`, coalesce(`without` ->> `new_path`, 0) + 1))
      FROM (SELECT `new_path`, iif(OLD.`decided_at` IS NULL, `review_seconds`,
          json_set(`review_seconds`, `old_path`, (`review_seconds` ->> `old_path`) - 1)) AS `without`
        FROM (SELECT '$."' || (`old_seconds` - `old_seconds` % CASE length(`old_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `old_path`,
          '$."' || (`new_seconds` - `new_seconds` % CASE length(`new_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `new_path`
          FROM (SELECT max(0, (OLD.`decided_at` - OLD.`created_at`) / 1000) AS `old_seconds`,
            max(0, (NEW.`decided_at` - NEW.`created_at`) / 1000) AS `new_seconds`))))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- `inventory.is_short`: the stock is zero or below the threshold. Only what crosses that line writes a row more.
CREATE TRIGGER `inventory_short_by_product` AFTER UPDATE OF `stock_quantity`, `low_stock_threshold` ON `inventory`
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `is_short` <> (NEW.`stock_quantity` = 0 OR NEW.`stock_quantity` < coalesce(NEW.`low_stock_threshold`,
      (SELECT `low_stock_threshold` FROM `organizations` WHERE `id` = NEW.`org_id`)));
END;
--> statement-breakpoint
-- Without stock it is what the insert says: a first movement follows in the same batch.
CREATE TRIGGER `inventory_short_at_first` AFTER INSERT ON `inventory`
WHEN NEW.`stock_quantity` > 0
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `is_short` <> (NEW.`stock_quantity` < coalesce(NEW.`low_stock_threshold`,
      (SELECT `low_stock_threshold` FROM `organizations` WHERE `id` = NEW.`org_id`)));
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_short_by_organization` AFTER UPDATE OF `low_stock_threshold` ON `organizations`
WHEN NEW.`low_stock_threshold` <> OLD.`low_stock_threshold`
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`id` AND `low_stock_threshold` IS NULL
    AND `is_short` <> (`stock_quantity` = 0 OR `stock_quantity` < NEW.`low_stock_threshold`);
END;
--> statement-breakpoint
-- What each list of products says of each of its products: a shop's listings, an organization's inventory, the catalog ('').
-- resolution.ts has the rule of the three layers.
CREATE VIEW `product_entries` (`list_id`, `p1_id`, `entry`) AS
SELECT `listed`.`shop_id`, `listed`.`p1_id`, json_array(
  coalesce(`listed`.`name_folded`, `held`.`name_folded`, `product`.`name_folded`),
  coalesce(json_extract(`listed`.`overrides`, '$.category'), `held`.`category`, `product`.`category`),
  coalesce(json_extract(`listed`.`overrides`, '$.available'), `held`.`available`, 1))
FROM `listings` AS `listed`
JOIN `inventory` AS `held` ON `held`.`org_id` = `listed`.`org_id` AND `held`.`p1_id` = `listed`.`p1_id`
JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `listed`.`p1_id`
UNION ALL
SELECT `held`.`org_id`, `held`.`p1_id`, json_array(
  coalesce(`held`.`name_folded`, `product`.`name_folded`),
  coalesce(`held`.`category`, `product`.`category`),
  coalesce(`held`.`available`, 1))
FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
UNION ALL
SELECT '', `p1_id`, json_array(`name_folded`, `category`, 1) FROM `catalog_products`;
--> statement-breakpoint
-- Brings a product's entry in its block to what the view says; an entry that the view does not have is removed. The first
-- block of a list begins with the empty id.
CREATE TRIGGER `product_entries_refresh` INSTEAD OF INSERT ON `product_entries`
BEGIN
  INSERT INTO `product_blocks` (`list_id`, `first_p1_id`, `product_count`, `entries`)
  SELECT NEW.`list_id`, '', 0, '{}'
  WHERE NOT EXISTS (SELECT 1 FROM `product_blocks` WHERE `list_id` = NEW.`list_id` AND `first_p1_id` <= NEW.`p1_id`);
  UPDATE `product_blocks` SET (`entries`, `product_count`) = (
    SELECT `after`.`entries`, (SELECT count(*) FROM json_each(`after`.`entries`))
    FROM (SELECT json_patch(`product_blocks`.`entries`, json_object(NEW.`p1_id`, json((SELECT `entry` FROM `product_entries`
      WHERE `list_id` = NEW.`list_id` AND `p1_id` = NEW.`p1_id`)))) AS `entries`) AS `after`)
  WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = (SELECT max(`first_p1_id`) FROM `product_blocks`
    WHERE `list_id` = NEW.`list_id` AND `first_p1_id` <= NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_blocks_split` AFTER UPDATE OF `product_count` ON `product_blocks`
WHEN NEW.`product_count` > 256
BEGIN
  INSERT INTO `product_blocks` (`list_id`, `first_p1_id`, `product_count`, `entries`)
  SELECT NEW.`list_id`, min(`key`), count(*), json_group_object(`key`, json(`value`))
  FROM (SELECT `key`, `value` FROM json_each(NEW.`entries`) ORDER BY `key` LIMIT -1 OFFSET 128);
  UPDATE `product_blocks` SET (`product_count`, `entries`) = (
    SELECT count(*), json_group_object(`key`, json(`value`))
    FROM (SELECT `key`, `value` FROM json_each(NEW.`entries`) ORDER BY `key` LIMIT 128))
  WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = NEW.`first_p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_blocks_end` AFTER UPDATE OF `product_count` ON `product_blocks`
WHEN NEW.`product_count` = 0
BEGIN
  DELETE FROM `product_blocks` WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = NEW.`first_p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_listed` AFTER INSERT ON `listings`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`shop_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_of_shop` AFTER UPDATE OF `overrides`, `name_folded` ON `listings`
WHEN NEW.`name_folded` IS NOT OLD.`name_folded`
  OR json_extract(NEW.`overrides`, '$.category') IS NOT json_extract(OLD.`overrides`, '$.category')
  OR json_extract(NEW.`overrides`, '$.available') IS NOT json_extract(OLD.`overrides`, '$.available')
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`shop_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_unlisted` AFTER DELETE ON `listings`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (OLD.`shop_id`, OLD.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_held` AFTER INSERT ON `inventory`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`org_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_own` AFTER UPDATE OF `name_folded`, `category`, `available` ON `inventory`
WHEN (NEW.`name_folded`, NEW.`category`, NEW.`available`) IS NOT (OLD.`name_folded`, OLD.`category`, OLD.`available`)
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`org_id`, NEW.`p1_id`);
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `shop_id`, `p1_id` FROM `listings` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_gone` AFTER DELETE ON `inventory`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (OLD.`org_id`, OLD.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_new` AFTER INSERT ON `catalog_products`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_of_catalog` AFTER UPDATE OF `name_folded`, `category` ON `catalog_products`
WHEN (NEW.`name_folded`, NEW.`category`) <> (OLD.`name_folded`, OLD.`category`)
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', NEW.`p1_id`);
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `held`.`org_id`, `held`.`p1_id` FROM `organizations` AS `holder` CROSS JOIN `inventory` AS `held`
  ON `held`.`org_id` = `holder`.`id` AND `held`.`p1_id` = NEW.`p1_id`;
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `listed`.`shop_id`, `listed`.`p1_id` FROM `organizations` AS `holder` CROSS JOIN `listings` AS `listed`
  ON `listed`.`org_id` = `holder`.`id` AND `listed`.`p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_ended` AFTER DELETE ON `catalog_products`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', OLD.`p1_id`);
END;
--> statement-breakpoint
-- Deliveries are added to their total two hours after they were made (src/reports/sweep.ts). What ends later, because it was held
-- or its receiver asked to wait, is added here. The first comparison spares all others even a look at the total. A delivery
-- counts for when its id was made: its first 12 hexadecimal digits are epoch ms. Parts of a day: src/reports/parts.ts.
CREATE TRIGGER `late_deliveries_counted` AFTER UPDATE OF `status` ON `deliveries`
WHEN NEW.`finished_at` >= NEW.`created_at` + 3600000
  AND NEW.`status` IN ('succeeded', 'exhausted') AND OLD.`status` NOT IN ('succeeded', 'exhausted')
BEGIN
  UPDATE `delivery_totals` SET
    `delivered` = `delivered` + (NEW.`status` = 'succeeded'),
    `exhausted` = `exhausted` + (NEW.`status` = 'exhausted')
  WHERE `org_id` = NEW.`org_id`
    AND `starts_at` = (SELECT `at` - `at` % iif(`at` % 86400000 >= 79200000, 3600000, 86400000)
      FROM (SELECT ('0x' || substr(NEW.`id`, 1, 8) || substr(NEW.`id`, 10, 4)) ->> '$' AS `at`))
    AND `summed_until` > ('0x' || substr(NEW.`id`, 1, 8) || substr(NEW.`id`, 10, 4)) ->> '$';
END;
--> statement-breakpoint
-- A prescription that is set aside, or taken back, changes what stands in the way of its request.
CREATE TRIGGER `inbox_sees_set_aside` AFTER UPDATE OF `set_aside_at` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`set_aside_at` IS NOT OLD.`set_aside_at`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- Every change of an order or an order request, through whatever door, gives the row the highest change number of its
-- organization: at least its time in microseconds (src/platform/data/changes.ts). The insert gives the first one.
CREATE TRIGGER `orders_change` AFTER UPDATE ON `orders`
WHEN NEW.`change_number` = OLD.`change_number`
BEGIN
  UPDATE `orders` SET `change_number` = max(
    (SELECT max(`change_number`) FROM `orders` WHERE `org_id` = NEW.`org_id`) + 1, NEW.`updated_at` * 1000)
  WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_requests_change` AFTER UPDATE ON `order_requests`
WHEN NEW.`change_number` = OLD.`change_number`
BEGIN
  UPDATE `order_requests` SET `change_number` = max(
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1, NEW.`updated_at` * 1000)
  WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- A request is shown with the state of its prescriptions. One that is erased is so with its request.
CREATE TRIGGER `order_requests_change_prescribed` AFTER UPDATE OF `status`, `approved_at`, `set_aside_at` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`status` <> 'erased'
  AND (NEW.`status`, NEW.`approved_at`, NEW.`set_aside_at`) IS NOT (OLD.`status`, OLD.`approved_at`, OLD.`set_aside_at`)
BEGIN
  UPDATE `order_requests` SET `change_number` =
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1
  WHERE `id` = NEW.`order_request_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_requests_change_uploaded` AFTER INSERT ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`origin` = 'staff'
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  UPDATE `order_requests` SET `change_number` =
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1
  WHERE `id` = NEW.`order_request_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_requests` AFTER UPDATE ON `order_requests`
WHEN NEW.`change_number` = OLD.`change_number`
  AND NOT (OLD.`status` = 'pending' AND NEW.`status` IN ('approved', 'rejected'))
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- Pages show it as a link.
CREATE TRIGGER `orders_tracking_url` BEFORE UPDATE OF `tracking_url` ON `orders`
WHEN NEW.`tracking_url` NOT LIKE 'https://%'
BEGIN
  SELECT RAISE(ABORT, 'orders_tracking_url');
END;
--> statement-breakpoint
-- What became of a platform's withdrawal is the order's once there is one, and its request says the same.
CREATE TRIGGER `orders_tell_withdrawal` AFTER UPDATE OF `withdrawal` ON `orders`
WHEN NEW.`withdrawal` <> OLD.`withdrawal` AND NEW.`order_request_id` IS NOT NULL
BEGIN
  UPDATE `order_requests` SET `withdrawal` = NEW.`withdrawal`, `updated_at` = NEW.`updated_at`
  WHERE `id` = NEW.`order_request_id`;
END;
--> statement-breakpoint
-- A movement changes the stock it was computed from, and nothing else does. What is promised and not on hand is the shortage.
CREATE TRIGGER `stock_movements_apply` AFTER INSERT ON `stock_movements`
BEGIN
  UPDATE `inventory` SET `stock_quantity` = NEW.`stock_after`,
    `committed_quantity` = `committed_quantity` + NEW.`committed_delta`,
    `shortage` = NEW.`stock_after` + `committed_quantity` + NEW.`committed_delta` - NEW.`on_hand_after`,
    `stock_version` = `stock_version` + 1, `updated_at` = NEW.`created_at`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_by_ledger` BEFORE UPDATE OF `stock_quantity`, `committed_quantity`, `shortage` ON `inventory`
WHEN NEW.`stock_version` <> OLD.`stock_version` + 1
  AND (NEW.`stock_quantity`, NEW.`committed_quantity`, NEW.`shortage`)
    IS NOT (OLD.`stock_quantity`, OLD.`committed_quantity`, OLD.`shortage`)
BEGIN
  SELECT RAISE(ABORT, 'stock changes by stock_movements alone');
END;
--> statement-breakpoint
-- A product that is added again: its version goes on from where it was.
CREATE TRIGGER `inventory_version_continued` AFTER INSERT ON `inventory`
WHEN NEW.`stock_version` = 0
  AND EXISTS (SELECT 1 FROM `stock_movements` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`)
BEGIN
  UPDATE `inventory` SET `stock_version` = (SELECT count(*) FROM `stock_movements`
    WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`)
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
-- Orders by their source, in the row of their part of a day and shop (`day_totals.sources`): how many, how many of them were
-- canceled or returned, and what the others came to. A source is counted under its own name while fewer than 20 have one in that
-- row, else under `*`. No name ever leaves a row, so an order is found again where it was counted. As the other totals, these do
-- not count what a move copies.
CREATE TRIGGER `sources_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      coalesce(`sources` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`sources` ->> (`path` || '[1]'), 0) + (NEW.`status` IN ('cancelled', 'returned')),
      coalesce(`sources` ->> (`path` || '[2]'), 0)
        + iif(NEW.`status` IN ('cancelled', 'returned'), 0, NEW.`total_cents` - NEW.`refunded_cents`)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NOT NULL OR (SELECT count(*) FROM json_each(`sources`)) < 20,
        `own`, '$."*"') AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- Only what changes one of the three figures writes.
CREATE TRIGGER `sources_recounted` AFTER UPDATE OF `status`, `total_cents`, `refunded_cents`, `deleted_at` ON `orders`
WHEN (OLD.`deleted_at` IS NULL, OLD.`status` IN ('cancelled', 'returned'), OLD.`total_cents` - OLD.`refunded_cents`)
  IS NOT (NEW.`deleted_at` IS NULL, NEW.`status` IN ('cancelled', 'returned'), NEW.`total_cents` - NEW.`refunded_cents`)
BEGIN
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      (`sources` ->> (`path` || '[0]')) + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
      (`sources` ->> (`path` || '[1]')) + (NEW.`deleted_at` IS NULL AND NEW.`status` IN ('cancelled', 'returned'))
        - (OLD.`deleted_at` IS NULL AND OLD.`status` IN ('cancelled', 'returned')),
      (`sources` ->> (`path` || '[2]'))
        + iif(NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned'),
          NEW.`total_cents` - NEW.`refunded_cents`, 0)
        - iif(OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned'),
          OLD.`total_cents` - OLD.`refunded_cents`, 0)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NULL, '$."*"', `own`) AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000)
    AND coalesce(json_type(`sources`, '$."' || hex(NEW.`source`) || '"'), json_type(`sources`, '$."*"')) IS NOT NULL;
END;
--> statement-breakpoint
-- Of each line some packs may be owed, some have left, and never more than it has; nothing is owed once an order has ended; the
-- earliest day is told in a column of its own, by which what is expected is found.
CREATE TRIGGER `orders_supply_new` BEFORE INSERT ON `orders`
WHEN NEW.`supply` IS NOT NULL OR NEW.`expected_on` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_supply') WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`supply`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE coalesce(`part`.`value` ->> 'owed', -1) < 0 OR coalesce(`part`.`value` ->> 'supplied', -1) < 0
        OR (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
          > (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity'))
        OR ((`part`.`value` ->> 'owed') > 0) <> ((`part`.`value` ->> 'expectedOn') IS NOT NULL))
    OR NEW.`expected_on` IS NOT (SELECT min(`value` ->> 'expectedOn') FROM json_each(NEW.`supply`))
    OR (NEW.`expected_on` IS NOT NULL
      AND NEW.`status` IN ('shipped', 'delivered', 'picked_up', 'returned', 'cancelled'));
END;
--> statement-breakpoint
CREATE TRIGGER `orders_supply` BEFORE UPDATE OF `supply`, `expected_on`, `items`, `status` ON `orders`
WHEN NEW.`supply` IS NOT NULL OR NEW.`expected_on` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_supply') WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`supply`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE coalesce(`part`.`value` ->> 'owed', -1) < 0 OR coalesce(`part`.`value` ->> 'supplied', -1) < 0
        OR (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
          > (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity'))
        OR ((`part`.`value` ->> 'owed') > 0) <> ((`part`.`value` ->> 'expectedOn') IS NOT NULL))
    OR NEW.`expected_on` IS NOT (SELECT min(`value` ->> 'expectedOn') FROM json_each(NEW.`supply`))
    OR (NEW.`expected_on` IS NOT NULL
      AND NEW.`status` IN ('shipped', 'delivered', 'picked_up', 'returned', 'cancelled'));
END;
--> statement-breakpoint
-- No pack is refunded that the line has not, and what is noted by line is part of the sum.
CREATE TRIGGER `orders_refunded_lines` BEFORE UPDATE OF `refunded_lines`, `refunded_cents`, `items` ON `orders`
WHEN NEW.`refunded_lines` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_refunded_lines')
  WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`refunded_lines`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`refunded_lines`) AS `line`
      WHERE coalesce(`line`.`value` ->> 'quantity', -1) < 0 OR coalesce(`line`.`value` ->> 'cents', -1) < 0
        OR (`line`.`value` ->> 'quantity') > (NEW.`items` ->> ('$[' || `line`.`key` || '].quantity')))
    OR (SELECT sum(`value` ->> 'cents') FROM json_each(NEW.`refunded_lines`)) > NEW.`refunded_cents`;
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_promised_still` AFTER INSERT ON `inventory`
WHEN NEW.`stock_version` = 0
  AND EXISTS (SELECT 1 FROM `stock_movements` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `reason` = 'removed' AND `committed_delta` < 0)
BEGIN
  INSERT INTO `stock_movements` (`id`, `org_id`, `p1_id`, `delta`, `stock_before`, `stock_after`, `committed_delta`,
    `on_hand_delta`, `on_hand_after`, `reason`, `created_at`)
  SELECT printf('%08x-%04x-7000-8000-', NEW.`created_at` >> 16, NEW.`created_at` & 65535) || lower(hex(randomblob(6))),
    NEW.`org_id`, NEW.`p1_id`, 0, NEW.`stock_quantity`, NEW.`stock_quantity`, `promised`, 0, 0, 'order', NEW.`created_at`
  FROM (SELECT sum((`line`.`value` ->> 'quantity')
      - coalesce(`orders`.`supply` ->> ('$[' || `line`.`key` || '].owed'), 0)
      - coalesce(`orders`.`supply` ->> ('$[' || `line`.`key` || '].supplied'), 0)) AS `promised`
    FROM `orders` CROSS JOIN json_each(`orders`.`items`) AS `line`
    WHERE `orders`.`org_id` = NEW.`org_id` AND `orders`.`holds_stock` = 1 AND `orders`.`status` IN
      ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping')
      AND `line`.`value` ->> 'p1Id' = NEW.`p1_id`)
  WHERE `promised` > 0;
END;
--> statement-breakpoint
-- Whether an order only waits for what is to come: nothing of it is in the house, and something is owed.
CREATE TRIGGER `orders_nothing_here_new` AFTER INSERT ON `orders`
WHEN NEW.`expected_on` IS NOT NULL
BEGIN
  UPDATE `orders` SET `nothing_here` = NOT EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
    WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
      < (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity')))
  WHERE `rowid` = NEW.`rowid`;
END;
--> statement-breakpoint
CREATE TRIGGER `orders_nothing_here` AFTER UPDATE OF `supply`, `expected_on`, `items` ON `orders`
WHEN NEW.`expected_on` IS NOT NULL OR NEW.`nothing_here` = 1
BEGIN
  UPDATE `orders` SET `nothing_here` = NEW.`expected_on` IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
        < (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity')))
  WHERE `rowid` = NEW.`rowid`;
END;
--> statement-breakpoint
-- A pack with a serial counts once for an order, also one that left before the rest came.
CREATE TRIGGER `orders_serials` BEFORE UPDATE OF `packing`, `supply` ON `orders`
WHEN NEW.`packing` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_serials') WHERE EXISTS (
    SELECT 1 FROM (SELECT `value`, `type` FROM json_each(NEW.`packing`) UNION ALL SELECT `value`, `type` FROM json_each(NEW.`supply`)) AS `line`,
      json_each(`line`.`value`, '$.serials') AS `serial`
    WHERE `line`.`type` = 'object'
    GROUP BY `serial`.`value` HAVING count(*) > 1);
END;
--> statement-breakpoint
-- What is on legal hold, by its customer or its request, is not deleted: that erases the person.
CREATE TRIGGER `orders_held` BEFORE UPDATE OF `deleted_at` ON `orders`
WHEN NEW.`deleted_at` IS NOT NULL AND OLD.`deleted_at` IS NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_held')
  WHERE EXISTS (SELECT 1 FROM `customers` WHERE `id` = NEW.`customer_id` AND `legal_hold` = 1)
    OR EXISTS (SELECT 1 FROM `order_requests` WHERE `id` = NEW.`order_request_id` AND `legal_hold` = 1);
END;
--> statement-breakpoint
-- What became of a part of an import stays: it is carried out once.
CREATE TRIGGER `inventory_import_parts_once` BEFORE UPDATE OF `outcome` ON `inventory_import_parts` WHEN old.outcome IS NOT NULL BEGIN
  SELECT raise(ABORT, 'inventory_import_parts_once');
END;
--> statement-breakpoint
-- The terms of `search_entries`, each behind its organization and kind. It keeps no text and no places, and forgets a term in the
-- transaction that takes it away (`secure-delete`), so that nothing of what was erased is left in it. `content=` is empty: the terms
-- that go are told from the entry.
CREATE VIRTUAL TABLE `search_words` USING fts5(`terms`, content='', columnsize=0, detail=none, tokenize='ascii');
--> statement-breakpoint
INSERT INTO `search_words` (`search_words`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `search_entries_in` AFTER INSERT ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state` || ' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_out` AFTER DELETE ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state` || ' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
END;
--> statement-breakpoint
-- A step of an order's status changes one term, not all of them.
CREATE TRIGGER `search_entries_state` AFTER UPDATE OF `state` ON `search_entries` WHEN NEW.`state` <> OLD.`state`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_words` AFTER UPDATE OF `words` ON `search_entries` WHEN NEW.`words` <> OLD.`words`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
-- What is erased or deleted is found no more, from the same batch on, whoever wrote it.
CREATE TRIGGER `search_forgets_orders` AFTER UPDATE ON `orders`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`deleted_at` IS NOT NULL
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_forgets_requests` AFTER UPDATE ON `order_requests`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`status` = 'deleted'
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
-- What an organization left behind when it moved.
CREATE TRIGGER `search_leaves_orders` AFTER DELETE ON `orders`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_leaves_requests` AFTER DELETE ON `order_requests`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_goes` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `search_cursors` WHERE `org_id` = OLD.`id`;
END;
