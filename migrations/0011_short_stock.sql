-- `inventory.is_short`: the stock is zero or below the threshold. Only what crosses that line writes a row more.
CREATE TRIGGER `inventory_short_by_product` AFTER UPDATE OF `stock_quantity`, `low_stock_threshold` ON `inventory`
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `is_short` <> (NEW.`stock_quantity` = 0 OR NEW.`stock_quantity` < coalesce(NEW.`low_stock_threshold`,
      (SELECT `low_stock_threshold` FROM `organizations` WHERE `id` = NEW.`org_id`)));
END;
--> statement-breakpoint
-- Without stock it is what the insert says: a first movement follows in the same batch.
CREATE TRIGGER `inventory_short_at_first` AFTER INSERT ON `inventory`
WHEN NEW.`stock_quantity` > 0
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`
    AND `is_short` <> (NEW.`stock_quantity` < coalesce(NEW.`low_stock_threshold`,
      (SELECT `low_stock_threshold` FROM `organizations` WHERE `id` = NEW.`org_id`)));
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_short_by_organization` AFTER UPDATE OF `low_stock_threshold` ON `organizations`
WHEN NEW.`low_stock_threshold` <> OLD.`low_stock_threshold`
BEGIN
  UPDATE `inventory` SET `is_short` = NOT `is_short`
  WHERE `org_id` = NEW.`id` AND `low_stock_threshold` IS NULL
    AND `is_short` <> (`stock_quantity` = 0 OR `stock_quantity` < NEW.`low_stock_threshold`);
END;
