-- The unit of what is held changes only while nothing is in stock or promised: a quantity would mean another amount.
CREATE TRIGGER `inventory_unit_fixed` BEFORE UPDATE OF `unit` ON `inventory`
WHEN OLD.`stock_quantity` + OLD.`committed_quantity` > 0 AND
  coalesce(NEW.`unit`, (SELECT `unit` FROM `catalog_products` WHERE `p1_id` = NEW.`p1_id`), 'piece') <>
  coalesce(OLD.`unit`, (SELECT `unit` FROM `catalog_products` WHERE `p1_id` = OLD.`p1_id`), 'piece')
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_fixed');
END;
