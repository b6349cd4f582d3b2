CREATE TABLE `email_opt_outs` (
	`org_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `customer_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`shop_id` text,
	`about` text NOT NULL,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`recipient` text,
	`facts` text,
	`customer_id` text,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`provider_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "emails_state" CHECK("emails"."state" in ('waiting', 'sending', 'sent', 'bounced', 'failed', 'dropped')),
	CONSTRAINT "emails_attempts" CHECK("emails"."attempts" between 0 and 3),
	CONSTRAINT "emails_recipient" CHECK("emails"."recipient" is null or "emails"."state" in ('waiting', 'sending'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_once` ON `emails` (`org_id`,`about`,`kind`);--> statement-breakpoint
CREATE INDEX `emails_due` ON `emails` (`due_at`) WHERE state in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX `emails_by_provider_id` ON `emails` (`provider_id`) WHERE provider_id is not null;--> statement-breakpoint
CREATE TABLE `message_settings` (
	`shop_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`reply_to` text,
	`is_sending` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `message_settings_by_org` ON `message_settings` (`org_id`);--> statement-breakpoint
CREATE TABLE `notice_readers` (
	`member_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notice_readers_by_org` ON `notice_readers` (`org_id`);--> statement-breakpoint
CREATE TABLE `told_subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "told_subscriptions_kind" CHECK("told_subscriptions"."kind" in ('webhook_held', 'webhook_disabled', 'webhook_recovered'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `told_subscriptions_by_org` ON `told_subscriptions` (`org_id`);