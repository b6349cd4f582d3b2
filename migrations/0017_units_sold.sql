-- What was sold of a product is summed by its unit, which stands in `name`: packs and grams are never added.
DROP TRIGGER `products_counted`;
--> statement-breakpoint
DROP TRIGGER `products_recounted`;
--> statement-breakpoint
-- A line bears its share of the order's refund.
CREATE TRIGGER `products_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned')
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `product_totals` (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`, `lines`, `quantity`, `millicents`)
  SELECT NEW.`org_id`, `span`, NEW.`created_at` - NEW.`created_at` % CASE WHEN `span` > 0 THEN `span`
      WHEN NEW.`created_at` % 86400000 >= 79200000 THEN 3600000 ELSE 86400000 END,
    coalesce(`value` ->> 'p1Id', '') AS `product`, iif(`value` ->> 'p1Id' IS NULL, `value` ->> 'name', coalesce(`value` ->> 'unit', '')) AS `called`,
    NEW.`shop_id`, count(*), sum(`value` ->> 'quantity'),
    sum(cast(round(1000.0 * (`value` ->> 'quantity') * (`value` ->> 'priceCents')
      * iif(NEW.`refunded_cents` = 0, 1, 1.0 - 1.0 * NEW.`refunded_cents` / NEW.`total_cents`)) AS integer))
  FROM json_each(NEW.`items`),
    (SELECT 0 AS `span` UNION ALL SELECT 604800000 UNION ALL SELECT 2419200000)
  WHERE true
  GROUP BY `span`, `product`, `called`
  ON CONFLICT (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`) DO UPDATE SET
    `lines` = `lines` + excluded.`lines`, `quantity` = `quantity` + excluded.`quantity`,
    `millicents` = `millicents` + excluded.`millicents`;
END;
--> statement-breakpoint
-- What is the same before and after is not written.
CREATE TRIGGER `products_recounted` AFTER UPDATE OF `status`, `total_cents`, `refunded_cents`, `items`, `deleted_at` ON `orders`
WHEN (OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned'),
    OLD.`total_cents`, OLD.`refunded_cents`, OLD.`items`)
  IS NOT (NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned'),
    NEW.`total_cents`, NEW.`refunded_cents`, NEW.`items`)
BEGIN
  INSERT INTO `product_totals` (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`, `lines`, `quantity`, `millicents`)
  SELECT NEW.`org_id`, `span`, NEW.`created_at` - NEW.`created_at` % CASE WHEN `span` > 0 THEN `span`
      WHEN NEW.`created_at` % 86400000 >= 79200000 THEN 3600000 ELSE 86400000 END,
    coalesce(`line` ->> 'p1Id', '') AS `product`, iif(`line` ->> 'p1Id' IS NULL, `line` ->> 'name', coalesce(`line` ->> 'unit', '')) AS `called`,
    NEW.`shop_id`, sum(`sign`), sum(`sign` * (`line` ->> 'quantity')),
    sum(`sign` * cast(round(1000.0 * (`line` ->> 'quantity') * (`line` ->> 'priceCents') * `kept`) AS integer))
  FROM (
      SELECT -1 AS `sign`, `value` AS `line`,
        iif(OLD.`refunded_cents` = 0, 1, 1.0 - 1.0 * OLD.`refunded_cents` / OLD.`total_cents`) AS `kept`
      FROM json_each(OLD.`items`) WHERE OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned')
      UNION ALL
      SELECT 1, `value`, iif(NEW.`refunded_cents` = 0, 1, 1.0 - 1.0 * NEW.`refunded_cents` / NEW.`total_cents`)
      FROM json_each(NEW.`items`) WHERE NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned')),
    (SELECT 0 AS `span` UNION ALL SELECT 604800000 UNION ALL SELECT 2419200000)
  WHERE true
  GROUP BY `span`, `product`, `called`
  HAVING (sum(`sign`), sum(`sign` * (`line` ->> 'quantity')),
    sum(`sign` * cast(round(1000.0 * (`line` ->> 'quantity') * (`line` ->> 'priceCents') * `kept`) AS integer))) IS NOT (0, 0, 0)
  ON CONFLICT (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`) DO UPDATE SET
    `lines` = `lines` + excluded.`lines`, `quantity` = `quantity` + excluded.`quantity`,
    `millicents` = `millicents` + excluded.`millicents`;
END;
--> statement-breakpoint
UPDATE `product_totals` SET `name` = coalesce(
  (SELECT `unit` FROM `inventory` WHERE `inventory`.`org_id` = `product_totals`.`org_id` AND `inventory`.`p1_id` = `product_totals`.`p1_id`),
  (SELECT `unit` FROM `catalog_products` WHERE `catalog_products`.`p1_id` = `product_totals`.`p1_id`), '')
WHERE `p1_id` <> '' AND `name` = '' AND coalesce(
  (SELECT `unit` FROM `inventory` WHERE `inventory`.`org_id` = `product_totals`.`org_id` AND `inventory`.`p1_id` = `product_totals`.`p1_id`),
  (SELECT `unit` FROM `catalog_products` WHERE `catalog_products`.`p1_id` = `product_totals`.`p1_id`), 'piece') <> 'piece';
