CREATE TABLE `product_names` (
	`org_id` text NOT NULL,
	`block` integer NOT NULL,
	`names` text NOT NULL,
	PRIMARY KEY(`org_id`, `block`)
) WITHOUT ROWID;
