-- An id that begins with `own-` is that of an organization's own product, and no other has such an id.
CREATE TRIGGER `own_product_named` BEFORE INSERT ON `catalog_products`
WHEN (NEW.`org_id` IS NULL) = (NEW.`p1_id` LIKE 'own-%')
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: own_product');
END;
--> statement-breakpoint
-- Only the organization whose own product it is holds it.
CREATE TRIGGER `own_product_held` BEFORE INSERT ON `inventory`
WHEN NEW.`p1_id` LIKE 'own-%'
  AND NEW.`org_id` IS NOT (SELECT `org_id` FROM `catalog_products` WHERE `p1_id` = NEW.`p1_id`)
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: own_product');
END;
--> statement-breakpoint
-- The list of the catalog has no own products.
DROP TRIGGER `product_entries_new`;
--> statement-breakpoint
CREATE TRIGGER `product_entries_new` AFTER INSERT ON `catalog_products`
WHEN NEW.`org_id` IS NULL
BEGIN
  INSERT INTO `product_entries` (`list_id`, `p1_id`) VALUES ('', NEW.`p1_id`);
END;
