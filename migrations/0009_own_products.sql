DROP INDEX `catalog_products_by_update`;--> statement-breakpoint
ALTER TABLE `catalog_products` ADD `org_id` text;--> statement-breakpoint
ALTER TABLE `catalog_products` ADD `joined_p1_id` text;--> statement-breakpoint
CREATE INDEX `catalog_products_by_org` ON `catalog_products` (`org_id`,`p1_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `catalog_products_own_pzn` ON `catalog_products` (`org_id`,`pzn`) WHERE joined_p1_id is null and org_id is not null;--> statement-breakpoint
CREATE INDEX `catalog_products_by_update` ON `catalog_products` (`org_id`,`updated_at`,`p1_id`);