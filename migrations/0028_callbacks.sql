ALTER TABLE `orders` ADD `integration_id` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `event_type` text;--> statement-breakpoint
CREATE INDEX `deliveries_by_type` ON `deliveries` (`subscription_id`,`event_type`,`id`) WHERE event_type <> 'order_request_submitted';--> statement-breakpoint
ALTER TABLE `events` ADD `shop_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `source` text;--> statement-breakpoint
ALTER TABLE `events` ADD `integration_id` text;--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`org_id`,`type`,`seq`) WHERE type <> 'order_request_submitted' and is_test = 0 and chunk_seq is null;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `integration_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `shop_ids` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `sources` text;--> statement-breakpoint
CREATE INDEX `subscriptions_live` ON `subscriptions` (`org_id`,`integration_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_callback` ON `subscriptions` (`integration_id`) WHERE integration_id is not null and deleted_at is null;