DROP INDEX `customers_by_name`;--> statement-breakpoint
ALTER TABLE `customers` ADD `name_folded` text;--> statement-breakpoint
CREATE INDEX `customers_by_name` ON `customers` (`org_id`,`name_folded`) WHERE name_folded is not null;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `customer_name_folded` text;