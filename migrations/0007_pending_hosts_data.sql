-- Hosts that wait for the operator move to a table of their own, where several organizations may ask for one name.
INSERT INTO `pending_hosts` (`org_id`, `shop_id`, `host`, `created_at`)
SELECT shops.org_id, shop_hosts.shop_id, shop_hosts.host, shop_hosts.created_at
FROM `shop_hosts` JOIN `shops` ON shops.id = shop_hosts.shop_id
WHERE shop_hosts.status = 'pending' ORDER BY shop_hosts.created_at, shop_hosts.host;--> statement-breakpoint
DELETE FROM `shop_hosts` WHERE `status` = 'pending';
