ALTER TABLE `idempotency_keys` ADD `about` text;--> statement-breakpoint
CREATE INDEX `idempotency_keys_about` ON `idempotency_keys` (`org_id`,`about`) WHERE about is not null;