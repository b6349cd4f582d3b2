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
CREATE INDEX `inventory_imports_by_org` ON `inventory_imports` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `inventory_imports_by_expiry` ON `inventory_imports` (`expires_at`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `emails_once` ON `emails` (`org_id`,`about`,`kind`);--> statement-breakpoint
CREATE INDEX `emails_due` ON `emails` (`due_at`) WHERE state in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX `emails_by_provider_id` ON `emails` (`provider_id`) WHERE provider_id is not null;--> statement-breakpoint
CREATE TABLE `message_settings` (
	`shop_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`reply_to` text,
	`is_sending` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `message_settings_by_org` ON `message_settings` (`org_id`);--> statement-breakpoint
CREATE TABLE `notice_readers` (
	`member_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notice_readers_by_org` ON `notice_readers` (`org_id`);--> statement-breakpoint
CREATE TABLE `told_subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "told_subscriptions_kind" CHECK("told_subscriptions"."kind" in ('webhook_held', 'webhook_disabled', 'webhook_recovered'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `told_subscriptions_by_org` ON `told_subscriptions` (`org_id`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `search_entries_by_id` ON `search_entries` (`org_id`,`id`);--> statement-breakpoint
ALTER TABLE `orders` ADD `supply` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `expected_on` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `nothing_here` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded_lines` text;--> statement-breakpoint
CREATE INDEX `orders_to_pack` ON `orders` (`org_id`,`id`) WHERE status = 'awaiting_packing' and nothing_here = 0;--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));--> statement-breakpoint
CREATE INDEX `orders_to_carry` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and not (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`org_id`,`id`) WHERE (status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1)
  or status = 'awaiting_packing' and nothing_here = 1);--> statement-breakpoint
CREATE INDEX `orders_expected` ON `orders` (`org_id`,`expected_on`,`id`) WHERE expected_on is not null;--> statement-breakpoint
ALTER TABLE `day_totals` ADD `sources` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `street` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `postal_code` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `city` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `opening_hours` text;--> statement-breakpoint
CREATE INDEX `audit_log_by_part` ON `audit_log` (`org_id`,case when action glob 'prescription.viewed' or action glob 'organization.rows_read' then 'views' when action glob 'member.accepted' or action glob 'member.signed_in' or action glob 'member.signed_out_everywhere' or action glob 'member.password_changed' or action glob 'member.second_factor_enabled' or action glob 'member.second_factor_disabled' or action glob 'member.second_factor_locked' or action glob 'member.reset_issued' or action glob 'member.reset_used' then 'sign_ins' when action glob 'api_key.*' or action glob 'member.*' or action glob 'subscription.*' or action glob 'delivery.*' or action glob 'shop.*' or action glob 'shop_host.*' or action glob 'organization.*' then 'settings' end,`id`) WHERE case when action glob 'prescription.viewed' or action glob 'organization.rows_read' then 'views' when action glob 'member.accepted' or action glob 'member.signed_in' or action glob 'member.signed_out_everywhere' or action glob 'member.password_changed' or action glob 'member.second_factor_enabled' or action glob 'member.second_factor_disabled' or action glob 'member.second_factor_locked' or action glob 'member.reset_issued' or action glob 'member.reset_used' then 'sign_ins' when action glob 'api_key.*' or action glob 'member.*' or action glob 'subscription.*' or action glob 'delivery.*' or action glob 'shop.*' or action glob 'shop_host.*' or action glob 'organization.*' then 'settings' end is not null;