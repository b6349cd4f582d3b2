-- `product_names`: the text that is searched for each product of an organization, in 64 blocks by the last two characters of its
-- id. Whatever changes a name writes the product's text anew; a product that is not held any more has none.
CREATE TRIGGER `product_names_held` AFTER INSERT ON `inventory`
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT NEW.`org_id`, (coalesce(unicode(substr(NEW.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(NEW.`p1_id`, -2, 1)), 0)) % 64, json_object(NEW.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = NEW.`org_id` AND `held`.`p1_id` = NEW.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_own` AFTER UPDATE OF `name_folded` ON `inventory`
WHEN NEW.`name_folded` IS NOT OLD.`name_folded`
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT NEW.`org_id`, (coalesce(unicode(substr(NEW.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(NEW.`p1_id`, -2, 1)), 0)) % 64, json_object(NEW.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = NEW.`org_id` AND `held`.`p1_id` = NEW.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_gone` AFTER DELETE ON `inventory`
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT OLD.`org_id`, (coalesce(unicode(substr(OLD.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(OLD.`p1_id`, -2, 1)), 0)) % 64, json_object(OLD.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = OLD.`org_id` AND `held`.`p1_id` = OLD.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_listed` AFTER INSERT ON `listings`
WHEN NEW.`name_folded` IS NOT NULL
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT NEW.`org_id`, (coalesce(unicode(substr(NEW.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(NEW.`p1_id`, -2, 1)), 0)) % 64, json_object(NEW.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = NEW.`org_id` AND `held`.`p1_id` = NEW.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_of_shop` AFTER UPDATE OF `name_folded` ON `listings`
WHEN NEW.`name_folded` IS NOT OLD.`name_folded`
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT NEW.`org_id`, (coalesce(unicode(substr(NEW.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(NEW.`p1_id`, -2, 1)), 0)) % 64, json_object(NEW.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = NEW.`org_id` AND `held`.`p1_id` = NEW.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_unlisted` AFTER DELETE ON `listings`
WHEN OLD.`name_folded` IS NOT NULL
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT OLD.`org_id`, (coalesce(unicode(substr(OLD.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(OLD.`p1_id`, -2, 1)), 0)) % 64, json_object(OLD.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = OLD.`org_id` AND `held`.`p1_id` = OLD.`p1_id`))
  WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_of_catalog` AFTER UPDATE OF `name_folded` ON `catalog_products`
WHEN NEW.`name_folded` <> OLD.`name_folded`
BEGIN
  INSERT INTO `product_names` (`org_id`, `block`, `names`)
  SELECT `holder`.`id`, (coalesce(unicode(substr(NEW.`p1_id`, -1)), 0) + 10 * coalesce(unicode(substr(NEW.`p1_id`, -2, 1)), 0)) % 64, json_object(NEW.`p1_id`, (SELECT lower(`held`.`p1_id`) || char(10) || `product`.`name_folded` || coalesce(char(10) || `held`.`name_folded`, '')
      || coalesce(char(10) || (SELECT group_concat(`listed`.`name_folded`, char(10)) FROM `listings` AS `listed`
        WHERE `listed`.`org_id` = `held`.`org_id` AND `listed`.`p1_id` = `held`.`p1_id` AND `listed`.`name_folded` IS NOT NULL), '')
    FROM `inventory` AS `held` JOIN `catalog_products` AS `product` ON `product`.`p1_id` = `held`.`p1_id`
    WHERE `held`.`org_id` = `holder`.`id` AND `held`.`p1_id` = NEW.`p1_id`))
  FROM `organizations` AS `holder` CROSS JOIN `inventory` AS `stocked`
  ON `stocked`.`org_id` = `holder`.`id` AND `stocked`.`p1_id` = NEW.`p1_id` WHERE true
  ON CONFLICT (`org_id`, `block`) DO UPDATE SET `names` = json_patch(`names`, excluded.`names`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_names_end` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `product_names` WHERE `org_id` = OLD.`id`;
END;
