CREATE TABLE `product_blocks` (
	`list_id` text NOT NULL,
	`first_p1_id` text NOT NULL,
	`product_count` integer NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`list_id`, `first_p1_id`)
) WITHOUT ROWID;
