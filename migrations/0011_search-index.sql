-- The terms of `search_entries`, each behind its organization and kind. It keeps no text and no places, and forgets a term in the
-- transaction that takes it away (`secure-delete`), so that nothing of what was erased is left in it. `content=` is empty: the terms
-- that go are told from the entry.
CREATE VIRTUAL TABLE `search_words` USING fts5(`terms`, content='', columnsize=0, detail=none, tokenize='ascii');
--> statement-breakpoint
INSERT INTO `search_words` (`search_words`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `search_entries_in` AFTER INSERT ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state` || ' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_out` AFTER DELETE ON `search_entries`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state` || ' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
END;
--> statement-breakpoint
-- A step of an order's status changes one term, not all of them.
CREATE TRIGGER `search_entries_state` AFTER UPDATE OF `state` ON `search_entries` WHEN NEW.`state` <> OLD.`state`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`state`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`state`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_words` AFTER UPDATE OF `words` ON `search_entries` WHEN NEW.`words` <> OLD.`words`
BEGIN
  INSERT INTO `search_words` (`search_words`, `rowid`, `terms`) VALUES ('delete', OLD.`docid`,
    replace(' ' || OLD.`words`, ' ', ' ' || substr(OLD.`org_id`, -12) || OLD.`kind`));
  INSERT INTO `search_words` (`rowid`, `terms`) VALUES (NEW.`docid`,
    replace(' ' || NEW.`words`, ' ', ' ' || substr(NEW.`org_id`, -12) || NEW.`kind`));
END;
--> statement-breakpoint
-- What is erased or deleted is found no more, from the same batch on, whoever wrote it.
CREATE TRIGGER `search_forgets_orders` AFTER UPDATE ON `orders`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`deleted_at` IS NOT NULL
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_forgets_requests` AFTER UPDATE ON `order_requests`
WHEN NEW.`erased_at` IS NOT NULL OR NEW.`status` = 'deleted'
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = NEW.`org_id` AND `id` = NEW.`id`;
END;
--> statement-breakpoint
-- What an organization left behind when it moved.
CREATE TRIGGER `search_leaves_orders` AFTER DELETE ON `orders`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_leaves_requests` AFTER DELETE ON `order_requests`
BEGIN
  DELETE FROM `search_entries` WHERE `org_id` = OLD.`org_id` AND `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_goes` AFTER DELETE ON `organizations`
BEGIN
  DELETE FROM `search_cursors` WHERE `org_id` = OLD.`id`;
END;
