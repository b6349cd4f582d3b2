-- Columns by hand: drizzle-kit would make the table anew for each CHECK.
CREATE TABLE `released_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;--> statement-breakpoint
ALTER TABLE `shop_hosts` ADD `custom_hostname_id` text;--> statement-breakpoint
ALTER TABLE `shop_hosts` ADD `moved_at` integer;--> statement-breakpoint
ALTER TABLE `shop_hosts` ADD `next_check_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_hosts_to_check` ON `shop_hosts` (`next_check_at`);--> statement-breakpoint
CREATE INDEX `shop_hosts_moved` ON `shop_hosts` (`moved_at`) WHERE moved_at is not null;--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `status` text DEFAULT 'pending' NOT NULL
  CONSTRAINT `pending_hosts_status` CHECK (`status` IN ('pending', 'verifying', 'failed'));--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `failure` text
  CONSTRAINT `pending_hosts_failure` CHECK (`failure` IS NULL OR `failure` IN ('taken', 'refused'));--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `has_cname` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `has_txt` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `checked_at` integer;--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `next_check_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pending_hosts` ADD `custom_hostname_id` text;--> statement-breakpoint
CREATE INDEX `pending_hosts_to_check` ON `pending_hosts` (`next_check_at`) WHERE status <> 'failed';
