-- `order_batches` says which orders have packs of a batch, as their lines do. A batch is compared in upper case, without spaces
-- (`foldBatch`).
CREATE TRIGGER `order_batches_new` AFTER INSERT ON `orders`
WHEN instr(NEW.`items`, '"batches"') > 0
BEGIN
  INSERT OR IGNORE INTO `order_batches` (`org_id`, `batch`, `order_id`)
  SELECT NEW.`org_id`, replace(upper(`each`.`value` ->> 'batch'), ' ', ''), NEW.`id`
  FROM json_each(NEW.`items`) AS `line`, json_each(`line`.`value`, '$.batches') AS `each`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_batches_change` AFTER UPDATE OF `items` ON `orders`
WHEN NEW.`items` <> OLD.`items` AND (instr(NEW.`items`, '"batches"') > 0 OR instr(OLD.`items`, '"batches"') > 0)
BEGIN
  DELETE FROM `order_batches` WHERE `org_id` = NEW.`org_id` AND `order_id` = NEW.`id`;
  INSERT OR IGNORE INTO `order_batches` (`org_id`, `batch`, `order_id`)
  SELECT NEW.`org_id`, replace(upper(`each`.`value` ->> 'batch'), ' ', ''), NEW.`id`
  FROM json_each(NEW.`items`) AS `line`, json_each(`line`.`value`, '$.batches') AS `each`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_batches_gone` AFTER DELETE ON `orders`
WHEN instr(OLD.`items`, '"batches"') > 0
BEGIN
  DELETE FROM `order_batches` WHERE `org_id` = OLD.`org_id` AND `order_id` = OLD.`id`;
END;
