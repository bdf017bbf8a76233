-- Custom migration: drizzle-kit knows no triggers. What the totals table is for and why it is sharded stands in
-- schema/tables/totals.ts.
--
-- The triggers are deferred: they run when the transaction commits, so the lock on a totals row is the last that any
-- transaction takes and the first that it gives back. Taken in the middle of a batch it could close a circle with
-- the locks on vaults, intents and agents that other statements of the batch take.
CREATE FUNCTION "add_to_totals"("more_agents" bigint, "more_attestations" bigint, "more_value" numeric)
RETURNS void LANGUAGE sql AS $$
	INSERT INTO "totals" ("shard", "agents", "attestations", "value_locked")
	VALUES (pg_backend_pid() % 16, "more_agents", "more_attestations", "more_value")
	ON CONFLICT ("shard") DO UPDATE SET
		"agents" = "totals"."agents" + excluded."agents",
		"attestations" = "totals"."attestations" + excluded."attestations",
		"value_locked" = "totals"."value_locked" + excluded."value_locked"
$$;
--> statement-breakpoint
CREATE FUNCTION "total_agents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "add_to_totals"(CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0, 0);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "total_attestations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "add_to_totals"(0, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "total_value_locked"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"change" numeric := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" <> 'withdrawn' THEN "change" := "change" - OLD."principal"; END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" <> 'withdrawn' THEN "change" := "change" + NEW."principal"; END IF;
	IF "change" <> 0 THEN PERFORM "add_to_totals"(0, 0, "change"); END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "agents_totals" AFTER INSERT OR DELETE ON "agents"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_agents"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "attestations_totals" AFTER INSERT OR DELETE ON "attestations"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_attestations"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "positions_totals" AFTER INSERT OR DELETE OR UPDATE OF "status", "principal" ON "positions"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_value_locked"();
--> statement-breakpoint
-- What is there already. Creating the triggers has locked the tables against writers until this migration is done.
INSERT INTO "totals" ("shard", "agents", "attestations", "value_locked") VALUES (
	0,
	(SELECT count(*) FROM "agents"),
	(SELECT count(*) FROM "attestations"),
	(SELECT coalesce(sum("principal"), 0) FROM "positions" WHERE "status" <> 'withdrawn'));
--> statement-breakpoint
-- Room on the page, so that a row that is always updated is updated in place.
ALTER TABLE "totals" SET (fillfactor = 20);
--> statement-breakpoint
INSERT INTO "pioneer_spots" ("id", "taken") VALUES (1, 0);
