-- Columns by hand: drizzle-kit would make the tables anew for each CHECK.
ALTER TABLE `order_requests` ADD `supplements` text;--> statement-breakpoint
ALTER TABLE `order_requests` ADD `withdrawal` text DEFAULT 'none' NOT NULL
  CONSTRAINT `order_requests_withdrawal` CHECK (`withdrawal` IN ('none', 'requested', 'accepted', 'refused'));--> statement-breakpoint
ALTER TABLE `orders` ADD `withdrawal` text DEFAULT 'none' NOT NULL
  CONSTRAINT `orders_withdrawal` CHECK (`withdrawal` IN ('none', 'requested', 'accepted', 'refused')
    AND (`withdrawal` <> 'requested' OR `on_hold` = 1));
