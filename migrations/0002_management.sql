ALTER TABLE `events` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret_ciphertext` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret_until` integer;--> statement-breakpoint
CREATE INDEX `audit_log_newest` ON `audit_log` (`org_id`,`id`);