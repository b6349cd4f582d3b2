-- Reports read these totals, not the orders. A part of a day (src/reports/parts.ts) is found from created_at: each hour from
-- 22:00 UTC on is one, the 22 hours before are one. Rows that a move copies into this database are not counted: their totals
-- are copied, too. None is taken away when a row is deleted, so that the figures outlive it.
CREATE TRIGGER `orders_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET `orders` = (
    SELECT json_set(`orders`, `path`, json_array(
      coalesce(`orders` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`orders` ->> (`path` || '[1]'), 0) + NEW.`total_cents` - NEW.`refunded_cents`))
    FROM (SELECT '$."' || NEW.`status` || ' ' || NEW.`payment_status` || '"' AS `path`))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- Out under what the order was, in under what it is.
CREATE TRIGGER `orders_recounted` AFTER UPDATE OF `status`, `payment_status`, `total_cents`, `refunded_cents`, `deleted_at`
ON `orders`
WHEN (OLD.`status`, OLD.`payment_status`, OLD.`total_cents`, OLD.`refunded_cents`, OLD.`deleted_at` IS NULL)
  IS NOT (NEW.`status`, NEW.`payment_status`, NEW.`total_cents`, NEW.`refunded_cents`, NEW.`deleted_at` IS NULL)
BEGIN
  UPDATE `day_totals` SET `orders` = (
    SELECT iif(NEW.`deleted_at` IS NOT NULL, `without`, json_set(`without`, `path`, json_array(
      coalesce(`without` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`without` ->> (`path` || '[1]'), 0) + NEW.`total_cents` - NEW.`refunded_cents`)))
    FROM (
      SELECT '$."' || NEW.`status` || ' ' || NEW.`payment_status` || '"' AS `path`,
        iif(OLD.`deleted_at` IS NOT NULL, `orders`, json_set(`orders`, `old_path`, json_array(
          (`orders` ->> (`old_path` || '[0]')) - 1,
          (`orders` ->> (`old_path` || '[1]')) - OLD.`total_cents` + OLD.`refunded_cents`))) AS `without`
      FROM (SELECT '$."' || OLD.`status` || ' ' || OLD.`payment_status` || '"' AS `old_path`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- A line bears its share of the order's refund.
CREATE TRIGGER `products_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned')
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `product_totals` (`org_id`, `span`, `starts_at`, `p1_id`, `name`, `shop_id`, `lines`, `quantity`, `millicents`)
  SELECT NEW.`org_id`, `span`, NEW.`created_at` - NEW.`created_at` % CASE WHEN `span` > 0 THEN `span`
      WHEN NEW.`created_at` % 86400000 >= 79200000 THEN 3600000 ELSE 86400000 END,
    coalesce(`value` ->> 'p1Id', '') AS `product`, iif(`value` ->> 'p1Id' IS NULL, `value` ->> 'name', '') AS `called`,
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
    coalesce(`line` ->> 'p1Id', '') AS `product`, iif(`line` ->> 'p1Id' IS NULL, `line` ->> 'name', '') AS `called`,
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
-- No name of a line outlives the order that it came with.
CREATE TRIGGER `product_totals_end` AFTER UPDATE OF `lines` ON `product_totals`
WHEN NEW.`lines` = 0
BEGIN
  DELETE FROM `product_totals` WHERE `org_id` = NEW.`org_id` AND `span` = NEW.`span` AND `starts_at` = NEW.`starts_at`
    AND `p1_id` = NEW.`p1_id` AND `name` = NEW.`name` AND `shop_id` = NEW.`shop_id`;
END;
--> statement-breakpoint
-- Pending requests are not counted here, so that accepting one writes no row more.
CREATE TRIGGER `requests_counted` AFTER INSERT ON `order_requests`
WHEN NEW.`status` <> 'pending'
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET
    `approved` = `approved` + (NEW.`status` = 'approved'),
    `rejected` = `rejected` + (NEW.`status` = 'rejected'),
    `deleted` = `deleted` + (NEW.`status` = 'deleted'),
    `review_seconds` = (
      SELECT iif(NEW.`decided_at` IS NULL, `review_seconds`,
        json_set(`review_seconds`, `new_path`, coalesce(`review_seconds` ->> `new_path`, 0) + 1))
      FROM (SELECT '$."' || (`new_seconds` - `new_seconds` % CASE length(`new_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `new_path`
        FROM (SELECT max(0, (NEW.`decided_at` - NEW.`created_at`) / 1000) AS `new_seconds`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
CREATE TRIGGER `requests_recounted` AFTER UPDATE OF `status`, `decided_at` ON `order_requests`
WHEN (OLD.`status`, OLD.`decided_at`) IS NOT (NEW.`status`, NEW.`decided_at`)
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET
    `approved` = `approved` + (NEW.`status` = 'approved') - (OLD.`status` = 'approved'),
    `rejected` = `rejected` + (NEW.`status` = 'rejected') - (OLD.`status` = 'rejected'),
    `deleted` = `deleted` + (NEW.`status` = 'deleted') - (OLD.`status` = 'deleted'),
    `review_seconds` = (
      SELECT iif(NEW.`decided_at` IS NULL, `without`, json_set(`without`, `new_path`, coalesce(`without` ->> `new_path`, 0) + 1))
      FROM (SELECT `new_path`, iif(OLD.`decided_at` IS NULL, `review_seconds`,
          json_set(`review_seconds`, `old_path`, (`review_seconds` ->> `old_path`) - 1)) AS `without`
        FROM (SELECT '$."' || (`old_seconds` - `old_seconds` % CASE length(`old_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `old_path`,
          '$."' || (`new_seconds` - `new_seconds` % CASE length(`new_seconds`) WHEN 1 THEN 1
          WHEN 2 THEN 1 WHEN 3 THEN 5 WHEN 4 THEN 50 WHEN 5 THEN 500 WHEN 6 THEN 5000 ELSE 50000 END) || '"' AS `new_path`
          FROM (SELECT max(0, (OLD.`decided_at` - OLD.`created_at`) / 1000) AS `old_seconds`,
            max(0, (NEW.`decided_at` - NEW.`created_at`) / 1000) AS `new_seconds`))))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
