ALTER TABLE `organizations` ADD `shipping_rules` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `express_kind` text DEFAULT 'bote' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `delivery_service_kind` text DEFAULT 'bote' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `shipping_aliases` text DEFAULT '{}' NOT NULL;