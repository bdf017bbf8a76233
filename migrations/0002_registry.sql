CREATE TABLE "registry_agents" (
	"pubkey" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"agent_type" text NOT NULL,
	"capabilities" text[] NOT NULL,
	"layers" smallint[] NOT NULL,
	"fee_model" text NOT NULL,
	"fee_amount" numeric,
	"description" text,
	"website" text,
	"logo_url" text,
	"api_endpoint" text,
	"developer_pubkey" text,
	"contact_email" text,
	"service_manifest" jsonb,
	"timestamp" bigint NOT NULL,
	"signature" text NOT NULL,
	"body_hash" text NOT NULL,
	"revision" integer NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "registry_agents_fee_amount" CHECK ("registry_agents"."fee_amount" >= 0),
	CONSTRAINT "registry_agents_capabilities" CHECK (cardinality("registry_agents"."capabilities") > 0),
	CONSTRAINT "registry_agents_layers" CHECK (cardinality("registry_agents"."layers") > 0)
);
--> statement-breakpoint
CREATE INDEX "registry_agents_by_age" ON "registry_agents" USING btree ("registered_at","pubkey");--> statement-breakpoint
CREATE INDEX "registry_agents_by_type" ON "registry_agents" USING btree ("agent_type","registered_at","pubkey");--> statement-breakpoint
CREATE INDEX "registry_agents_by_capability" ON "registry_agents" USING gin ("capabilities");--> statement-breakpoint
CREATE INDEX "registry_agents_by_layer" ON "registry_agents" USING gin ("layers");