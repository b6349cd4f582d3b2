-- `INSERT OR REPLACE` would take the place of the first sending's row: an insert under its form is refused before it.
CREATE TRIGGER `audit_log_form_once` BEFORE INSERT ON `audit_log`
WHEN NEW.`form_id` IS NOT NULL
  AND EXISTS (SELECT 1 FROM `audit_log` WHERE `form_id` = NEW.`form_id` AND `action` = NEW.`action`)
BEGIN
  SELECT RAISE(ABORT, 'form_already_sent');
END;
