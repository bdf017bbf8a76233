CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"pubkey" text NOT NULL,
	"name" text NOT NULL,
	"agent_type" text NOT NULL,
	"supported_layers" smallint[] NOT NULL,
	"fee_model" text NOT NULL,
	"fee_amount" bigint NOT NULL,
	"api_endpoint" text,
	"webhook_url" text,
	"logo_url" text,
	"reputation_score" double precision DEFAULT 0 NOT NULL,
	"total_hires" integer DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"registered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agents_fee_amount" CHECK ("agents"."fee_amount" >= 0),
	CONSTRAINT "agents_reputation_score" CHECK ("agents"."reputation_score" between 0 and 100),
	CONSTRAINT "agents_supported_layers" CHECK (cardinality("agents"."supported_layers") > 0)
);
--> statement-breakpoint
CREATE TABLE "hires" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"layers_enabled" smallint[] NOT NULL,
	"budget_limit" bigint,
	"auto_renew" boolean NOT NULL,
	"term_days" smallint NOT NULL,
	"status" text NOT NULL,
	"hired_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "hires_budget_limit" CHECK ("hires"."budget_limit" >= 0),
	CONSTRAINT "hires_term_days" CHECK ("hires"."term_days" between 1 and 365)
);
--> statement-breakpoint
CREATE TABLE "spent_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"first_login_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "hires" ADD CONSTRAINT "hires_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_by_score" ON "agents" USING btree ("reputation_score","id");--> statement-breakpoint
CREATE INDEX "agents_by_layer" ON "agents" USING gin ("supported_layers");--> statement-breakpoint
CREATE INDEX "agents_by_name" ON "agents" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "agents_by_owner" ON "agents" USING btree ("pubkey");--> statement-breakpoint
CREATE UNIQUE INDEX "hires_one_active" ON "hires" USING btree ("wallet","agent_id") WHERE "hires"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hires_by_wallet" ON "hires" USING btree ("wallet","id");--> statement-breakpoint
CREATE INDEX "hires_by_agent" ON "hires" USING btree ("agent_id") WHERE "hires"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hires_by_expiry" ON "hires" USING btree ("expires_at") WHERE "hires"."status" = 'active';--> statement-breakpoint
CREATE INDEX "spent_nonces_expires_at" ON "spent_nonces" USING btree ("expires_at");