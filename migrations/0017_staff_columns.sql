ALTER TABLE `staff_accounts` DROP COLUMN `account_id`;--> statement-breakpoint
ALTER TABLE `staff_accounts` DROP COLUMN `provider_id`;--> statement-breakpoint
ALTER TABLE `staff_sessions` DROP COLUMN `updated_at`;--> statement-breakpoint
ALTER TABLE `staff_verifications` DROP COLUMN `updated_at`;--> statement-breakpoint
ALTER TABLE `staff_verifications` ADD `tries` integer DEFAULT 0 NOT NULL;