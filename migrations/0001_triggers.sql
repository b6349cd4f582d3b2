-- The audit log only grows. A batch that D1 runs twice inserts the same row again, which changes nothing; with `INSERT OR
-- REPLACE` another row could take its place without the triggers below, so that is refused here.
CREATE TRIGGER `audit_log_no_replace` BEFORE INSERT ON `audit_log`
WHEN EXISTS (SELECT 1 FROM `audit_log` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`
  AND (`at`, `actor_kind`, `actor_id`, `action`, `entity_id`, `fields`, `reason_code`, `request_id`, `form_id`)
    IS NOT (NEW.`at`, NEW.`actor_kind`, NEW.`actor_id`, NEW.`action`, NEW.`entity_id`, NEW.`fields`, NEW.`reason_code`,
      NEW.`request_id`, NEW.`form_id`))
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log`
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- Ten years, after which the record may go; and when the organization lives on another database, which has the same rows.
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log`
WHEN OLD.`at` > (unixepoch() - 315576000) * 1000
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = OLD.`org_id` AND `state` = 'gone')
BEGIN
  SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
-- `INSERT OR REPLACE` would take the place of the first sending's row: an insert under its form is refused before it.
CREATE TRIGGER `audit_log_form_once` BEFORE INSERT ON `audit_log`
WHEN NEW.`form_id` IS NOT NULL
  AND EXISTS (SELECT 1 FROM `audit_log` WHERE `form_id` = NEW.`form_id` AND `action` = NEW.`action`)
BEGIN
  SELECT RAISE(ABORT, 'form_already_sent');
END;
--> statement-breakpoint
-- A movement changes the stock it was computed from, and nothing else does.
CREATE TRIGGER `stock_movements_apply` AFTER INSERT ON `stock_movements`
BEGIN
  UPDATE `inventory` SET `stock_quantity` = NEW.`stock_after`, `stock_version` = `stock_version` + 1,
    `updated_at` = NEW.`created_at`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `stock_movements_no_update` BEFORE UPDATE ON `stock_movements`
BEGIN
  SELECT RAISE(ABORT, 'stock_movements is append-only');
END;
--> statement-breakpoint
-- A shop's listings are counted as they come and go, so that no list counts the whole assortment for its total.
CREATE TRIGGER `listings_counted` AFTER INSERT ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` + 1 WHERE `id` = NEW.`shop_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `listings_uncounted` AFTER DELETE ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` - 1 WHERE `id` = OLD.`shop_id`;
END;
