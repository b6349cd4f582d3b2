DROP INDEX `deliveries_by_event`;--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_id`,`subscription_id`);