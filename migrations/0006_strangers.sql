-- expand
ALTER TABLE "webhook_targets" ADD COLUMN "unconfirmed_reason" text;