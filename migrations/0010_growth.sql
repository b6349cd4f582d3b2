ALTER TABLE `inventory` ADD `is_short` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `inventory_short` ON `inventory` (`org_id`,`p1_id`) WHERE is_short = 1;--> statement-breakpoint
CREATE INDEX `order_requests_by_shop` ON `order_requests` (`shop_id`,`status`,`id`) WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX `order_requests_by_email` ON `order_requests` (lower(customer_email)) WHERE customer_email is not null and status <> 'pending';--> statement-breakpoint
CREATE INDEX `order_requests_by_unfolded_email` ON `order_requests` (`org_id`) WHERE customer_email glob '*[^ -~]*' and status <> 'pending';--> statement-breakpoint
CREATE INDEX `order_requests_by_customer` ON `order_requests` (`customer_id`) WHERE customer_id is not null and status <> 'pending';--> statement-breakpoint
CREATE INDEX `orders_by_shop` ON `orders` (`shop_id`,`status`,`id`);