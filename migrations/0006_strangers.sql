-- expand
ALTER TABLE "agent_endpoints" ADD COLUMN "begun" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "paid_room" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_targets" ADD COLUMN "unconfirmed_reason" text;