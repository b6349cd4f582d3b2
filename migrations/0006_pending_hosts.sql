CREATE TABLE `pending_hosts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`host` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pending_hosts_normalised" CHECK("pending_hosts"."host" = lower("pending_hosts"."host") and "pending_hosts"."host" not like '%:%' and "pending_hosts"."host" not like '%.')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pending_hosts_once` ON `pending_hosts` (`host`,`shop_id`);--> statement-breakpoint
CREATE INDEX `pending_hosts_by_org` ON `pending_hosts` (`org_id`);