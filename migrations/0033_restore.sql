ALTER TABLE `organizations` ADD `order_number_floor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `shop_id` text;