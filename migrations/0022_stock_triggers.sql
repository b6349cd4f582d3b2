DROP TRIGGER `stock_movements_apply`;
--> statement-breakpoint
-- A movement changes the stock it was computed from, and nothing else does. What is promised and not on hand is the shortage.
CREATE TRIGGER `stock_movements_apply` AFTER INSERT ON `stock_movements`
BEGIN
  UPDATE `inventory` SET `stock_quantity` = NEW.`stock_after`,
    `committed_quantity` = `committed_quantity` + NEW.`committed_delta`,
    `shortage` = NEW.`stock_after` + `committed_quantity` + NEW.`committed_delta` - NEW.`on_hand_after`,
    `stock_version` = `stock_version` + 1, `updated_at` = NEW.`created_at`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_by_ledger` BEFORE UPDATE OF `stock_quantity`, `committed_quantity`, `shortage` ON `inventory`
WHEN NEW.`stock_version` <> OLD.`stock_version` + 1
  AND (NEW.`stock_quantity`, NEW.`committed_quantity`, NEW.`shortage`)
    IS NOT (OLD.`stock_quantity`, OLD.`committed_quantity`, OLD.`shortage`)
BEGIN
  SELECT RAISE(ABORT, 'stock changes by stock_movements alone');
END;
--> statement-breakpoint
-- A product that is added again: its version goes on from where it was.
CREATE TRIGGER `inventory_version_continued` AFTER INSERT ON `inventory`
WHEN NEW.`stock_version` = 0
  AND EXISTS (SELECT 1 FROM `stock_movements` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`)
BEGIN
  UPDATE `inventory` SET `stock_version` = (SELECT count(*) FROM `stock_movements`
    WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`)
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
-- If it was promised to orders when it was removed, it is to those that still hold it. Whether it lies in the house, the
-- movement or the count that follows says.
CREATE TRIGGER `inventory_promised_still` AFTER INSERT ON `inventory`
WHEN NEW.`stock_version` = 0
  AND EXISTS (SELECT 1 FROM `stock_movements` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `reason` = 'removed' AND `committed_delta` < 0)
BEGIN
  INSERT INTO `stock_movements` (`id`, `org_id`, `p1_id`, `delta`, `stock_before`, `stock_after`, `committed_delta`,
    `on_hand_delta`, `on_hand_after`, `reason`, `created_at`)
  SELECT printf('%08x-%04x-7000-8000-', NEW.`created_at` >> 16, NEW.`created_at` & 65535) || lower(hex(randomblob(6))),
    NEW.`org_id`, NEW.`p1_id`, 0, NEW.`stock_quantity`, NEW.`stock_quantity`, `promised`, 0, 0, 'order', NEW.`created_at`
  FROM (SELECT sum(`line`.`value` ->> 'quantity') AS `promised`
    FROM `orders` CROSS JOIN json_each(`orders`.`items`) AS `line`
    WHERE `orders`.`org_id` = NEW.`org_id` AND `orders`.`holds_stock` = 1 AND `orders`.`status` IN
      ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping')
      AND `line`.`value` ->> 'p1Id' = NEW.`p1_id`)
  WHERE `promised` > 0;
END;
--> statement-breakpoint
-- What was in stock before anything was counted as promised: one movement for each product, from orders that hold stock and
-- have not left.
INSERT INTO `stock_movements` (`id`, `org_id`, `p1_id`, `delta`, `stock_before`, `stock_after`, `committed_delta`,
  `on_hand_delta`, `on_hand_after`, `counted_at`, `reason`, `actor_kind`, `created_at`)
SELECT printf('%08x-%04x-7000-8000-000000000000', `at` >> 16, `at` & 65535), `held`.`org_id`, `held`.`p1_id`, 0,
  `held`.`stock_quantity`, `held`.`stock_quantity`, coalesce(`promised`.`quantity`, 0),
  `held`.`stock_quantity` + coalesce(`promised`.`quantity`, 0), `held`.`stock_quantity` + coalesce(`promised`.`quantity`, 0),
  `at`, 'initial', 'system', `at`
FROM (SELECT unixepoch() * 1000 AS `at`)
CROSS JOIN `inventory` AS `held`
LEFT JOIN (SELECT `orders`.`org_id`, `line`.`value` ->> 'p1Id' AS `p1_id`, sum(`line`.`value` ->> 'quantity') AS `quantity`
  FROM `organizations` CROSS JOIN `orders` ON `orders`.`org_id` = `organizations`.`id` AND `orders`.`holds_stock` = 1
    AND `orders`.`status` IN ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping')
  CROSS JOIN json_each(`orders`.`items`) AS `line`
  GROUP BY 1, 2) AS `promised` ON `promised`.`org_id` = `held`.`org_id` AND `promised`.`p1_id` = `held`.`p1_id`
WHERE `held`.`stock_quantity` > 0 OR `promised`.`quantity` > 0;
