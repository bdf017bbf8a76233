CREATE TABLE "address_quotas" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"keys" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_quotas" (
	"wallet" text PRIMARY KEY NOT NULL,
	"agents" integer DEFAULT 0 NOT NULL,
	"active_agents" integer DEFAULT 0 NOT NULL,
	"attestation_day" date,
	"attestations" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "wallet_quotas_agents" CHECK ("wallet_quotas"."active_agents" >= 0 and "wallet_quotas"."agents" >= 0),
	CONSTRAINT "wallet_quotas_attestations" CHECK ("wallet_quotas"."attestations" <= 100)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"wallet" text NOT NULL,
	"url_hash" text NOT NULL,
	"proven_at" timestamp (3) with time zone,
	"is_healthy" boolean DEFAULT false NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_endpoints_wallet_url_hash_pk" PRIMARY KEY("wallet","url_hash")
);
--> statement-breakpoint
CREATE TABLE "webhook_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL
);
--> statement-breakpoint
DROP INDEX "registry_agents_by_age";--> statement-breakpoint
DROP INDEX "registry_agents_by_type";--> statement-breakpoint
ALTER TABLE "registry_agents" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "registry_agents" ADD COLUMN "status_reason" text;--> statement-breakpoint
CREATE INDEX "address_quotas_by_hour" ON "address_quotas" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_by_attempt" ON "webhook_endpoints" USING btree ("last_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_hosts_by_minute" ON "webhook_hosts" USING btree ("minute");--> statement-breakpoint
CREATE INDEX "registry_agents_by_age" ON "registry_agents" USING btree ("registered_at","pubkey") WHERE "registry_agents"."status" = 'active';--> statement-breakpoint
CREATE INDEX "registry_agents_by_type" ON "registry_agents" USING btree ("agent_type","registered_at","pubkey") WHERE "registry_agents"."status" = 'active';--> statement-breakpoint
-- What wallets have already. Who has more than the quota keeps it, and gets no more.
INSERT INTO "wallet_quotas" ("wallet", "agents", "active_agents")
SELECT "pubkey", count(*), count(*) FILTER (WHERE "status" = 'active') FROM "agents" GROUP BY "pubkey";
--> statement-breakpoint
-- Who has ever had something delivered is proven.
INSERT INTO "webhook_endpoints" ("wallet", "url_hash", "proven_at", "is_healthy", "last_attempt_at")
SELECT "pubkey", encode(sha256(convert_to("webhook_url", 'UTF8')), 'hex'), min("attempted_at"), true, max("attempted_at")
FROM (
	SELECT "agents"."pubkey", "agents"."webhook_url",
		coalesce("deliveries"."last_attempt_at", "deliveries"."created_at") AS "attempted_at"
	FROM "deliveries" JOIN "agents" ON "agents"."id" = "deliveries"."agent_id"
	WHERE "deliveries"."status" = 'delivered' AND "agents"."webhook_url" IS NOT NULL
) AS "delivered"
GROUP BY 1, 2;
