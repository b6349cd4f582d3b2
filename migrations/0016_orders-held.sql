-- What is on legal hold, by its customer or its request, is not deleted: that erases the person.
CREATE TRIGGER `orders_held` BEFORE UPDATE OF `deleted_at` ON `orders`
WHEN NEW.`deleted_at` IS NOT NULL AND OLD.`deleted_at` IS NULL
BEGIN
  SELECT RAISE(ABORT, 'orders_held')
  WHERE EXISTS (SELECT 1 FROM `customers` WHERE `id` = NEW.`customer_id` AND `legal_hold` = 1)
    OR EXISTS (SELECT 1 FROM `order_requests` WHERE `id` = NEW.`order_request_id` AND `legal_hold` = 1);
END;
