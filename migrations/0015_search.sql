CREATE TABLE "document_words" (
	"kind" text NOT NULL,
	"word" text NOT NULL,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"words" "tsvector" NOT NULL,
	"stems" "tsvector" NOT NULL,
	CONSTRAINT "documents_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "document_words_by_word" ON "document_words" USING btree ("kind","word" text_pattern_ops,"key");--> statement-breakpoint
-- by hand: drizzle-kit knows no functions and triggers. What they keep stands in schema/tables/documents.ts.
-- The capability that stands for each layer alone, as schema/registry.ts has it: layer 1 is shopping.
CREATE FUNCTION "layer_names"("layers" smallint[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
	SELECT array_agg((ARRAY['shopping', 'referral', 'attention', 'data_licensing', 'insurance', 'compute', 'network', 'energy',
		'depin', 'inference', 'storage', 'skill_verification', 'curation', 'social', 'knowledge_api', 'model_licensing',
		'liquidity', 'governance', 'inventory', 'sub_agent', 'collateral', 'swarm', 'gaming'])["layer"] ORDER BY "layer")
	FROM unnest("layers") AS "layer"
$$;
--> statement-breakpoint
CREATE FUNCTION "document_vector"("config" regconfig, "name" text, "terms" text[], "description" text)
RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT setweight(to_tsvector("config", "name"), 'A')
		|| setweight(to_tsvector("config", coalesce(array_to_string("terms", ' '), '')), 'B')
		|| setweight(to_tsvector("config", coalesce("description", '')), 'C')
$$;
--> statement-breakpoint
CREATE FUNCTION "listed_words"("words" tsvector, "stems" tsvector) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
	SELECT "lexeme" FROM (
		SELECT "lexeme", "positions"[1] AS "at" FROM unnest("words")
		UNION ALL SELECT "lexeme", "positions"[1] FROM unnest("stems")) AS "both"
	GROUP BY "lexeme" ORDER BY min("at"), "lexeme" LIMIT 100
$$;
--> statement-breakpoint
CREATE FUNCTION "drop_document"("its_kind" text, "its_key" text) RETURNS void LANGUAGE sql AS $$
	DELETE FROM "document_words" USING "documents"
	WHERE "documents"."kind" = "its_kind" AND "documents"."key" = "its_key"
		AND "document_words"."kind" = "its_kind" AND "document_words"."key" = "its_key"
		AND "document_words"."word" = ANY (tsvector_to_array("words") || tsvector_to_array("stems"));
	DELETE FROM "documents" WHERE "kind" = "its_kind" AND "key" = "its_key"
$$;
--> statement-breakpoint
CREATE FUNCTION "put_document"("its_kind" text, "its_key" text, "its_name" text, "its_terms" text[], "its_description" text)
RETURNS void LANGUAGE sql AS $$
	WITH "added" AS (
		INSERT INTO "documents" ("kind", "key", "words", "stems")
		VALUES ("its_kind", "its_key", document_vector('simple', "its_name", "its_terms", "its_description"),
			document_vector('english', "its_name", "its_terms", "its_description"))
		RETURNING "words", "stems")
	INSERT INTO "document_words" ("kind", "word", "key")
	SELECT "its_kind", "word", "its_key" FROM "added", listed_words("words", "stems") AS "word"
$$;
--> statement-breakpoint
CREATE FUNCTION "document_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN PERFORM drop_document('agent', OLD."id"::text); END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM put_document('agent', NEW."id"::text, NEW."name", layer_names(NEW."supported_layers") || NEW."agent_type", NEW."description");
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "document_registry_agent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN PERFORM drop_document('registered', OLD."pubkey"); END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" <> 'removed' THEN
		PERFORM put_document('registered', NEW."pubkey", NEW."name", NEW."capabilities" || NEW."agent_type", NEW."description");
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_documented" AFTER INSERT OR DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "document_agent"();
--> statement-breakpoint
CREATE TRIGGER "agents_redocumented" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."id", OLD."name", OLD."supported_layers", OLD."agent_type", OLD."description")
		IS DISTINCT FROM (NEW."id", NEW."name", NEW."supported_layers", NEW."agent_type", NEW."description"))
	EXECUTE FUNCTION "document_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_documented" AFTER INSERT OR DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "document_registry_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_redocumented" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."pubkey", OLD."name", OLD."capabilities", OLD."agent_type", OLD."description", OLD."status" = 'removed')
		IS DISTINCT FROM (NEW."pubkey", NEW."name", NEW."capabilities", NEW."agent_type", NEW."description", NEW."status" = 'removed'))
	EXECUTE FUNCTION "document_registry_agent"();
--> statement-breakpoint
-- What is there already. Creating the triggers has locked the tables against writers until this migration is done.
SELECT put_document('agent', "id"::text, "name", layer_names("supported_layers") || "agent_type", "description") FROM "agents";
--> statement-breakpoint
SELECT put_document('registered', "pubkey", "name", "capabilities" || "agent_type", "description")
FROM "registry_agents" WHERE "status" <> 'removed';
