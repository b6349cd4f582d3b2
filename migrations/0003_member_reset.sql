CREATE TABLE `staff_resets` (
	`member_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_second_factor` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_resets_by_token` ON `staff_resets` (`token_hash`);--> statement-breakpoint
ALTER TABLE `staff_second_factors` ADD `last_step` integer;