CREATE TABLE `inventory_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`header` text NOT NULL,
	`ignored` text NOT NULL,
	`line_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inventory_imports_json" CHECK(json_valid("inventory_imports"."header") and json_valid("inventory_imports"."ignored"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inventory_import_parts` (
	`import_id` text NOT NULL,
	`place` integer NOT NULL,
	`lines` text NOT NULL,
	`preview` text NOT NULL,
	`outcome` text,
	PRIMARY KEY(`import_id`, `place`),
	FOREIGN KEY (`import_id`) REFERENCES `inventory_imports`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "inventory_import_parts_json" CHECK(json_valid("inventory_import_parts"."lines") and json_valid("inventory_import_parts"."preview"))
);
--> statement-breakpoint
CREATE INDEX `inventory_imports_by_org` ON `inventory_imports` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `inventory_imports_by_expiry` ON `inventory_imports` (`expires_at`);