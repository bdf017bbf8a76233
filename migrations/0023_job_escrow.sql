-- expand
CREATE TABLE "payment_intent_jobs" (
	"intent_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"address" text NOT NULL,
	"seed" text,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"guard" bigint,
	"stray_at" timestamp (3) with time zone,
	"returned_at" timestamp (3) with time zone,
	CONSTRAINT "payment_intent_jobs_intent_id_job_id_pk" PRIMARY KEY("intent_id","job_id"),
	CONSTRAINT "payment_intent_jobs_amounts" CHECK ("payment_intent_jobs"."amount" >= 0 and "payment_intent_jobs"."fee" between 0 and "payment_intent_jobs"."amount" and "payment_intent_jobs"."guard" > "payment_intent_jobs"."amount"),
	CONSTRAINT "payment_intent_jobs_stray" CHECK ("payment_intent_jobs"."stray_at" is null or "payment_intent_jobs"."seed" is not null),
	CONSTRAINT "payment_intent_jobs_returned" CHECK ("payment_intent_jobs"."returned_at" is null or "payment_intent_jobs"."stray_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_delivered";--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_paid";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "escrow" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "escrow_seed" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "paid_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "fee" bigint;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "refunded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "escrow_closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "restored_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_intents" ADD COLUMN "jobs_settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_generations" ADD COLUMN "leaked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_generations" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_intent_jobs" ADD CONSTRAINT "payment_intent_jobs_intent_id_payment_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payment_intents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intent_jobs" ADD CONSTRAINT "payment_intent_jobs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_intent_jobs_by_job" ON "payment_intent_jobs" USING btree ("job_id","intent_id");--> statement-breakpoint
CREATE INDEX "jobs_unpaid" ON "jobs" USING btree ("owner","id") WHERE "jobs"."agent_amount" > 0 and "jobs"."paid_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intents_one_unsigned_of_jobs" ON "payment_intents" USING btree ("wallet","kind") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null and "payment_intents"."kind" in ('open_refund', 'collect_jobs', 'close_escrows');--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_escrow" CHECK (num_nulls("jobs"."escrow", "jobs"."escrow_seed") in (0, 2) and ("jobs"."escrow" is null or "jobs"."funded_at" is not null));--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_payouts" CHECK (("jobs"."paid_at" is null or "jobs"."agent_amount" > 0) and ("jobs"."refunded_at" is null or "jobs"."hirer_amount" > 0)
        and ("jobs"."paid_at" is null) = ("jobs"."fee" is null) and coalesce("jobs"."fee", 0) between 0 and "jobs"."price"
        and ("jobs"."escrow" is not null or num_nonnulls("jobs"."paid_at", "jobs"."refunded_at", "jobs"."escrow_closed_at") = 0));--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_delivered" CHECK (("jobs"."delivered_at" is null) = ("jobs"."delivery_hash" is null)
        and ("jobs"."status" not in ('delivered', 'disputed') or "jobs"."delivered_at" is not null or "jobs"."restored_at" is not null)
        and ("jobs"."status" <> 'expired' or "jobs"."delivered_at" is null)
        and ("jobs"."delivered_at" is null or "jobs"."funded_at" is not null));--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_paid" CHECK (coalesce("jobs"."agent_amount", 0) = 0 or "jobs"."delivered_at" is not null or "jobs"."end_reason" = 'agreed'
        or "jobs"."restored_at" is not null);--> statement-breakpoint
ALTER TABLE "payment_intents" ADD CONSTRAINT "payment_intents_jobs_settled" CHECK (("payment_intents"."kind" in ('fund_job', 'refund_job', 'collect_jobs') and "payment_intents"."status" <> 'open' and "payment_intents"."cosigned_at" is not null) = ("payment_intents"."jobs_settled_at" is not null));
--> statement-breakpoint
-- As "total_charges" (migrations/0019_payment_months.sql). The caller has locked the agent of each changed job.
CREATE FUNCTION "total_jobs"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "payment_months" ("wallet", "role", "month", "agent_id", "kind", "coin", "payments", "amount", "fee")
	SELECT "side"."wallet", "side"."role", date_trunc('month', NEW."paid_at" AT TIME ZONE 'UTC')::date, NEW."agent_id", 'job', '',
		1, NEW."agent_amount", NEW."fee"
	FROM (VALUES (NEW."owner", 'owner'), (NEW."hirer", 'hirer')) AS "side" ("wallet", "role")
	ORDER BY 1, 2
	ON CONFLICT ("wallet", "role", "month", "agent_id", "kind", "coin") DO UPDATE SET
		"payments" = "payment_months"."payments" + excluded."payments",
		"amount" = "payment_months"."amount" + excluded."amount", "fee" = "payment_months"."fee" + excluded."fee";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "jobs_months" AFTER UPDATE OF "paid_at" ON "jobs" FOR EACH ROW
	WHEN (OLD."paid_at" IS NULL AND NEW."paid_at" IS NOT NULL)
	EXECUTE FUNCTION "total_jobs"();
