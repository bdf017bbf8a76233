-- expand
ALTER TABLE "payment_generations" ADD COLUMN "ended_at" timestamp (3) with time zone;
