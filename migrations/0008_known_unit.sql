-- A unit is a piece, a gram or a milliliter; a step is 1 to 1,000 of it (`UNIT_STEP_MAX`).
CREATE TRIGGER `catalog_unit_known_new` BEFORE INSERT ON `catalog_products`
WHEN NEW.`unit` NOT IN ('piece', 'g', 'ml') OR NEW.`unit_step` NOT BETWEEN 1 AND 1000
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_known');
END;
--> statement-breakpoint
CREATE TRIGGER `catalog_unit_known` BEFORE UPDATE OF `unit`, `unit_step` ON `catalog_products`
WHEN NEW.`unit` NOT IN ('piece', 'g', 'ml') OR NEW.`unit_step` NOT BETWEEN 1 AND 1000
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_known');
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_unit_known_new` BEFORE INSERT ON `inventory`
WHEN NEW.`unit` NOT IN ('piece', 'g', 'ml') OR NEW.`unit_step` NOT BETWEEN 1 AND 1000
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_known');
END;
--> statement-breakpoint
CREATE TRIGGER `inventory_unit_known` BEFORE UPDATE OF `unit`, `unit_step` ON `inventory`
WHEN NEW.`unit` NOT IN ('piece', 'g', 'ml') OR NEW.`unit_step` NOT BETWEEN 1 AND 1000
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: unit_known');
END;
