-- expand
ALTER TABLE "payment_intent_jobs" DROP CONSTRAINT "payment_intent_jobs_amounts";--> statement-breakpoint
ALTER TABLE "payment_intent_jobs" ADD CONSTRAINT "payment_intent_jobs_amounts" CHECK ("payment_intent_jobs"."amount" >= 0 and "payment_intent_jobs"."fee" between 0 and "payment_intent_jobs"."amount" and "payment_intent_jobs"."guard" >= "payment_intent_jobs"."amount");
