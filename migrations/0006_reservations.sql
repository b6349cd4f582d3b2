CREATE TABLE `reservations` (
	`order_request_id` text NOT NULL,
	`p1_id` text NOT NULL,
	`org_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`order_request_id`, `p1_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reservations_quantity" CHECK("reservations"."quantity" >= 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reservations_by_product` ON `reservations` (`org_id`,`p1_id`);--> statement-breakpoint
CREATE INDEX `reservations_by_time` ON `reservations` (`until`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `reserves` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `reserve_share` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `stock_shown` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `inventory` ADD `reserved_quantity` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `reserved_delta` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `reserved_until` integer;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `order_request_id` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `reserve_pending_minutes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `reserve_paid_minutes` integer DEFAULT 0 NOT NULL;