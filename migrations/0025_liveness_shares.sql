CREATE TABLE "named_endpoints" (
	"wallet" text NOT NULL,
	"url_hash" text NOT NULL,
	"protocol" text NOT NULL,
	"url" text NOT NULL,
	"agents" integer NOT NULL,
	"is_watched" boolean NOT NULL,
	CONSTRAINT "named_endpoints_wallet_url_hash_protocol_pk" PRIMARY KEY("wallet","url_hash","protocol")
);
--> statement-breakpoint
ALTER TABLE "agent_endpoints" DROP CONSTRAINT "agent_endpoints_users";--> statement-breakpoint
DROP INDEX "agent_endpoints_by_wallet";--> statement-breakpoint
DROP INDEX "agent_endpoints_new";--> statement-breakpoint
DROP INDEX "probed_hosts_due";--> statement-breakpoint
ALTER TABLE "agent_endpoints" ADD COLUMN "number" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "agent_endpoints_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "agent_endpoints" RENAME COLUMN "users" TO "wallets";--> statement-breakpoint
ALTER TABLE "probed_hosts" ADD COLUMN "is_slow" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "probed_hosts" ADD COLUMN "slow_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "probed_hosts" ADD COLUMN "admissions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "agent_endpoints_live" ON "agent_endpoints" USING btree ("host","next_probe_at") WHERE "agent_endpoints"."status" = 'live' and "agent_endpoints"."next_probe_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_new" ON "agent_endpoints" USING btree ("number") WHERE "agent_endpoints"."host" is null;--> statement-breakpoint
CREATE INDEX "probed_hosts_due" ON "probed_hosts" USING btree ("is_live","is_slow","next_turn_at");--> statement-breakpoint
ALTER TABLE "agent_endpoints" DROP COLUMN "wallet";--> statement-breakpoint
ALTER TABLE "agent_endpoints" ADD CONSTRAINT "agent_endpoints_wallets" CHECK ("agent_endpoints"."wallets" >= 0);--> statement-breakpoint
-- by hand:
INSERT INTO "named_endpoints" ("wallet", "url_hash", "protocol", "url", "agents", "is_watched")
SELECT "pubkey", "hash", "protocol", min("url"), count(*),
	row_number() OVER (PARTITION BY "pubkey" ORDER BY "hash", "protocol") <= 50
FROM (
	SELECT "pubkey", "api_endpoint" AS "url", "api_protocol" AS "protocol" FROM "agents" WHERE "status" = 'active'
	UNION ALL
	SELECT "pubkey", "api_endpoint", "api_protocol" FROM "registry_agents" WHERE "status" = 'active') AS "naming",
	LATERAL (SELECT encode(sha256(convert_to("url", 'UTF8')), 'hex') AS "hash") AS "hashed"
WHERE "url" IS NOT NULL AND "protocol" IS NOT NULL
GROUP BY "pubkey", "hash", "protocol";
--> statement-breakpoint
UPDATE "agent_endpoints" SET "wallets" = (SELECT count(*) FROM "named_endpoints" AS "named"
	WHERE "named"."url_hash" = "agent_endpoints"."url_hash" AND "named"."protocol" = "agent_endpoints"."protocol" AND "is_watched");
--> statement-breakpoint
DELETE FROM "agent_endpoints" WHERE "wallets" = 0;
--> statement-breakpoint
-- What both tables are for stands in schema/tables/agent-endpoints.ts. The agents' tables have the columns pubkey,
-- status, api_endpoint and api_protocol, so one function serves them. Under the lock of the wallet's quota row it moves
-- what the wallet names and its share; then it changes the endpoints, all in one order, so that two wallets can't wait
-- for each other. What is of nobody's share is forgotten; what is named anew after it was given up is looked at again.
CREATE OR REPLACE FUNCTION "count_endpoint_users"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"share" constant integer := 50;
	"owner" text := CASE WHEN TG_OP = 'DELETE' THEN OLD."pubkey" ELSE NEW."pubkey" END;
	"left" "named_endpoints"; "named" "named_endpoints"; "promoted" "named_endpoints";
	"change" record;
BEGIN
	PERFORM FROM "wallet_quotas" WHERE "wallet" = "owner" FOR UPDATE;
	IF TG_OP <> 'INSERT' AND OLD."status" = 'active' AND OLD."api_endpoint" IS NOT NULL AND OLD."api_protocol" IS NOT NULL THEN
		UPDATE "named_endpoints" SET "agents" = "agents" - 1
		WHERE "wallet" = "owner" AND "protocol" = OLD."api_protocol"
			AND "url_hash" = encode(sha256(convert_to(OLD."api_endpoint", 'UTF8')), 'hex')
		RETURNING * INTO "left";
		DELETE FROM "named_endpoints" WHERE "wallet" = "owner" AND "url_hash" = "left"."url_hash"
			AND "protocol" = "left"."protocol" AND "agents" = 0;
	END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'active' AND NEW."api_endpoint" IS NOT NULL AND NEW."api_protocol" IS NOT NULL THEN
		INSERT INTO "named_endpoints" AS "known" ("wallet", "url_hash", "protocol", "url", "agents", "is_watched")
		SELECT "owner", encode(sha256(convert_to(NEW."api_endpoint", 'UTF8')), 'hex'), NEW."api_protocol", NEW."api_endpoint", 1,
			count(*) < "share" FROM "named_endpoints" WHERE "wallet" = "owner" AND "is_watched"
		ON CONFLICT ("wallet", "url_hash", "protocol") DO UPDATE SET "agents" = "known"."agents" + 1
		RETURNING * INTO "named";
	END IF;
	IF "left"."agents" = 0 AND "left"."is_watched" THEN
		UPDATE "named_endpoints" SET "is_watched" = true
		WHERE "wallet" = "owner" AND ("url_hash", "protocol") = (
				SELECT "url_hash", "protocol" FROM "named_endpoints" WHERE "wallet" = "owner" AND NOT "is_watched"
				ORDER BY "url_hash", "protocol" LIMIT 1)
			AND (SELECT count(*) FROM "named_endpoints" WHERE "wallet" = "owner" AND "is_watched") < "share"
		RETURNING * INTO "promoted";
	END IF;
	FOR "change" IN
		SELECT * FROM (VALUES
			("left"."url_hash", "left"."protocol", "left"."url", -1, "left"."is_watched" AND "left"."agents" = 0),
			("named"."url_hash", "named"."protocol", "named"."url", ("named"."agents" = 1)::integer, "named"."is_watched"),
			("promoted"."url_hash", "promoted"."protocol", "promoted"."url", 1, "promoted"."is_watched")
		) AS "changes" ("url_hash", "protocol", "url", "step", "counts") WHERE "counts" ORDER BY "url_hash", "protocol"
	LOOP
		IF "change"."step" < 0 THEN
			UPDATE "agent_endpoints" SET "wallets" = "wallets" - 1
			WHERE "url_hash" = "change"."url_hash" AND "protocol" = "change"."protocol";
			DELETE FROM "agent_endpoints"
			WHERE "url_hash" = "change"."url_hash" AND "protocol" = "change"."protocol" AND "wallets" = 0;
		ELSE
			INSERT INTO "agent_endpoints" AS "known" ("url_hash", "protocol", "url", "wallets")
			VALUES ("change"."url_hash", "change"."protocol", "change"."url", "change"."step")
			ON CONFLICT ("url_hash", "protocol") DO UPDATE SET "wallets" = "known"."wallets" + excluded."wallets",
				"host" = CASE WHEN "known"."next_probe_at" IS NOT NULL THEN "known"."host" END;
		END IF;
	END LOOP;
	RETURN NULL;
END $$;
