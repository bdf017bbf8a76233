-- expand
ALTER TABLE "agent_listings" ADD COLUMN "is_priced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "request_prices" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "lowest_request_price" bigint;
--> statement-breakpoint

-- From here on written by hand. The same as in 0000_init.sql, but that listings show whether an agent has prices of
-- requests. No release has prices, so no row needs more than the defaults.
CREATE OR REPLACE FUNCTION "list_new_agents"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name", "word_bloom",
		"is_priced")
	SELECT "layer", "status", "agent_type", "fee_model", "reputation_score", "id", listed_name("is_listed", "name"), "bloom",
		"request_prices" > 0
	FROM "added" LEFT JOIN "documents" ON "kind" = 'agent' AND "key" = "id"::text,
		word_bloom(coalesce(tsvector_to_array("words"), '{}')) AS "bloom",
		unnest(listed_layers("is_listed", "supported_layers")) AS "layer";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "list_changed_agent"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
	"bloom" bit(256);
BEGIN
	WITH "gone" AS (
		DELETE FROM "agent_listings" WHERE "layer" = ANY (0::smallint || OLD."supported_layers")
			AND "status" = OLD."status" AND "agent_type" = OLD."agent_type" AND "fee_model" = OLD."fee_model"
			AND "reputation_score" = OLD."reputation_score" AND "agent_id" = OLD."id"
		RETURNING "word_bloom")
	SELECT bit_or("word_bloom") INTO "bloom" FROM "gone";
	IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
	IF NOT NEW."is_listed" THEN
		"bloom" := word_bloom('{}');
	ELSIF (OLD."name", OLD."supported_layers", OLD."agent_type", OLD."description", OLD."is_listed")
		IS DISTINCT FROM (NEW."name", NEW."supported_layers", NEW."agent_type", NEW."description", NEW."is_listed") THEN
		SELECT word_bloom(tsvector_to_array("words")) INTO "bloom" FROM "documents" WHERE "kind" = 'agent' AND "key" = NEW."id"::text;
	END IF;
	INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name", "word_bloom",
		"is_priced")
	SELECT "layer", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."id",
		listed_name(NEW."is_listed", NEW."name"), "bloom", NEW."request_prices" > 0
	FROM unnest(listed_layers(NEW."is_listed", NEW."supported_layers")) AS "layer";
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Only the first price and the end of the last one change listings.
CREATE OR REPLACE TRIGGER "agents_relisted" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."id", OLD."supported_layers", OLD."status", OLD."agent_type", OLD."fee_model", OLD."reputation_score", OLD."name",
			OLD."description", OLD."is_listed", OLD."request_prices" > 0)
		IS DISTINCT FROM
		(NEW."id", NEW."supported_layers", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."name",
			NEW."description", NEW."is_listed", NEW."request_prices" > 0))
	EXECUTE FUNCTION "list_changed_agent"();
