DROP INDEX `members_of`;--> statement-breakpoint
CREATE INDEX `members_of` ON `members` (`org_id`,`id`) WHERE id is not null;--> statement-breakpoint
DROP INDEX `customers_of`;--> statement-breakpoint
CREATE INDEX `customers_of` ON `customers` (`org_id`,`id`) WHERE id is not null;--> statement-breakpoint
DROP INDEX `request_questions_of`;--> statement-breakpoint
CREATE INDEX `request_questions_of` ON `request_questions` (`org_id`,`id`) WHERE id is not null;--> statement-breakpoint
DROP INDEX `staff_notes_of`;--> statement-breakpoint
CREATE INDEX `staff_notes_of` ON `staff_notes` (`org_id`,`id`) WHERE id is not null;--> statement-breakpoint
DROP INDEX `prescriptions_of`;--> statement-breakpoint
CREATE INDEX `prescriptions_of` ON `prescriptions` (`org_id`,`id`) WHERE id is not null;