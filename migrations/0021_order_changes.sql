ALTER TABLE `order_requests` ADD `change_number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- In the order of their last changes: from their time in microseconds on (src/platform/data/changes.ts).
UPDATE `order_requests` SET `change_number` = `numbered`.`number` FROM (
  SELECT `rowid` AS `row`, `updated_at` * 1000 + row_number() OVER (PARTITION BY `org_id` ORDER BY `updated_at`, `rowid`) AS `number`
  FROM `order_requests`) AS `numbered`
WHERE `order_requests`.`rowid` = `numbered`.`row`;--> statement-breakpoint
CREATE UNIQUE INDEX `order_requests_changes` ON `order_requests` (`org_id`,`change_number`);--> statement-breakpoint
ALTER TABLE `orders` ADD `carrier` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_number` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_url` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `change_number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- In the order of their last changes: from their time in microseconds on (src/platform/data/changes.ts).
UPDATE `orders` SET `change_number` = `numbered`.`number` FROM (
  SELECT `rowid` AS `row`, `updated_at` * 1000 + row_number() OVER (PARTITION BY `org_id` ORDER BY `updated_at`, `rowid`) AS `number`
  FROM `orders`) AS `numbered`
WHERE `orders`.`rowid` = `numbered`.`row`;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_changes` ON `orders` (`org_id`,`change_number`);--> statement-breakpoint
CREATE INDEX `orders_by_reference` ON `orders` (`org_id`,`external_reference`,`id`) WHERE external_reference is not null;--> statement-breakpoint
ALTER TABLE `organizations` ADD `suspended_at` integer;--> statement-breakpoint
CREATE INDEX `organizations_suspended` ON `organizations` (`id`) WHERE suspended_at is not null;