CREATE TABLE `order_batches` (
	`org_id` text NOT NULL,
	`batch` text NOT NULL,
	`order_id` text NOT NULL,
	PRIMARY KEY(`org_id`, `batch`, `order_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `order_batches_by_order` ON `order_batches` (`org_id`,`order_id`);--> statement-breakpoint
ALTER TABLE `orders` ADD `restricted` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `restricted_until` integer;--> statement-breakpoint
CREATE INDEX `orders_restricted` ON `orders` (`restricted_until`) WHERE restricted_until is not null;