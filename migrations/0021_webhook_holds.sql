ALTER TABLE "webhook_targets" ADD COLUMN "held_until" timestamp (3) with time zone;--> statement-breakpoint
-- by hand:
-- What was never proven is held for five minutes after an attempt, as before.
UPDATE "webhook_targets" SET "held_until" = "last_attempt_at" + interval '5 minutes' WHERE "proven_at" IS NULL;
