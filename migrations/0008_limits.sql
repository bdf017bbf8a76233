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
DROP INDEX "registry_agents_by_age";--> statement-breakpoint
DROP INDEX "registry_agents_by_type";--> statement-breakpoint
ALTER TABLE "registry_agents" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "registry_agents" ADD COLUMN "status_reason" text;--> statement-breakpoint
CREATE INDEX "address_quotas_by_hour" ON "address_quotas" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "registry_agents_by_age" ON "registry_agents" USING btree ("registered_at","pubkey") WHERE "registry_agents"."status" = 'active';--> statement-breakpoint
CREATE INDEX "registry_agents_by_type" ON "registry_agents" USING btree ("agent_type","registered_at","pubkey") WHERE "registry_agents"."status" = 'active';--> statement-breakpoint
-- What wallets have already. Who has more than the quota keeps it, and gets no more.
INSERT INTO "wallet_quotas" ("wallet", "agents", "active_agents")
SELECT "pubkey", count(*), count(*) FILTER (WHERE "status" = 'active') FROM "agents" GROUP BY "pubkey";
