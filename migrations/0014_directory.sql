CREATE TABLE `directory` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`org_id` text NOT NULL,
	`shard` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `key`, `org_id`),
	CONSTRAINT "directory_kind" CHECK("directory"."kind" in ('organization', 'host', 'email'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_one_home` ON `directory` (`kind`,`key`) WHERE kind <> 'email';--> statement-breakpoint
CREATE INDEX `directory_by_organization` ON `directory` (`org_id`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `state` text DEFAULT 'active' NOT NULL CONSTRAINT "organizations_state" CHECK("state" in ('active', 'moving', 'gone'));
