CREATE TABLE `day_totals` (
	`org_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`shop_id` text NOT NULL,
	`orders` text NOT NULL,
	`approved` integer NOT NULL,
	`rejected` integer NOT NULL,
	`deleted` integer NOT NULL,
	`review_seconds` text NOT NULL,
	PRIMARY KEY(`org_id`, `starts_at`, `shop_id`),
	CONSTRAINT "day_totals_json" CHECK(json_valid("day_totals"."orders") and json_valid("day_totals"."review_seconds"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_totals` (
	`org_id` text NOT NULL,
	`span` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`p1_id` text NOT NULL,
	`name` text NOT NULL,
	`shop_id` text NOT NULL,
	`lines` integer NOT NULL,
	`quantity` integer NOT NULL,
	`millicents` integer NOT NULL,
	PRIMARY KEY(`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`)
) WITHOUT ROWID;
