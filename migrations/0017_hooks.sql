CREATE TABLE "endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"event_types" text[] NOT NULL,
	"agent_ids" uuid[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone,
	CONSTRAINT "endpoints_disabled" CHECK (("endpoints"."disabled_at" is null) = ("endpoints"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"attempted_at" timestamp (3) with time zone NOT NULL,
	"response_code" integer,
	"failure" text,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "delivery_attempts_endpoint_id_attempted_at_event_id_pk" PRIMARY KEY("endpoint_id","attempted_at","event_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" RENAME TO "webhook_targets";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "agent_id" TO "endpoint_id";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_agent_id_agents_id_fk";
--> statement-breakpoint
DROP INDEX "webhook_endpoints_by_attempt";--> statement-breakpoint
DROP INDEX "deliveries_due";--> statement-breakpoint
DROP INDEX "deliveries_by_wallet";--> statement-breakpoint
ALTER TABLE "webhook_targets" DROP CONSTRAINT "webhook_endpoints_wallet_url_hash_pk";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_pkey";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_endpoint_id_event_id_pk" PRIMARY KEY("endpoint_id","event_id");--> statement-breakpoint
ALTER TABLE "webhook_targets" ADD CONSTRAINT "webhook_targets_wallet_url_hash_pk" PRIMARY KEY("wallet","url_hash");--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "endpoints" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "tested_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "endpoints_by_wallet" ON "endpoints" USING btree ("wallet","id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_by_age" ON "delivery_attempts" USING btree ("attempted_at");--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("endpoint_id","created_at") WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_targets_by_attempt" ON "webhook_targets" USING btree ("last_attempt_at");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_by_wallet" ON "deliveries" USING btree ("wallet","event_id","endpoint_id");--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD CONSTRAINT "wallet_quotas_endpoints" CHECK ("wallet_quotas"."endpoints" >= 0);--> statement-breakpoint
-- by hand: what was said of endpoints before names them as it does now. The webhook of an agent has the agent's id.
UPDATE "events" SET "data" = json_build_object('endpointId', "data"->'agentId', 'agentId', "data"->'agentId',
	'url', "data"->'url', 'reason', "data"->'reason')
WHERE "type" = 'endpoint.disabled';
