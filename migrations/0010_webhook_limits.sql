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
CREATE INDEX "webhook_endpoints_by_attempt" ON "webhook_endpoints" USING btree ("last_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_hosts_by_minute" ON "webhook_hosts" USING btree ("minute");--> statement-breakpoint
-- By hand: an endpoint that ever had something delivered is proven.
INSERT INTO "webhook_endpoints" ("wallet", "url_hash", "proven_at", "is_healthy", "last_attempt_at")
SELECT "pubkey", encode(sha256(convert_to("webhook_url", 'UTF8')), 'hex'), min("attempted_at"), true, max("attempted_at")
FROM (
	SELECT "agents"."pubkey", "agents"."webhook_url",
		coalesce("deliveries"."last_attempt_at", "deliveries"."created_at") AS "attempted_at"
	FROM "deliveries" JOIN "agents" ON "agents"."id" = "deliveries"."agent_id"
	WHERE "deliveries"."status" = 'delivered' AND "agents"."webhook_url" IS NOT NULL
) AS "delivered"
GROUP BY 1, 2;
