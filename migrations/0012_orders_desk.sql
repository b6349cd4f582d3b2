CREATE TABLE `courier_tours` (
	`org_id` text PRIMARY KEY NOT NULL,
	`sequence` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));--> statement-breakpoint
CREATE INDEX `orders_to_carry` ON `orders` (`org_id`,`id`) WHERE status = 'ready_shipping' and not (coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'));--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`org_id`,`id`) WHERE (status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1));