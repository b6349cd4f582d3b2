ALTER TABLE `organizations` ADD `signature_check` text DEFAULT 'inform' NOT NULL;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `verified_with` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `signature_report` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `next_check_at` integer;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `check_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `prescriptions_to_check` ON `prescriptions` (`next_check_at`) WHERE next_check_at is not null;