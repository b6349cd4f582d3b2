DROP INDEX `orders_waiting`;--> statement-breakpoint
ALTER TABLE `orders` ADD `nothing_here` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_to_pack` ON `orders` (`org_id`,`id`) WHERE status = 'awaiting_packing' and nothing_here = 0;--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`org_id`,`id`) WHERE (status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1)
  or status = 'awaiting_packing' and nothing_here = 1);