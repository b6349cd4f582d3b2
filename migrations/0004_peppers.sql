ALTER TABLE `payment_links` ADD `pepper_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_links_by_pepper` ON `payment_links` (`pepper_id`,`expires_at`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `api_keys_by_hash` ON `api_keys` (`hash`) WHERE revoked_at is null;