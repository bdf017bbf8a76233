CREATE TABLE "vault_generations" (
	"generation" smallint PRIMARY KEY NOT NULL,
	"authority" text,
	"recovery" text,
	"paused_at" timestamp (3) with time zone,
	"pause_reason" text,
	"published_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "vault_unsigned" (
	"owner" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"generation" smallint NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vault_unsigned_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "vault_yield_days" (
	"day" date PRIMARY KEY NOT NULL,
	"landed" bigint DEFAULT 0 NOT NULL,
	"reserved" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "early" text;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "leave_open" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "yield" bigint;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "yield_day" date;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "vaults" ADD COLUMN "yield_day" date;--> statement-breakpoint
ALTER TABLE "vaults" ADD COLUMN "yield_landed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vaults" ADD COLUMN "yield_reserved" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "vault_unsigned_by_time" ON "vault_unsigned" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "positions_unseen" ON "positions" USING btree ("seen_at") WHERE "positions"."status" = 'open';--> statement-breakpoint
CREATE INDEX "positions_early" ON "positions" USING btree ("seen_at") WHERE "positions"."early" = 'seen';--> statement-breakpoint
-- By hand: a position that is void counts no more than one that is withdrawn. The sums of before hold no void ones.
CREATE OR REPLACE FUNCTION "total_value_locked"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"change" numeric := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" = 'open' THEN "change" := "change" - OLD."principal"; END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'open' THEN "change" := "change" + NEW."principal"; END IF;
	IF "change" <> 0 THEN PERFORM "add_to_totals"(0, 0, "change"); END IF;
	RETURN NULL;
END $$;
