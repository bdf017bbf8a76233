ALTER TABLE "payment_intents" ADD COLUMN "searched_to" text;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "suspected_slot" bigint;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "searched_to" text;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "search_after" timestamp (3) with time zone;