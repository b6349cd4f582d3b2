CREATE TABLE `staff_page_data` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `staff_page_data_by_expiry` ON `staff_page_data` (`expires_at`);--> statement-breakpoint
ALTER TABLE `audit_log` ADD `form_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_one_form` ON `audit_log` (`form_id`,`action`) WHERE form_id is not null;