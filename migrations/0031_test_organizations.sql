-- Columns by hand: drizzle-kit would make the table anew for its CHECK.
ALTER TABLE `organizations` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `counterpart_id` text
  CONSTRAINT `organizations_test` CHECK (`is_test` = 0 OR `counterpart_id` IS NOT NULL);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_test_of` ON `organizations` (`counterpart_id`) WHERE is_test = 1;
