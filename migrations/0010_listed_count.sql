-- A shop's listings are counted as they come and go, so that no list counts the whole assortment for its total.
CREATE TRIGGER `listings_counted` AFTER INSERT ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` + 1 WHERE `id` = NEW.`shop_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `listings_uncounted` AFTER DELETE ON `listings`
BEGIN
  UPDATE `shops` SET `listed_count` = `listed_count` - 1 WHERE `id` = OLD.`shop_id`;
END;
--> statement-breakpoint
UPDATE `shops` SET `listed_count` = (SELECT count(*) FROM `listings` WHERE `listings`.`shop_id` = `shops`.`id`);
