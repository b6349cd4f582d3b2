-- A movement changes the stock it was computed from, and nothing else does. What is promised and not on hand is the shortage.
DROP TRIGGER `stock_movements_apply`;
--> statement-breakpoint
CREATE TRIGGER `stock_movements_apply` AFTER INSERT ON `stock_movements`
BEGIN
  UPDATE `inventory` SET `stock_quantity` = NEW.`stock_after`,
    `committed_quantity` = `committed_quantity` + NEW.`committed_delta`,
    `reserved_quantity` = `reserved_quantity` + NEW.`reserved_delta`,
    `shortage` = NEW.`stock_after` + `committed_quantity` + NEW.`committed_delta` + `reserved_quantity` + NEW.`reserved_delta`
      - NEW.`on_hand_after`,
    `stock_version` = `stock_version` + 1, `updated_at` = NEW.`created_at`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
-- What is reserved, or released, of a request; without one, of the newest requests first. A copied movement comes before its
-- stock and reserves nothing.
CREATE TRIGGER `stock_movements_reserve` AFTER INSERT ON `stock_movements`
WHEN NEW.`reserved_delta` <> 0
BEGIN
  INSERT INTO `reservations` (`order_request_id`, `p1_id`, `org_id`, `quantity`, `until`)
  SELECT NEW.`order_request_id`, NEW.`p1_id`, NEW.`org_id`, NEW.`reserved_delta`, NEW.`reserved_until`
  FROM `inventory` WHERE NEW.`reserved_delta` > 0 AND `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
  UPDATE `reservations` SET `quantity` = `quantity` - max(0, min(`quantity`, `others`.`wanted`))
  FROM (SELECT `order_request_id` AS `request_id`, iif(NEW.`order_request_id` IS NULL, `quantity` - NEW.`reserved_delta`
      - sum(`quantity`) OVER (ORDER BY `order_request_id` DESC), 0 - NEW.`reserved_delta`) AS `wanted`
    FROM `reservations` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`) AS `others`
  WHERE NEW.`reserved_delta` < 0 AND `p1_id` = NEW.`p1_id` AND `order_request_id` = `others`.`request_id`
    AND `order_request_id` = coalesce(NEW.`order_request_id`, `order_request_id`);
  DELETE FROM `reservations`
  WHERE NEW.`reserved_delta` < 0 AND `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id` AND `quantity` = 0;
END;
--> statement-breakpoint
DROP TRIGGER `inventory_by_ledger`;
--> statement-breakpoint
CREATE TRIGGER `inventory_by_ledger` BEFORE UPDATE OF `stock_quantity`, `committed_quantity`, `reserved_quantity`, `shortage`
ON `inventory`
WHEN (NEW.`stock_version` <> OLD.`stock_version` + 1
  AND (NEW.`stock_quantity`, NEW.`committed_quantity`, NEW.`reserved_quantity`, NEW.`shortage`)
    IS NOT (OLD.`stock_quantity`, OLD.`committed_quantity`, OLD.`reserved_quantity`, OLD.`shortage`))
  OR NEW.`reserved_quantity` < 0 OR (NEW.`reserved_quantity` > 0 AND NEW.`shortage` > 0)
BEGIN
  SELECT RAISE(ABORT, 'stock changes by stock_movements alone');
END;
--> statement-breakpoint
-- The unit of what is held changes only while nothing is in stock, promised or reserved.
DROP TRIGGER `inventory_unit_fixed`;
--> statement-breakpoint
CREATE TRIGGER `inventory_unit_fixed` BEFORE UPDATE OF `unit` ON `inventory`
WHEN OLD.`stock_quantity` + OLD.`committed_quantity` + OLD.`reserved_quantity` > 0 AND
  coalesce(NEW.`unit`, (SELECT `unit` FROM `catalog_products` WHERE `p1_id` = NEW.`p1_id`), 'piece') <>
  coalesce(OLD.`unit`, (SELECT `unit` FROM `catalog_products` WHERE `p1_id` = OLD.`p1_id`), 'piece')
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_fixed');
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_share` BEFORE UPDATE OF `reserve_share` ON `api_keys`
WHEN NEW.`reserve_share` NOT BETWEEN 1 AND 100
BEGIN
  SELECT RAISE(ABORT, 'reserve_share');
END;
--> statement-breakpoint
CREATE TRIGGER `shops_reserve_minutes` BEFORE UPDATE OF `reserve_pending_minutes`, `reserve_paid_minutes` ON `shops`
WHEN NEW.`reserve_pending_minutes` NOT BETWEEN 0 AND 10080 OR NEW.`reserve_paid_minutes` NOT BETWEEN 0 AND 10080
BEGIN
  SELECT RAISE(ABORT, 'reserve_minutes');
END;
