CREATE TABLE "attestations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"credential_type" text NOT NULL,
	"credential_id" text NOT NULL,
	"issuing_authority" text,
	"issued_date" date,
	"expiry_date" date,
	"document_url" text,
	"verification_level" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"status" text,
	"priority" text,
	"requested_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	"reason" text,
	CONSTRAINT "attestations_once" UNIQUE("wallet","credential_type","credential_id")
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"owner" text NOT NULL,
	"id" integer NOT NULL,
	"address" text NOT NULL,
	"generation" smallint NOT NULL,
	"principal" bigint NOT NULL,
	"lock_days" smallint NOT NULL,
	"apy_bps" smallint NOT NULL,
	"staked_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"escrowed" bigint NOT NULL,
	"seen_slot" bigint NOT NULL,
	"claimed" bigint DEFAULT 0 NOT NULL,
	"open_claim" uuid,
	"withdrawn_at" timestamp (3) with time zone,
	CONSTRAINT "positions_owner_id_pk" PRIMARY KEY("owner","id"),
	CONSTRAINT "positions_address_unique" UNIQUE("address"),
	CONSTRAINT "positions_amounts" CHECK ("positions"."principal" > 0 and "positions"."escrowed" >= 0 and "positions"."claimed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "vault_intent_legs" (
	"intent_id" uuid NOT NULL,
	"address" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_before" bigint NOT NULL,
	CONSTRAINT "vault_intent_legs_intent_id_address_pk" PRIMARY KEY("intent_id","address")
);
--> statement-breakpoint
CREATE TABLE "vault_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"generation" smallint NOT NULL,
	"transaction" text NOT NULL,
	"message" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"built_slot" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"lock_days" smallint,
	"apy_bps" smallint,
	"staked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "vaults" (
	"owner" text PRIMARY KEY NOT NULL,
	"next_position_id" integer DEFAULT 0 NOT NULL,
	"open_stacks" smallint DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vaults_open_stacks" CHECK ("vaults"."open_stacks" >= 0)
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "hires_completed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "hires_counted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hires" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "positions" ADD CONSTRAINT "positions_owner_vaults_owner_fk" FOREIGN KEY ("owner") REFERENCES "public"."vaults"("owner") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_intent_legs" ADD CONSTRAINT "vault_intent_legs_intent_id_vault_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."vault_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD CONSTRAINT "vault_intents_owner_vaults_owner_fk" FOREIGN KEY ("owner") REFERENCES "public"."vaults"("owner") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attestations_waiting" ON "attestations" USING btree ("status","priority","requested_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "vault_intent_legs_by_address" ON "vault_intent_legs" USING btree ("address","intent_id");--> statement-breakpoint
CREATE INDEX "vault_intents_open" ON "vault_intents" USING btree ("owner") WHERE "vault_intents"."status" = 'open';--> statement-breakpoint
CREATE INDEX "vault_intents_by_time" ON "vault_intents" USING btree ("created_at") WHERE "vault_intents"."status" <> 'landed';--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_hires_completed" CHECK ("agents"."hires_completed" between 0 and "agents"."hires_counted");