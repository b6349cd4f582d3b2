-- Orders by their source, in the row of their part of a day and shop (`day_totals.sources`): how many, how many of them were
-- canceled or returned, and what the others came to. A source is counted under its own name while fewer than 20 have one in that
-- row, else under `*`. No name ever leaves a row, so an order is found again where it was counted. As the other totals, these do
-- not count what a move copies.
CREATE TRIGGER `sources_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      coalesce(`sources` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`sources` ->> (`path` || '[1]'), 0) + (NEW.`status` IN ('cancelled', 'returned')),
      coalesce(`sources` ->> (`path` || '[2]'), 0)
        + iif(NEW.`status` IN ('cancelled', 'returned'), 0, NEW.`total_cents` - NEW.`refunded_cents`)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NOT NULL OR (SELECT count(*) FROM json_each(`sources`)) < 20,
        `own`, '$."*"') AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- Only what changes one of the three figures writes. An order from before these totals is in none.
CREATE TRIGGER `sources_recounted` AFTER UPDATE OF `status`, `total_cents`, `refunded_cents`, `deleted_at` ON `orders`
WHEN (OLD.`deleted_at` IS NULL, OLD.`status` IN ('cancelled', 'returned'), OLD.`total_cents` - OLD.`refunded_cents`)
  IS NOT (NEW.`deleted_at` IS NULL, NEW.`status` IN ('cancelled', 'returned'), NEW.`total_cents` - NEW.`refunded_cents`)
BEGIN
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      (`sources` ->> (`path` || '[0]')) + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
      (`sources` ->> (`path` || '[1]')) + (NEW.`deleted_at` IS NULL AND NEW.`status` IN ('cancelled', 'returned'))
        - (OLD.`deleted_at` IS NULL AND OLD.`status` IN ('cancelled', 'returned')),
      (`sources` ->> (`path` || '[2]'))
        + iif(NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned'),
          NEW.`total_cents` - NEW.`refunded_cents`, 0)
        - iif(OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned'),
          OLD.`total_cents` - OLD.`refunded_cents`, 0)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NULL, '$."*"', `own`) AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000)
    AND coalesce(json_type(`sources`, '$."' || hex(NEW.`source`) || '"'), json_type(`sources`, '$."*"')) IS NOT NULL;
END;
--> statement-breakpoint
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
--> statement-breakpoint
-- Whether an order only waits for what is to come: nothing of it is in the house, and something is owed.
CREATE TRIGGER `orders_nothing_here_new` AFTER INSERT ON `orders`
WHEN NEW.`expected_on` IS NOT NULL
BEGIN
  UPDATE `orders` SET `nothing_here` = NOT EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
    WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
      < (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity')))
  WHERE `rowid` = NEW.`rowid`;
END;
--> statement-breakpoint
CREATE TRIGGER `orders_nothing_here` AFTER UPDATE OF `supply`, `expected_on`, `items` ON `orders`
WHEN NEW.`expected_on` IS NOT NULL OR NEW.`nothing_here` = 1
BEGIN
  UPDATE `orders` SET `nothing_here` = NEW.`expected_on` IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
      WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
        < (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity')))
  WHERE `rowid` = NEW.`rowid`;
END;
--> statement-breakpoint
-- A pack with a serial counts once for an order, also one that left before the rest came.
CREATE TRIGGER `orders_serials` BEFORE UPDATE OF `packing`, `supply` ON `orders`
WHEN NEW.`packing` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_serials') WHERE EXISTS (
    SELECT 1 FROM (SELECT `value`, `type` FROM json_each(NEW.`packing`) UNION ALL SELECT `value`, `type` FROM json_each(NEW.`supply`)) AS `line`,
      json_each(`line`.`value`, '$.serials') AS `serial`
    WHERE `line`.`type` = 'object'
    GROUP BY `serial`.`value` HAVING count(*) > 1);
END;
--> statement-breakpoint
-- What is on legal hold, by its customer or its request, is not deleted: that erases the person.
CREATE TRIGGER `orders_held` BEFORE UPDATE OF `deleted_at` ON `orders`
WHEN NEW.`deleted_at` IS NOT NULL AND OLD.`deleted_at` IS NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_held')
  WHERE EXISTS (SELECT 1 FROM `customers` WHERE `id` = NEW.`customer_id` AND `legal_hold` = 1)
    OR EXISTS (SELECT 1 FROM `order_requests` WHERE `id` = NEW.`order_request_id` AND `legal_hold` = 1);
END;
--> statement-breakpoint
-- What became of a part of an import stays: it is carried out once.
CREATE TRIGGER `inventory_import_parts_once` BEFORE UPDATE OF `outcome` ON `inventory_import_parts` WHEN old.outcome IS NOT NULL BEGIN
  SELECT raise(ABORT, 'inventory_import_parts_once');
END;
--> statement-breakpoint
-- The terms of `search_entries`, each behind its organization and kind. It keeps no text and no places, and forgets a term in the
-- transaction that takes it away (`secure-delete`), so that nothing of what was erased is left in it. `content=` is empty: the terms
-- that go are told from the entry.
CREATE VIRTUAL TABLE `search_words` USING fts5(`terms`, content='', columnsize=0, detail=none, tokenize='ascii');
--> statement-breakpoint
INSERT INTO `search_words` (`search_words`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `search_entries_in` AFTER INSERT ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state` || ' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_out` AFTER DELETE ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state` || ' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
END;
--> statement-breakpoint
-- A step of an order's status changes one term, not all of them.
CREATE TRIGGER `search_entries_state` AFTER UPDATE OF `state` ON `search_entries` WHEN NEW.`state` <> OLD.`state`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_words` AFTER UPDATE OF `words` ON `search_entries` WHEN NEW.`words` <> OLD.`words`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
-- What is erased or deleted is found no more, from the same batch on, whoever wrote it.
CREATE TRIGGER `search_forgets_orders` AFTER UPDATE ON `orders`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`deleted_at` IS NOT NULL
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_forgets_requests` AFTER UPDATE ON `order_requests`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`status` = 'deleted'
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
-- What an organization left behind when it moved.
CREATE TRIGGER `search_leaves_orders` AFTER DELETE ON `orders`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_leaves_requests` AFTER DELETE ON `order_requests`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_goes` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `search_cursors` WHERE `org_id` = OLD.`id`;
END;
