-- expand
CREATE TABLE "agent_webhook_secrets" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "agent_webhook_secrets" ADD CONSTRAINT "agent_webhook_secrets_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_webhook_secrets_by_key" ON "agent_webhook_secrets" USING btree (split_part("secret", ':', 1),"agent_id");--> statement-breakpoint
CREATE INDEX "agent_webhook_secrets_by_previous_key" ON "agent_webhook_secrets" USING btree (split_part("previous_secret", ':', 1),"agent_id") WHERE "agent_webhook_secrets"."previous_secret" is not null;--> statement-breakpoint
CREATE INDEX "agent_webhook_secrets_rotated" ON "agent_webhook_secrets" USING btree ("previous_secret_ends_at") WHERE "agent_webhook_secrets"."previous_secret_ends_at" is not null;