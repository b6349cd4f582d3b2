DROP INDEX `members_one_organization`;--> statement-breakpoint
CREATE INDEX `members_by_email` ON `members` (`email`) WHERE accepted_at is not null and revoked_at is null;