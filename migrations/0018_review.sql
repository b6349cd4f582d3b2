-- Columns by hand: drizzle-kit would make the tables anew for each CHECK.
CREATE TABLE `request_questions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_request_id` text NOT NULL,
	`code` text NOT NULL,
	`text` text NOT NULL,
	`asked_by` text,
	`asked_at` integer NOT NULL,
	`answer` text,
	`answered_by` text,
	`answered_at` integer,
	CONSTRAINT "request_questions_answer" CHECK(("request_questions"."answer" is null) = ("request_questions"."answered_at" is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `request_questions_by_request` ON `request_questions` (`order_request_id`,`id`);--> statement-breakpoint
CREATE TABLE `staff_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`order_request_id` text,
	`order_id` text,
	`text` text NOT NULL,
	`written_by` text,
	`written_at` integer NOT NULL,
	CONSTRAINT "staff_notes_subject" CHECK(("staff_notes"."order_request_id" is null) <> ("staff_notes"."order_id" is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `staff_notes_by_request` ON `staff_notes` (`order_request_id`) WHERE order_request_id is not null;--> statement-breakpoint
CREATE INDEX `staff_notes_by_order` ON `staff_notes` (`order_id`) WHERE order_id is not null;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `platform_details` text;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `acknowledged` text;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `needs_info_code` text;--> statement-breakpoint
CREATE INDEX `customers_by_name` ON `customers` (`org_id`,lower(name)) WHERE name is not null;--> statement-breakpoint
CREATE INDEX `order_requests_payload` ON `order_requests` (`org_id`,`decided_at`) WHERE payload is not null and decided_at is not null;--> statement-breakpoint
ALTER TABLE `orders` ADD `original_missing` integer DEFAULT false NOT NULL
  CONSTRAINT `orders_original_missing` CHECK (`original_missing` = 0 OR `status` NOT IN ('shipped', 'delivered', 'picked_up'));--> statement-breakpoint
ALTER TABLE `orders` ADD `payment_action` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `payment_difference_cents` integer
  CONSTRAINT `orders_payment_action` CHECK ((`payment_action` IS NULL) = (`payment_difference_cents` IS NULL)
    AND (`payment_action` IS NULL OR `payment_action` IN ('collect', 'refund', 'ask')));--> statement-breakpoint
ALTER TABLE `orders` ADD `platform_details` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `checked_as` text
  CONSTRAINT `prescriptions_checked_as` CHECK (`checked_as` IS NULL
    OR (`approved_at` IS NOT NULL AND `checked_as` IN ('signed_file', 'original_present', 'original_follows')));--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `issued_on` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `set_aside_at` integer
  CONSTRAINT `prescriptions_set_aside` CHECK (`set_aside_at` IS NULL OR `approved_at` IS NULL);--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `set_aside_by` text;--> statement-breakpoint
ALTER TABLE `prescriptions` ADD `set_aside_reason` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `prescription_valid_days` integer DEFAULT 90 NOT NULL;--> statement-breakpoint
-- A prescription that is set aside, or taken back, changes what stands in the way of its request.
CREATE TRIGGER `inbox_sees_set_aside` AFTER UPDATE OF `set_aside_at` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`set_aside_at` IS NOT OLD.`set_aside_at`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;

--> statement-breakpoint
-- What staff waited for before there were questions is one that is open, and can be answered. It has the id of its request.
INSERT INTO `request_questions` (`id`, `org_id`, `order_request_id`, `code`, `text`, `asked_at`)
SELECT `id`, `org_id`, `id`, 'other', coalesce(`needs_info_note`, ''), `updated_at` FROM `order_requests`
WHERE `status` = 'pending' AND `needs_info` = 1;
--> statement-breakpoint
UPDATE `order_requests` SET `needs_info_code` = 'other' WHERE `status` = 'pending' AND `needs_info` = 1;
