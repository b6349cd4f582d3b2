-- What became of a platform's withdrawal is the order's once there is one, and its request says the same.
CREATE TRIGGER `orders_tell_withdrawal` AFTER UPDATE OF `withdrawal` ON `orders`
WHEN NEW.`withdrawal` <> OLD.`withdrawal` AND NEW.`order_request_id` IS NOT NULL
BEGIN
  UPDATE `order_requests` SET `withdrawal` = NEW.`withdrawal`, `updated_at` = NEW.`updated_at`
  WHERE `id` = NEW.`order_request_id`;
END;
