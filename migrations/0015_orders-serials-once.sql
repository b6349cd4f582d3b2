-- A pack with a serial counts once for an order, also one that left before the rest came.
CREATE TRIGGER `orders_serials` BEFORE UPDATE OF `packing`, `supply` ON `orders`
WHEN NEW.`packing` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_serials') WHERE EXISTS (
    SELECT 1 FROM (SELECT `value`, `type` FROM json_each(NEW.`packing`) UNION ALL SELECT `value`, `type` FROM json_each(NEW.`supply`)) AS `line`,
      json_each(`line`.`value`, '$.serials') AS `serial`
    WHERE `line`.`type` = 'object'
    GROUP BY `serial`.`value` HAVING count(*) > 1);
END;
