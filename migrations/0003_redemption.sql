ALTER TABLE `prescriptions` ADD `file_mark` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `signature_mark` text;--> statement-breakpoint
CREATE INDEX `prescriptions_by_file` ON `prescriptions` (`org_id`,`file_mark`) WHERE file_mark is not null;--> statement-breakpoint
CREATE INDEX `prescriptions_by_signature` ON `prescriptions` (`org_id`,`signature_mark`) WHERE signature_mark is not null;--> statement-breakpoint
CREATE INDEX `prescriptions_marked` ON `prescriptions` (`approved_at`) WHERE status = 'erased' and file_mark is not null;