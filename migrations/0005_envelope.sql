ALTER TABLE `order_requests` ADD `customer_birth_date` text;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `prescriber_name` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `customer_birth_date` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `prescriber_name` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `place` integer;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `reference` text;