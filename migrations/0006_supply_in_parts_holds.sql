-- Of each line some packs may be owed, some have left, and never more than it has; nothing is owed once an order has ended; the
-- earliest day is told in a column of its own, by which what is expected is found.
CREATE TRIGGER `orders_supply_new` BEFORE INSERT ON `orders`
WHEN NEW.`supply` IS NOT NULL OR NEW.`expected_on` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_supply') WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`supply`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE coalesce(`part`.`value` ->> 'owed', -1) < 0 OR coalesce(`part`.`value` ->> 'supplied', -1) < 0
        OR (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
          > (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity'))
        OR ((`part`.`value` ->> 'owed') > 0) <> ((`part`.`value` ->> 'expectedOn') IS NOT NULL))
    OR NEW.`expected_on` IS NOT (SELECT min(`value` ->> 'expectedOn') FROM json_each(NEW.`supply`))
    OR (NEW.`expected_on` IS NOT NULL
      AND NEW.`status` IN ('shipped', 'delivered', 'picked_up', 'returned', 'cancelled'));
END;
--> statement-breakpoint
CREATE TRIGGER `orders_supply` BEFORE UPDATE OF `supply`, `expected_on`, `items`, `status` ON `orders`
WHEN NEW.`supply` IS NOT NULL OR NEW.`expected_on` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_supply') WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`supply`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE coalesce(`part`.`value` ->> 'owed', -1) < 0 OR coalesce(`part`.`value` ->> 'supplied', -1) < 0
        OR (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
          > (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity'))
        OR ((`part`.`value` ->> 'owed') > 0) <> ((`part`.`value` ->> 'expectedOn') IS NOT NULL))
    OR NEW.`expected_on` IS NOT (SELECT min(`value` ->> 'expectedOn') FROM json_each(NEW.`supply`))
    OR (NEW.`expected_on` IS NOT NULL
      AND NEW.`status` IN ('shipped', 'delivered', 'picked_up', 'returned', 'cancelled'));
END;
--> statement-breakpoint
-- No pack is refunded that the line has not, and what is noted by line is part of the sum.
CREATE TRIGGER `orders_refunded_lines` BEFORE UPDATE OF `refunded_lines`, `refunded_cents`, `items` ON `orders`
WHEN NEW.`refunded_lines` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_refunded_lines')
  WHERE json_array_length(NEW.`items`) IS NOT json_array_length(NEW.`refunded_lines`)
    OR EXISTS (SELECT 1 FROM json_each(NEW.`refunded_lines`) AS `line`
      WHERE coalesce(`line`.`value` ->> 'quantity', -1) < 0 OR coalesce(`line`.`value` ->> 'cents', -1) < 0
        OR (`line`.`value` ->> 'quantity') > (NEW.`items` ->> ('$[' || `line`.`key` || '].quantity')))
    OR (SELECT sum(`value` ->> 'cents') FROM json_each(NEW.`refunded_lines`)) > NEW.`refunded_cents`;
END;
--> statement-breakpoint
-- As it was, without what is owed or has left of an order that is supplied in parts: that is not in the house.
DROP TRIGGER `inventory_promised_still`;
--> statement-breakpoint
CREATE TRIGGER `inventory_promised_still` AFTER INSERT ON `inventory`
WHEN NEW.`stock_version` = 0
  AND EXISTS (SELECT 1 FROM `stock_movements` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `reason` = 'removed' AND `committed_delta` < 0)
BEGIN
  INSERT INTO `stock_movements` (`id`, `org_id`, `p1_id`, `delta`, `stock_before`, `stock_after`, `committed_delta`,
    `on_hand_delta`, `on_hand_after`, `reason`, `created_at`)
  SELECT printf('%08x-%04x-7000-8000-', NEW.`created_at` >> 16, NEW.`created_at` & 65535) || lower(hex(randomblob(6))),
    NEW.`org_id`, NEW.`p1_id`, 0, NEW.`stock_quantity`, NEW.`stock_quantity`, `promised`, 0, 0, 'order', NEW.`created_at`
  FROM (SELECT sum((`line`.`value` ->> 'quantity')
      - coalesce(`orders`.`supply` ->> ('$[' || `line`.`key` || '].owed'), 0)
      - coalesce(`orders`.`supply` ->> ('$[' || `line`.`key` || '].supplied'), 0)) AS `promised`
    FROM `orders` CROSS JOIN json_each(`orders`.`items`) AS `line`
    WHERE `orders`.`org_id` = NEW.`org_id` AND `orders`.`holds_stock` = 1 AND `orders`.`status` IN
      ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping')
      AND `line`.`value` ->> 'p1Id' = NEW.`p1_id`)
  WHERE `promised` > 0;
END;
