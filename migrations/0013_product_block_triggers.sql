-- What each list of products says of each of its products: a shop's listings, an organization's inventory, the catalog ('').
-- resolution.ts has the rule of the three layers.
CREATE VIEW `product_entries` (`list_id`, `p1_id`, `entry`) AS
SELECT `listed`.`shop_id`, `listed`.`p1_id`, json_array(
  coalesce(`listed`.`name_folded`, `held`.`name_folded`, `product`.`name_folded`),
  coalesce(json_extract(`listed`.`overrides`, '$.category'), `held`.`category`, `product`.`category`),
  coalesce(json_extract(`listed`.`overrides`, '$.available'), `held`.`available`, 1))
FROM `listings` AS `listed`
JOIN `inventory` AS `held` ON `held`.`org_id` = `listed`.`org_id` AND `held`.`p1_id` = `listed`.`p1_id`
JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `listed`.`p1_id`
UNION ALL
SELECT `held`.`org_id`, `held`.`p1_id`, json_array(
  coalesce(`held`.`name_folded`, `product`.`name_folded`),
  coalesce(`held`.`category`, `product`.`category`),
  coalesce(`held`.`available`, 1))
FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
UNION ALL
SELECT '', `p1_id`, json_array(`name_folded`, `category`, 1) FROM `catalog_products`;
--> statement-breakpoint
-- Brings a product's entry in its block to what the view says; an entry that the view does not have is removed. The first
-- block of a list begins with the empty id.
CREATE TRIGGER `product_entries_refresh` INSTEAD OF INSERT ON `product_entries`
BEGIN
  INSERT INTO `product_blocks` (`list_id`, `first_p1_id`, `product_count`, `entries`)
  SELECT NEW.`list_id`, '', 0, '{}'
  WHERE NOT EXISTS (SELECT 1 FROM `product_blocks` WHERE `list_id` = NEW.`list_id` AND `first_p1_id` <= NEW.`p1_id`);
  UPDATE `product_blocks` SET (`entries`, `product_count`) = (
    SELECT `after`.`entries`, (SELECT count(*) FROM json_each(`after`.`entries`))
    FROM (SELECT json_patch(`product_blocks`.`entries`, json_object(NEW.`p1_id`, json((SELECT `entry` FROM `product_entries`
      WHERE `list_id` = NEW.`list_id` AND `p1_id` = NEW.`p1_id`)))) AS `entries`) AS `after`)
  WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = (SELECT max(`first_p1_id`) FROM `product_blocks`
    WHERE `list_id` = NEW.`list_id` AND `first_p1_id` <= NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_blocks_split` AFTER UPDATE OF `product_count` ON `product_blocks`
WHEN NEW.`product_count` > 256
BEGIN
  INSERT INTO `product_blocks` (`list_id`, `first_p1_id`, `product_count`, `entries`)
  SELECT NEW.`list_id`, min(`key`), count(*), json_group_object(`key`, json(`value`))
  FROM (SELECT `key`, `value` FROM json_each(NEW.`entries`) ORDER BY `key` LIMIT -1 OFFSET 128);
  UPDATE `product_blocks` SET (`product_count`, `entries`) = (
    SELECT count(*), json_group_object(`key`, json(`value`))
    FROM (SELECT `key`, `value` FROM json_each(NEW.`entries`) ORDER BY `key` LIMIT 128))
  WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = NEW.`first_p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_blocks_end` AFTER UPDATE OF `product_count` ON `product_blocks`
WHEN NEW.`product_count` = 0
BEGIN
  DELETE FROM `product_blocks` WHERE `list_id` = NEW.`list_id` AND `first_p1_id` = NEW.`first_p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_listed` AFTER INSERT ON `listings`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`shop_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_of_shop` AFTER UPDATE OF `overrides`, `name_folded` ON `listings`
WHEN NEW.`name_folded` IS NOT OLD.`name_folded`
  OR json_extract(NEW.`overrides`, '$.category') IS NOT json_extract(OLD.`overrides`, '$.category')
  OR json_extract(NEW.`overrides`, '$.available') IS NOT json_extract(OLD.`overrides`, '$.available')
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`shop_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_unlisted` AFTER DELETE ON `listings`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (OLD.`shop_id`, OLD.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_held` AFTER INSERT ON `inventory`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`org_id`, NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_own` AFTER UPDATE OF `name_folded`, `category`, `available` ON `inventory`
WHEN (NEW.`name_folded`, NEW.`category`, NEW.`available`) IS NOT (OLD.`name_folded`, OLD.`category`, OLD.`available`)
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (NEW.`org_id`, NEW.`p1_id`);
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `shop_id`, `p1_id` FROM `listings` WHERE `org_id` = NEW.`org_id` AND `p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_gone` AFTER DELETE ON `inventory`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES (OLD.`org_id`, OLD.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_new` AFTER INSERT ON `catalog_products`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', NEW.`p1_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_of_catalog` AFTER UPDATE OF `name_folded`, `category` ON `catalog_products`
WHEN (NEW.`name_folded`, NEW.`category`) <> (OLD.`name_folded`, OLD.`category`)
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', NEW.`p1_id`);
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `held`.`org_id`, `held`.`p1_id` FROM `organizations` AS `holder` CROSS JOIN `inventory` AS `held`
  ON `held`.`org_id` = `holder`.`id` AND `held`.`p1_id` = NEW.`p1_id`;
  INSERT INTO `product_entries` (`list_id`, `p1_id`)
  SELECT `listed`.`shop_id`, `listed`.`p1_id` FROM `organizations` AS `holder` CROSS JOIN `listings` AS `listed`
  ON `listed`.`org_id` = `holder`.`id` AND `listed`.`p1_id` = NEW.`p1_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_entries_ended` AFTER DELETE ON `catalog_products`
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', OLD.`p1_id`);
END;
