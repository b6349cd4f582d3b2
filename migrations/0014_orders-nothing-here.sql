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
UPDATE `orders` SET `nothing_here` = 1
WHERE `expected_on` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(`orders`.`supply`) AS `part`
  WHERE (`part`.`value` ->> 'owed') + (`part`.`value` ->> 'supplied')
    < (`orders`.`items` ->> ('$[' || `part`.`key` || '].quantity')));
