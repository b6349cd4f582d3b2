CREATE TABLE `delivery_totals` (
	`org_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`summed_until` integer NOT NULL,
	`delivered` integer NOT NULL,
	`exhausted` integer NOT NULL,
	PRIMARY KEY(`org_id`, `starts_at`)
) WITHOUT ROWID;
