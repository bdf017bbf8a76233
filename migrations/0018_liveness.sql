CREATE TABLE "agent_endpoints" (
	"url_hash" text NOT NULL,
	"protocol" text NOT NULL,
	"url" text NOT NULL,
	"users" integer NOT NULL,
	"wallet" text,
	"host" text,
	"status" text DEFAULT 'unknown' NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"latency_ms" integer,
	"is_auth_required" boolean DEFAULT false NOT NULL,
	"card_status" text DEFAULT 'none' NOT NULL,
	"card" text,
	"etag" text,
	"failing_since" timestamp (3) with time zone,
	"failures" smallint DEFAULT 0 NOT NULL,
	"counted_day" integer DEFAULT 0 NOT NULL,
	"day_checks" smallint[] DEFAULT '{}' NOT NULL,
	"day_successes" smallint[] DEFAULT '{}' NOT NULL,
	"uptime_30d" double precision,
	"robots_read_at" timestamp (3) with time zone,
	"is_opted_out" boolean DEFAULT false NOT NULL,
	"next_probe_at" timestamp (3) with time zone,
	"lease" uuid,
	CONSTRAINT "agent_endpoints_url_hash_protocol_pk" PRIMARY KEY("url_hash","protocol"),
	CONSTRAINT "agent_endpoints_users" CHECK ("agent_endpoints"."users" >= 0)
);
--> statement-breakpoint
CREATE TABLE "probed_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"is_live" boolean DEFAULT false NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL,
	"next_turn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "agent_endpoints_new" ON "agent_endpoints" USING btree ("url_hash") WHERE "agent_endpoints"."host" is null and "agent_endpoints"."wallet" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_due" ON "agent_endpoints" USING btree ("host","next_probe_at") WHERE "agent_endpoints"."next_probe_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_by_wallet" ON "agent_endpoints" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "probed_hosts_due" ON "probed_hosts" USING btree ("is_live","next_turn_at");--> statement-breakpoint
-- by hand: drizzle-kit knows no triggers. What agent_endpoints is for stands in schema/tables/agent-endpoints.ts. Both
-- tables have the columns pubkey, status, api_endpoint and api_protocol, so one function serves them. It locks the
-- agent's wallet, whose share it counts, then both endpoints in one order, so that two changes can't wait for each other.
-- Whoever is named by none is forgotten; whoever is named anew after it was given up is looked at again.
CREATE FUNCTION "count_endpoint_users"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"left_hash" text; "left_protocol" text; "named_hash" text; "named_protocol" text;
	"share" constant integer := 50;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" = 'active' AND OLD."api_endpoint" IS NOT NULL AND OLD."api_protocol" IS NOT NULL THEN
		"left_hash" := encode(sha256(convert_to(OLD."api_endpoint", 'UTF8')), 'hex');
		"left_protocol" := OLD."api_protocol";
	END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'active' AND NEW."api_endpoint" IS NOT NULL AND NEW."api_protocol" IS NOT NULL THEN
		"named_hash" := encode(sha256(convert_to(NEW."api_endpoint", 'UTF8')), 'hex');
		"named_protocol" := NEW."api_protocol";
		PERFORM FROM "wallet_quotas" WHERE "wallet" = NEW."pubkey" FOR UPDATE;
	END IF;
	PERFORM FROM "agent_endpoints" WHERE ("url_hash", "protocol") IN (("left_hash", "left_protocol"), ("named_hash", "named_protocol"))
		ORDER BY "url_hash", "protocol" FOR UPDATE;
	IF "left_hash" IS NOT NULL THEN
		UPDATE "agent_endpoints" SET "users" = "users" - 1 WHERE "url_hash" = "left_hash" AND "protocol" = "left_protocol";
		DELETE FROM "agent_endpoints" WHERE "url_hash" = "left_hash" AND "protocol" = "left_protocol" AND "users" = 0;
	END IF;
	IF "named_hash" IS NOT NULL THEN
		INSERT INTO "agent_endpoints" AS "known" ("url_hash", "protocol", "url", "users", "wallet")
		SELECT "named_hash", "named_protocol", NEW."api_endpoint", 1, CASE WHEN count(*) < "share" THEN NEW."pubkey" END
		FROM "agent_endpoints" WHERE "wallet" = NEW."pubkey"
		ON CONFLICT ("url_hash", "protocol") DO UPDATE SET "users" = "known"."users" + 1,
			"wallet" = coalesce("known"."wallet", excluded."wallet"),
			"host" = CASE WHEN "known"."next_probe_at" IS NOT NULL THEN "known"."host" END;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_name_endpoints" AFTER INSERT ON "agents" FOR EACH ROW
	WHEN (NEW."api_protocol" IS NOT NULL) EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "agents_rename_endpoints" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."status", OLD."api_endpoint", OLD."api_protocol") IS DISTINCT FROM (NEW."status", NEW."api_endpoint", NEW."api_protocol"))
	EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "agents_drop_endpoints" AFTER DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_name_endpoints" AFTER INSERT ON "registry_agents" FOR EACH ROW
	WHEN (NEW."api_protocol" IS NOT NULL) EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_rename_endpoints" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."status", OLD."api_endpoint", OLD."api_protocol") IS DISTINCT FROM (NEW."status", NEW."api_endpoint", NEW."api_protocol"))
	EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_drop_endpoints" AFTER DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "count_endpoint_users"();
