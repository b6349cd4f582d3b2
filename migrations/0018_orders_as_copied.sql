-- A row that is copied from a file or another database stays as it was: written again, it would get another change number,
-- and perhaps that of the next row.
DROP TRIGGER `orders_nothing_here_new`;
--> statement-breakpoint
CREATE TRIGGER `orders_nothing_here_new` AFTER INSERT ON `orders`
WHEN NEW.`expected_on` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  UPDATE `orders` SET `nothing_here` = NOT EXISTS (SELECT 1 FROM json_each(NEW.`supply`) AS `part`
    WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
      < (NEW.`items` ->> ('$[' || `part`.`key` || '].quantity')))
  WHERE `rowid` = NEW.`rowid`;
END;
