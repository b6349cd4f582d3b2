ALTER TABLE `order_requests` ADD `fee_cents` integer;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `discount_cents` integer;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `fee_limits` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `fee_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `discount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `discount_kind` text;