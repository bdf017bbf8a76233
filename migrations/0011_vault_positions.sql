ALTER TABLE "vaults" ADD COLUMN "open_positions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vaults" ADD CONSTRAINT "vaults_open_positions" CHECK ("vaults"."open_positions" >= 0);--> statement-breakpoint
-- By hand: what is counted in the owner's row, whoever changes positions (Workers of before this migration, too). Creating
-- the trigger has locked the table against writers until the numbers of what is there already are set.
CREATE FUNCTION "count_open_positions"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"change" integer := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" = 'open' THEN "change" := "change" - 1; END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'open' THEN "change" := "change" + 1; END IF;
	IF "change" <> 0 THEN
		UPDATE "vaults" SET "open_positions" = "open_positions" + "change"
		WHERE "owner" = CASE TG_OP WHEN 'DELETE' THEN OLD."owner" ELSE NEW."owner" END;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "positions_open" AFTER INSERT OR DELETE OR UPDATE OF "status" ON "positions"
	FOR EACH ROW EXECUTE FUNCTION "count_open_positions"();
--> statement-breakpoint
UPDATE "vaults" SET "open_positions" = "open"."positions"
FROM (SELECT "owner", count(*) AS "positions" FROM "positions" WHERE "status" = 'open' GROUP BY "owner") AS "open"
WHERE "vaults"."owner" = "open"."owner";
