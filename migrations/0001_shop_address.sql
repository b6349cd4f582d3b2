ALTER TABLE `shops` ADD `street` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `postal_code` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `city` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `shops` ADD `opening_hours` text;