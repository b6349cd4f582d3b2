-- Orders and deliveries from before these columns. Of events from before, filters hold none back and callbacks get none.
UPDATE `orders` SET `integration_id` = (SELECT `integration_id` FROM `order_requests` WHERE `order_requests`.`id` = `orders`.`order_request_id`)
WHERE `order_request_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `deliveries` SET `event_type` = (SELECT `type` FROM `events` WHERE `events`.`id` = `deliveries`.`event_id`);
