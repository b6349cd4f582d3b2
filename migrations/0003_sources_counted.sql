-- Orders by their source, in the row of their part of a day and shop (`day_totals.sources`): how many, how many of them were
-- canceled or returned, and what the others came to. A source is counted under its own name while fewer than 20 have one in that
-- row, else under `*`. No name ever leaves a row, so an order is found again where it was counted. As the other totals, these do
-- not count what a move copies.
CREATE TRIGGER `sources_counted` AFTER INSERT ON `orders`
WHEN NEW.`deleted_at` IS NULL
  AND NOT EXISTS (SELECT 1 FROM `organizations` WHERE `id` = NEW.`org_id` AND `state` <> 'active' AND `state` = 'moving')
BEGIN
  INSERT INTO `day_totals` (`org_id`, `starts_at`, `shop_id`, `orders`, `approved`, `rejected`, `deleted`, `review_seconds`)
  VALUES (NEW.`org_id`, NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000),
    NEW.`shop_id`, '{}', 0, 0, 0, '{}')
  ON CONFLICT (`org_id`, `starts_at`, `shop_id`) DO NOTHING;
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      coalesce(`sources` ->> (`path` || '[0]'), 0) + 1,
      coalesce(`sources` ->> (`path` || '[1]'), 0) + (NEW.`status` IN ('cancelled', 'returned')),
      coalesce(`sources` ->> (`path` || '[2]'), 0)
        + iif(NEW.`status` IN ('cancelled', 'returned'), 0, NEW.`total_cents` - NEW.`refunded_cents`)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NOT NULL OR (SELECT count(*) FROM json_each(`sources`)) < 20,
        `own`, '$."*"') AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000);
END;
--> statement-breakpoint
-- Only what changes one of the three figures writes. An order from before these totals is in none.
CREATE TRIGGER `sources_recounted` AFTER UPDATE OF `status`, `total_cents`, `refunded_cents`, `deleted_at` ON `orders`
WHEN (OLD.`deleted_at` IS NULL, OLD.`status` IN ('cancelled', 'returned'), OLD.`total_cents` - OLD.`refunded_cents`)
  IS NOT (NEW.`deleted_at` IS NULL, NEW.`status` IN ('cancelled', 'returned'), NEW.`total_cents` - NEW.`refunded_cents`)
BEGIN
  UPDATE `day_totals` SET `sources` = (
    SELECT json_set(`sources`, `path`, json_array(
      (`sources` ->> (`path` || '[0]')) + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
      (`sources` ->> (`path` || '[1]')) + (NEW.`deleted_at` IS NULL AND NEW.`status` IN ('cancelled', 'returned'))
        - (OLD.`deleted_at` IS NULL AND OLD.`status` IN ('cancelled', 'returned')),
      (`sources` ->> (`path` || '[2]'))
        + iif(NEW.`deleted_at` IS NULL AND NEW.`status` NOT IN ('cancelled', 'returned'),
          NEW.`total_cents` - NEW.`refunded_cents`, 0)
        - iif(OLD.`deleted_at` IS NULL AND OLD.`status` NOT IN ('cancelled', 'returned'),
          OLD.`total_cents` - OLD.`refunded_cents`, 0)))
    FROM (SELECT iif(json_type(`sources`, `own`) IS NULL, '$."*"', `own`) AS `path`
      FROM (SELECT '$."' || hex(NEW.`source`) || '"' AS `own`)))
  WHERE `org_id` = NEW.`org_id` AND `shop_id` = NEW.`shop_id`
    AND `starts_at` = NEW.`created_at` - NEW.`created_at` % iif(NEW.`created_at` % 86400000 >= 79200000, 3600000, 86400000)
    AND coalesce(json_type(`sources`, '$."' || hex(NEW.`source`) || '"'), json_type(`sources`, '$."*"')) IS NOT NULL;
END;
