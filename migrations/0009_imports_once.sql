-- What became of a part of an import stays: it is carried out once.
CREATE TRIGGER `inventory_import_parts_once` BEFORE UPDATE OF `outcome` ON `inventory_import_parts` WHEN old.outcome IS NOT NULL BEGIN
  SELECT raise(ABORT, 'inventory_import_parts_once');
END;
