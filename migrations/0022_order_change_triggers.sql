-- Every change of an order or an order request, through whatever door, gives the row the highest change number of its
-- organization: at least its time in microseconds (src/platform/data/changes.ts). The insert gives the first one.
CREATE TRIGGER `orders_change` AFTER UPDATE ON `orders`
WHEN NEW.`change_number` = OLD.`change_number`
BEGIN
  UPDATE `orders` SET `change_number` = max(
    (SELECT max(`change_number`) FROM `orders` WHERE `org_id` = NEW.`org_id`) + 1, NEW.`updated_at` * 1000)
  WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_requests_change` AFTER UPDATE ON `order_requests`
WHEN NEW.`change_number` = OLD.`change_number`
BEGIN
  UPDATE `order_requests` SET `change_number` = max(
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1, NEW.`updated_at` * 1000)
  WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- A request is shown with the state of its prescriptions. One that is erased is so with its request.
CREATE TRIGGER `order_requests_change_prescribed` AFTER UPDATE OF `status`, `approved_at`, `set_aside_at` ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`status` <> 'erased'
  AND (NEW.`status`, NEW.`approved_at`, NEW.`set_aside_at`) IS NOT (OLD.`status`, OLD.`approved_at`, OLD.`set_aside_at`)
BEGIN
  UPDATE `order_requests` SET `change_number` =
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1
  WHERE `id` = NEW.`order_request_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_requests_change_uploaded` AFTER INSERT ON `prescriptions`
WHEN NEW.`order_request_id` IS NOT NULL AND NEW.`origin` = 'staff'
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  UPDATE `order_requests` SET `change_number` =
    (SELECT max(`change_number`) FROM `order_requests` WHERE `org_id` = NEW.`org_id`) + 1
  WHERE `id` = NEW.`order_request_id`;
END;
--> statement-breakpoint
-- As before, but for a change of the change number alone, which follows every other one.
DROP TRIGGER `inbox_sees_requests`;
--> statement-breakpoint
CREATE TRIGGER `inbox_sees_requests` AFTER UPDATE ON `order_requests`
WHEN NEW.`change_number` = OLD.`change_number`
  AND NOT (OLD.`status` = 'pending' AND NEW.`status` IN ('approved', 'rejected'))
BEGIN
  INSERT INTO `inbox_changes` (`org_id`, `changes`) VALUES (NEW.`org_id`, 1)
    ON CONFLICT (`org_id`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- Pages show it as a link.
CREATE TRIGGER `orders_tracking_url` BEFORE UPDATE OF `tracking_url` ON `orders`
WHEN NEW.`tracking_url` NOT LIKE 'https://%'
BEGIN
  SELECT RAISE(ABORT, 'orders_tracking_url');
END;
