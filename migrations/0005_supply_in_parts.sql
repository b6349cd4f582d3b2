ALTER TABLE `orders` ADD `supply` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `expected_on` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded_lines` text;--> statement-breakpoint
CREATE INDEX `orders_expected` ON `orders` (`org_id`,`expected_on`,`id`) WHERE expected_on is not null;