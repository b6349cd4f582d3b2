DROP TRIGGER `audit_log_no_delete`;
--> statement-breakpoint
-- Ten years, after which the record may go; before that only what an organization left behind when it moved to another
-- database, where the record goes on.
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.`at` > (unixepoch() - 315576000) * 1000
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = OLD.`org_id` AND `state` = 'gone')
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
