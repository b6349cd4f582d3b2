DROP INDEX `subscriptions_recovering`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `probe_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_settling` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `wait_until` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `skipped_after` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `skipped_until` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recover_failed_after` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recover_since` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `recover_until` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_unfinished` ON `subscriptions` (`id`) WHERE is_settling = 1 or recover_after is not null;--> statement-breakpoint
CREATE INDEX `deliveries_exhausted` ON `deliveries` (`subscription_id`,`id`) WHERE status = 'exhausted';