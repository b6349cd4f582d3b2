-- Columns by hand: drizzle-kit would make the tables anew for each CHECK.
ALTER TABLE `inventory` ADD `committed_quantity` integer DEFAULT 0 NOT NULL
  CONSTRAINT `stock_committed` CHECK (`committed_quantity` >= 0);--> statement-breakpoint
ALTER TABLE `inventory` ADD `shortage` integer DEFAULT 0 NOT NULL
  CONSTRAINT `stock_shortage` CHECK (`shortage` BETWEEN 0 AND `committed_quantity` AND (`shortage` = 0 OR `stock_quantity` = 0));--> statement-breakpoint
CREATE INDEX `inventory_shortage` ON `inventory` (`org_id`,`p1_id`) WHERE shortage > 0;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `committed_delta` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `on_hand_delta` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `on_hand_after` integer;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `counted_at` integer;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `actor_kind` text;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `actor_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `chunk_seq` integer;
