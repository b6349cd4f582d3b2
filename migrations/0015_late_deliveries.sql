-- Deliveries are added to their total two hours after they were made (src/reports/sweep.ts). What ends later, because it was held
-- or its receiver asked to wait, is added here. The first comparison spares all others even a look at the total. A delivery
-- counts for when its id was made: its first 12 hexadecimal digits are epoch ms. Parts of a day: src/reports/parts.ts.
CREATE TRIGGER `late_deliveries_counted` AFTER UPDATE OF `status` ON `deliveries`
WHEN NEW.`finished_at` >= NEW.`created_at` + 3600000
  AND NEW.`status` IN ('succeeded', 'exhausted') AND OLD.`status` NOT IN ('succeeded', 'exhausted')
BEGIN
  UPDATE `delivery_totals` SET
    `delivered` = `delivered` + (NEW.`status` = 'succeeded'),
    `exhausted` = `exhausted` + (NEW.`status` = 'exhausted')
  WHERE `org_id` = NEW.`org_id`
    AND `starts_at` = (SELECT `at` - `at` % iif(`at` % 86400000 >= 79200000, 3600000, 86400000)
      FROM (SELECT ('0x' || substr(NEW.`id`, 1, 8) || substr(NEW.`id`, 10, 4)) ->> '$' AS `at`))
    AND `summed_until` > ('0x' || substr(NEW.`id`, 1, 8) || substr(NEW.`id`, 10, 4)) ->> '$';
END;
