CREATE TABLE `search_cursors` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`org_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `search_entries` (
	`docid` integer PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`words` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_by_id` ON `search_entries` (`org_id`,`id`);