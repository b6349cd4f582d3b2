CREATE INDEX `prescriptions_verified` ON `prescriptions` (`org_id`,`approved_at`) WHERE verified_with <> '';--> statement-breakpoint
-- What the check of a signature found, and the settings by which that and its age count, change what stands in the way of requests.
CREATE TRIGGER `inbox_sees_signatures` AFTER UPDATE OF `signature_report` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`signature_report` IS NOT OLD.`signature_report`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_settings` AFTER UPDATE OF `signature_check`, `prescription_valid_days` ON `organizations`
WHEN NEW.`signature_check` <> OLD.`signature_check` OR NEW.`prescription_valid_days` <> OLD.`prescription_valid_days`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
