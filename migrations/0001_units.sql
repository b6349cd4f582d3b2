ALTER TABLE `catalog_products` ADD `unit` text;--> statement-breakpoint
ALTER TABLE `catalog_products` ADD `unit_step` integer;--> statement-breakpoint
ALTER TABLE `inventory` ADD `unit` text;--> statement-breakpoint
ALTER TABLE `inventory` ADD `unit_step` integer;