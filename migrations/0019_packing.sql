ALTER TABLE `orders` ADD `packing` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `shelf` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `bags` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `collected_by` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `unpaid_reason` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `returned` text;