CREATE TABLE "agent_listings" (
	"layer" smallint NOT NULL,
	"status" text NOT NULL,
	"agent_type" text NOT NULL,
	"fee_model" text NOT NULL,
	"reputation_score" double precision NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "agent_listings_by_kind" PRIMARY KEY("layer","status","agent_type","fee_model","reputation_score","agent_id")
);
--> statement-breakpoint
CREATE TABLE "registry_listings" (
	"layer" smallint NOT NULL,
	"capability" text NOT NULL,
	"agent_type" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"pubkey" text NOT NULL,
	CONSTRAINT "registry_listings_by_type" PRIMARY KEY("layer","capability","agent_type","registered_at","pubkey")
);
--> statement-breakpoint
DROP INDEX "agents_by_score";--> statement-breakpoint
DROP INDEX "agents_by_layer";--> statement-breakpoint
DROP INDEX "agents_by_name";--> statement-breakpoint
DROP INDEX "registry_agents_by_age";--> statement-breakpoint
DROP INDEX "registry_agents_by_type";--> statement-breakpoint
DROP INDEX "registry_agents_by_capability";--> statement-breakpoint
DROP INDEX "registry_agents_by_layer";--> statement-breakpoint
DROP INDEX "agents_by_owner";--> statement-breakpoint
DROP INDEX "hires_by_agent";--> statement-breakpoint
CREATE INDEX "agent_listings_by_score" ON "agent_listings" USING btree ("layer","status","reputation_score","agent_id","name");--> statement-breakpoint
CREATE INDEX "agent_listings_by_name" ON "agent_listings" USING btree ("layer","status","name" text_pattern_ops,"agent_type","fee_model","reputation_score","agent_id");--> statement-breakpoint
CREATE INDEX "attestations_by_wallet" ON "attestations" USING btree ("wallet",("verification_level" in ('third_party_verified', 'on_chain_proven')),"id");--> statement-breakpoint
CREATE INDEX "agents_by_owner" ON "agents" USING btree ("pubkey","status");--> statement-breakpoint
CREATE INDEX "hires_by_agent" ON "hires" USING btree ("agent_id","expires_at") WHERE "hires"."status" = 'active';--> statement-breakpoint
-- From here on written by hand: drizzle-kit knows no triggers. What the listings are for stands in
-- schema/tables/agent-listings.ts and registry-listings.ts. A listing is found by all that it was made of, so it
-- needs no index by agent; and whoever writes it has locked its agent before. Inserts are listed by the statement,
-- changes by the row, and only where they change a listing: a hire that is merely counted costs nothing.
CREATE FUNCTION "list_new_agents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name")
	SELECT "layer", "status", "agent_type", "fee_model", "reputation_score", "id", lower("name")
	FROM "added", unnest(0::smallint || "supported_layers") AS "layer";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_changed_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "agent_listings" WHERE "layer" = ANY (0::smallint || OLD."supported_layers")
		AND "status" = OLD."status" AND "agent_type" = OLD."agent_type" AND "fee_model" = OLD."fee_model"
		AND "reputation_score" = OLD."reputation_score" AND "agent_id" = OLD."id";
	IF TG_OP = 'UPDATE' THEN
		INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name")
		SELECT "layer", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."id", lower(NEW."name")
		FROM unnest(0::smallint || NEW."supported_layers") AS "layer";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_new_registry_agents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "registry_listings" ("layer", "capability", "agent_type", "registered_at", "pubkey")
	SELECT "layer", "capability", "agent_type", "registered_at", "pubkey"
	FROM "added", unnest(0::smallint || "layers") AS "layer", unnest(''::text || "capabilities") AS "capability"
	WHERE "status" = 'active';
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_changed_registry_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "registry_listings" WHERE "layer" = ANY (0::smallint || OLD."layers")
		AND "capability" = ANY (''::text || OLD."capabilities") AND "agent_type" = OLD."agent_type"
		AND "registered_at" = OLD."registered_at" AND "pubkey" = OLD."pubkey";
	IF TG_OP = 'UPDATE' AND NEW."status" = 'active' THEN
		INSERT INTO "registry_listings" ("layer", "capability", "agent_type", "registered_at", "pubkey")
		SELECT "layer", "capability", NEW."agent_type", NEW."registered_at", NEW."pubkey"
		FROM unnest(0::smallint || NEW."layers") AS "layer", unnest(''::text || NEW."capabilities") AS "capability";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_listed" AFTER INSERT ON "agents" REFERENCING NEW TABLE AS "added"
	FOR EACH STATEMENT EXECUTE FUNCTION "list_new_agents"();
--> statement-breakpoint
CREATE TRIGGER "agents_relisted" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."id", OLD."supported_layers", OLD."status", OLD."agent_type", OLD."fee_model", OLD."reputation_score", OLD."name")
		IS DISTINCT FROM
		(NEW."id", NEW."supported_layers", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."name"))
	EXECUTE FUNCTION "list_changed_agent"();
--> statement-breakpoint
CREATE TRIGGER "agents_unlisted" AFTER DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "list_changed_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_listed" AFTER INSERT ON "registry_agents" REFERENCING NEW TABLE AS "added"
	FOR EACH STATEMENT EXECUTE FUNCTION "list_new_registry_agents"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_relisted" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."pubkey", OLD."layers", OLD."capabilities", OLD."status", OLD."agent_type", OLD."registered_at")
		IS DISTINCT FROM
		(NEW."pubkey", NEW."layers", NEW."capabilities", NEW."status", NEW."agent_type", NEW."registered_at"))
	EXECUTE FUNCTION "list_changed_registry_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_unlisted" AFTER DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "list_changed_registry_agent"();
--> statement-breakpoint
-- What is there already. Creating the triggers has locked the tables against writers until this migration is done.
INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name")
SELECT DISTINCT "layer", "status", "agent_type", "fee_model", "reputation_score", "id", lower("name")
FROM "agents", unnest(0::smallint || "supported_layers") AS "layer";
--> statement-breakpoint
INSERT INTO "registry_listings" ("layer", "capability", "agent_type", "registered_at", "pubkey")
SELECT DISTINCT "layer", "capability", "agent_type", "registered_at", "pubkey"
FROM "registry_agents", unnest(0::smallint || "layers") AS "layer", unnest(''::text || "capabilities") AS "capability"
WHERE "status" = 'active';
