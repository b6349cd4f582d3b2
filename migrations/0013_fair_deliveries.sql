-- Deliveries and their attempts become tables WITHOUT ROWID: one row less is written for each of both. The attempts go
-- first and come back last: they are the only rows that point at deliveries, so that no row is lost on the way.
CREATE TABLE `deliveries_new` (
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
	CONSTRAINT "deliveries_three_attempts" CHECK("attempt_count" between 0 and 3),
	CONSTRAINT "deliveries_status" CHECK("status" in ('pending', 'delivering', 'succeeded', 'exhausted', 'held', 'cancelled')),
	CONSTRAINT "deliveries_trigger" CHECK("trigger" in ('event', 'redelivery', 'recovery', 'test', 'probe'))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `deliveries_new` (`id`, `org_id`, `event_id`, `subscription_id`, `priority`, `trigger`, `status`, `attempt_count`, `next_attempt_at`, `lease_until`, `created_at`, `finished_at`)
SELECT `deliveries`.`id`, `deliveries`.`org_id`, `event_id`, `subscription_id`,
	`events`.`type` in ('product_created', 'product_updated', 'product_deleted', 'low_stock', 'out_of_stock'),
	`trigger`, `status`, `attempt_count`, `next_attempt_at`, `lease_until`, `deliveries`.`created_at`, `finished_at`
FROM `deliveries` JOIN `events` ON `events`.`id` = `event_id`;
--> statement-breakpoint
CREATE TABLE `delivery_attempts_new` (
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`trigger` text NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`http_status` integer,
	`failure_class` text,
	`answer_excerpt` text,
	PRIMARY KEY(`delivery_id`, `attempt`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries_new`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "delivery_attempts_number" CHECK("attempt" between 1 and 3)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `delivery_attempts_new` (`delivery_id`, `attempt`, `trigger`, `started_at`, `duration_ms`, `http_status`, `failure_class`, `answer_excerpt`)
SELECT `delivery_id`, `attempt`, `trigger`, `started_at`, `duration_ms`, `http_status`, `failure_class`, `answer_excerpt` FROM `delivery_attempts`;
--> statement-breakpoint
DROP TABLE `delivery_attempts`;
--> statement-breakpoint
DROP TABLE `deliveries`;
--> statement-breakpoint
ALTER TABLE `deliveries_new` RENAME TO `deliveries`;
--> statement-breakpoint
ALTER TABLE `delivery_attempts_new` RENAME TO `delivery_attempts`;
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
ALTER TABLE `subscriptions` ADD `held_since` integer;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `next_probe_at` integer;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_healthy` integer DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `exhausted_in_row` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recover_after` integer;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recover_started_at` integer;
--> statement-breakpoint
CREATE INDEX `subscriptions_recovering` ON `subscriptions` (`id`) WHERE recover_after is not null;
