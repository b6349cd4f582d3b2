-- The audit log only grows. `INSERT OR REPLACE` would pass the first two triggers, so an insert over a row is refused too.
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log`
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- Ten years, after which the record may go.
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.`at` > (unixepoch() - 315576000) * 1000
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_replace` BEFORE INSERT ON `audit_log`
WHEN NEW.`id` IS NOT NULL AND EXISTS (SELECT 1 FROM `audit_log` WHERE `id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- A movement changes the stock it was computed from, and nothing else does.
CREATE TRIGGER `stock_movements_apply` AFTER INSERT ON `stock_movements`
BEGIN
  UPDATE `inventory` SET `stock_quantity` = NEW.`stock_after`, `updated_at` = NEW.`created_at`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `stock_movements_no_update` BEFORE UPDATE ON `stock_movements`
BEGIN
  SELECT RAISE(ABORT, 'stock_movements is append-only');
END;
