ALTER TABLE `shops` ADD `fees` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `fee_max_cents` integer DEFAULT 2500 NOT NULL;