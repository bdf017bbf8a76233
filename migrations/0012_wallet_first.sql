ALTER TABLE "vault_unsigned" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "vault_unsigned" CASCADE;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "signing" text DEFAULT 'service_first' NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "cosigned_message" text;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "network_signature" text;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD COLUMN "cosigned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "vault_intents_unsigned" ON "vault_intents" USING btree ("created_at") WHERE "vault_intents"."signing" = 'wallet_first' and "vault_intents"."cosigned_at" is null;--> statement-breakpoint
ALTER TABLE "vault_intents" ADD CONSTRAINT "vault_intents_cosigned" CHECK (num_nulls("vault_intents"."cosigned_message", "vault_intents"."network_signature", "vault_intents"."cosigned_at") in (0, 3));