CREATE TABLE `moves` (
	`org_id` text PRIMARY KEY NOT NULL,
	`from_shard` integer NOT NULL,
	`to_shard` integer NOT NULL,
	`step` text NOT NULL,
	`table_name` text,
	`position` text,
	`copied` integer NOT NULL,
	`round` integer NOT NULL,
	`digest` text,
	`fenced_at` integer,
	`lease` text NOT NULL,
	`lease_until` integer NOT NULL,
	`started_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	`failure` text,
	CONSTRAINT "moves_step" CHECK("moves"."step" in ('fence', 'wait', 'clear', 'copy', 'verify', 'switch', 'done', 'unfence', 'failed')),
	CONSTRAINT "moves_elsewhere" CHECK("moves"."from_shard" <> "moves"."to_shard")
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `moves_under_way` ON `moves` (`org_id`) WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX `organizations_away` ON `organizations` (`id`) WHERE state <> 'active';