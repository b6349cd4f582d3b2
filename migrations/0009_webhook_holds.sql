CREATE TABLE `secret_canaries` (
	`key_id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
-- The new index before the old ones go: at no moment may one reference become two live requests.
CREATE UNIQUE INDEX `order_requests_reference` ON `order_requests` (`shop_id`,`external_reference`,`integration_id`,`source`,case status when 'pending' then '' when 'approved' then '' else id end) WHERE external_reference is not null;
--> statement-breakpoint
DROP INDEX `order_requests_live_reference`;
--> statement-breakpoint
DROP INDEX `order_requests_by_reference`;
--> statement-breakpoint
ALTER TABLE `shops` ADD `listed_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `hold_reason` text;
--> statement-breakpoint
CREATE INDEX `subscriptions_on_hold` ON `subscriptions` (`id`) WHERE hold_reason is not null;
--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`);
