CREATE TABLE `sweep_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL,
	`has_more` integer NOT NULL,
	`done_night` text
);
--> statement-breakpoint
CREATE TABLE `installation` (
	`singleton` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	CONSTRAINT "installation_single" CHECK("installation"."singleton" = 1)
);
--> statement-breakpoint
CREATE INDEX `order_requests_rejected` ON `order_requests` (`org_id`,`decided_at`) WHERE status = 'rejected' and erased_at is null and legal_hold = 0;--> statement-breakpoint
CREATE INDEX `orders_ended` ON `orders` (`org_id`,`updated_at`) WHERE erased_at is null and status in ('delivered', 'picked_up', 'returned', 'cancelled');