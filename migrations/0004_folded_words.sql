-- expand
-- Texts and searches are split into words by one function, "text_words": in one form whatever the case, accents, width
-- and normal form, at every sign, and where a script has no spaces into pairs of characters. Postgres' own parser keeps
-- file and host names whole, and classifies characters as the database's locale does.
--
-- Workers of 1.0.0 search for words as that parser splits them, so texts still have those, behind the others.
DO $$ BEGIN
	IF current_setting('server_version_num')::integer < 170000 THEN
		RAISE EXCEPTION 'AgentCred needs Postgres 17 or later, whose collation pg_c_utf8 knows letters alike on every server';
	END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "folding" smallint DEFAULT 0 NOT NULL;
--> statement-breakpoint

-- The words of a text, a thousand at most, each of a hundred characters at most, with its place. Of a script without
-- spaces each character is a word with the one behind it: "piece" is then first, inner or last of its row, or only; null
-- of other words. A search leaves out a last one: the word before ends with it.
CREATE FUNCTION "text_words"("its" text)
RETURNS TABLE ("word" text, "at" integer, "piece" text) LANGUAGE plpgsql IMMUTABLE ROWS 10 AS $$
#variable_conflict use_column
DECLARE
	-- Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and characters that show nothing. Not the
	-- vowels and tones of Indic scripts, nor the voicing of kana, without which a word is another one.
	"signs" constant text := '[\u00AD\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7'
		'\u0610-\u061A\u061C\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u180B-\u180F'
		'\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E\u2060-\u206F\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F'
		'\uFEFF\U000E0000-\U000E0FFF]+';
	-- Thai, Lao, Myanmar, Khmer, Tai scripts, kana, bopomofo, Han and what is written like it.
	"unspaced" constant text := '\u0E01-\u0E3A\u0E40-\u0E4E\u0E81-\u0ECE\u0EDC-\u0EDF\u1000-\u103F\u1050-\u108F'
		'\u109A-\u109D\u1780-\u17D3\u17D7\u17DC\u17DD\u1950-\u19C9\u1A20-\u1A7F\u2E80-\u2FDF\u3005-\u3007'
		'\u3021-\u302F\u3031-\u3035\u303B\u303C\u3041-\u30FF\u3105-\u312F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF'
		'\u4E00-\u9FFF\uA9E0-\uA9EF\uA9FA-\uA9FE\uAA60-\uAADF\uF900-\uFAFF\U00016FE0-\U00018DFF'
		'\U0001AFF0-\U0001B2FF\U00020000-\U0003FFFF';
	-- Those of them that belong to the character before: a pair is one of two that are read.
	"marks" constant text := '\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u102B-\u103E'
		'\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D'
		'\u17B4-\u17D3\u17DD\u1A55-\u1A7F\u302A-\u302F\u3099\u309A\uAAB0\uAAB2-\uAAB4\uAAB7\uAAB8\uAABE\uAABF\uAAC1';
	"most" constant integer := 1000;
BEGIN
	IF octet_length("its") = length("its") THEN
		"its" := lower("its" COLLATE "C");
	ELSE
		-- Signs that would become letters are none of a word.
		"its" := regexp_replace(normalize(translate("its", '™℠', '  '), NFKD), "signs", '', 'g');
		-- Letters that Unicode does not take apart. The collation's letters are the same on every server.
		"its" := translate(lower("its" COLLATE "pg_c_utf8"), 'ςøđðłħıŧ', 'σoddlhit');
		"its" := replace(replace(replace(replace("its", 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
		"its" := normalize("its", NFKC);
	END IF;
	-- One character can become eighteen; no text has more than 2,000 of its own.
	"its" := left("its", 4000);
	"its" := regexp_replace("its" COLLATE "pg_c_utf8", '[[:punct:][:space:][:cntrl:]\u02B9-\u02DF]+', ' ', 'g');
	IF octet_length("its") = length("its") OR "its" !~ ('[' || "unspaced" || ']') THEN
		RETURN QUERY SELECT left("one", 100), "n"::integer, NULL::text
		FROM string_to_table("its", ' ') WITH ORDINALITY AS "its_words" ("one", "n") WHERE "one" <> '' LIMIT "most";
		RETURN;
	END IF;
	RETURN QUERY
	SELECT left(coalesce("plain", "unit" || coalesce("next", '')), 100), "n"::integer,
		CASE WHEN "unit" IS NULL THEN NULL
			WHEN "before" IS NULL THEN CASE WHEN "next" IS NULL THEN 'only' ELSE 'first' END
			ELSE CASE WHEN "next" IS NULL THEN 'last' ELSE 'inner' END END
	FROM (
		SELECT "parts"[1] AS "unit", "parts"[2] AS "plain", "n",
			lag("parts"[1]) OVER "in_order" AS "before", lead("parts"[1]) OVER "in_order" AS "next"
		FROM regexp_matches("its", '([' || "unspaced" || '][' || "marks" || ']*)|([^ ' || "unspaced" || ']+)| ', 'g')
			WITH ORDINALITY AS "found" ("parts", "n")
		WINDOW "in_order" AS (ORDER BY "n")) AS "units"
	WHERE coalesce("plain", "unit") IS NOT NULL ORDER BY "n" LIMIT "most";
END $$;
--> statement-breakpoint

-- A text's words as they are ("simple"), or as English stems without words that say nothing.
CREATE FUNCTION "word_vector"("config" regconfig, "its" text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(string_agg("lexeme" || ':' || "at", ' '), '')::tsvector FROM (
		SELECT CASE WHEN "config" = 'simple'::regconfig THEN "word" ELSE (ts_lexize('english_stem', "word"))[1] END AS "lexeme", "at"
		FROM text_words("its")) AS "made"
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "document_vector"("config" regconfig, "name" text, "terms" text[], "description" text)
RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	"listed" text := coalesce(array_to_string("terms", ' '), '');
	"folded" tsvector := setweight(word_vector("config", "name"), 'A') || setweight(word_vector("config", "listed"), 'B')
		|| setweight(word_vector("config", coalesce("description", '')), 'C');
	"parsed" tsvector := setweight(to_tsvector("config", "name"), 'A') || setweight(to_tsvector("config", "listed"), 'B')
		|| setweight(to_tsvector("config", coalesce("description", '')), 'C');
BEGIN
	RETURN "folded" || ts_delete("parsed", tsvector_to_array("folded"));
END $$;
--> statement-breakpoint
-- A description of two hundred characters without spaces has as many words.
CREATE OR REPLACE FUNCTION "listed_words"("words" tsvector, "stems" tsvector) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
	SELECT "lexeme" FROM (
		SELECT "lexeme", "positions"[1] AS "at" FROM unnest("words")
		UNION ALL SELECT "lexeme", "positions"[1] FROM unnest("stems")) AS "both"
	GROUP BY "lexeme" ORDER BY min("at"), "lexeme" LIMIT 200
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "put_document"("its_kind" text, "its_key" text, "its_name" text, "its_terms" text[], "its_description" text)
RETURNS void LANGUAGE sql AS $$
	WITH "added" AS (
		INSERT INTO "documents" ("kind", "key", "words", "stems", "folding")
		VALUES ("its_kind", "its_key", document_vector('simple', "its_name", "its_terms", "its_description"),
			document_vector('english', "its_name", "its_terms", "its_description"), 1)
		RETURNING "words", "stems")
	INSERT INTO "document_words" ("kind", "word", "key")
	SELECT "its_kind", "word", "its_key" FROM "added", listed_words("words", "stems") AS "word"
$$;
--> statement-breakpoint
-- Names are compared in one form, too, for those that have no word: a row of signs.
CREATE OR REPLACE FUNCTION "listed_name"("is_listed" boolean, "name" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN "is_listed" THEN lower(normalize("name", NFKC)) ELSE '' END
$$;
--> statement-breakpoint

-- Makes a text of before anew, and what the listings have of it. The row that it is of is locked first, as by a change.
CREATE FUNCTION "fold_document"("its_kind" text, "its_key" text) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
	"agent" "agents";
	"entry" "registry_agents";
BEGIN
	IF "its_kind" = 'agent' THEN
		SELECT * INTO "agent" FROM "agents" WHERE "id" = "its_key"::uuid FOR NO KEY UPDATE;
	ELSE
		SELECT * INTO "entry" FROM "registry_agents" WHERE "pubkey" = "its_key" FOR NO KEY UPDATE;
	END IF;
	PERFORM drop_document("its_kind", "its_key");
	IF "agent"."is_listed" THEN
		PERFORM put_document('agent', "its_key", "agent"."name", layer_names("agent"."supported_layers") || "agent"."agent_type",
			"agent"."description");
		UPDATE "agent_listings" SET "name" = listed_name(true, "agent"."name"), "word_bloom" = word_bloom(tsvector_to_array("words"))
		FROM "documents"
		WHERE "kind" = 'agent' AND "key" = "its_key" AND "layer" = ANY (0::smallint || "agent"."supported_layers")
			AND "status" = "agent"."status" AND "agent_type" = "agent"."agent_type" AND "fee_model" = "agent"."fee_model"
			AND "reputation_score" = "agent"."reputation_score" AND "agent_id" = "agent"."id";
	ELSIF "entry"."status" <> 'removed' THEN
		PERFORM put_document('registered', "its_key", "entry"."name", "entry"."capabilities" || "entry"."agent_type",
			"entry"."description");
	END IF;
END $$;
