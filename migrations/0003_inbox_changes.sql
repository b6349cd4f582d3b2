CREATE TABLE `inbox_changes` (
	`org_id` text PRIMARY KEY NOT NULL,
	`changes` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
-- The inbox is shown again without being read while neither this count nor the organization's newest event has changed. What
-- comes with an event writes no row here: a new request, a decision, a reviewed prescription, a product of the inventory.
CREATE TRIGGER `inbox_sees_requests` AFTER UPDATE ON `order_requests`
WHEN NOT (OLD.`status` = 'pending' AND NEW.`status` IN ('approved', 'rejected'))
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_prescriptions` AFTER UPDATE OF `status` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`status` <> OLD.`status`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_uploads` AFTER INSERT ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`origin` = 'staff'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- A listing without overrides changes no price and no name.
CREATE TRIGGER `inbox_sees_listed` AFTER INSERT ON `listings`
WHEN NEW.`overrides` <> '{}'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_overrides` AFTER UPDATE OF `overrides` ON `listings`
WHEN NEW.`overrides` <> OLD.`overrides`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_unlisted` AFTER DELETE ON `listings`
WHEN OLD.`overrides` <> '{}'
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (OLD.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_shops` AFTER INSERT ON `shops`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_shop_names` AFTER UPDATE OF `name` ON `shops`
WHEN NEW.`name` <> OLD.`name`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts` AFTER INSERT ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts_change` AFTER UPDATE ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_hosts_go` AFTER DELETE ON `shop_hosts`
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (OLD.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- The catalog is everybody's.
CREATE TRIGGER `inbox_sees_catalog` AFTER UPDATE OF `name`, `price_cents`, `prescription_required` ON `catalog_products`
WHEN (NEW.`name`, NEW.`price_cents`, NEW.`prescription_required`) <> (OLD.`name`, OLD.`price_cents`, OLD.`prescription_required`)
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES ('', 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `inbox_goes` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `inbox_changes` WHERE `org_id` = OLD.`id`;
END;
