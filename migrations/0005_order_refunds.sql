-- By hand: drizzle-kit would rebuild the table for the CHECK, and a rebuild wipes child rows on D1.
ALTER TABLE `orders` ADD `refunded_cents` integer DEFAULT 0 NOT NULL CONSTRAINT "orders_refunded" CHECK("refunded_cents" >= 0 and "refunded_cents" <= "total_cents");--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_note` text;
