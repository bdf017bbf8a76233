-- expand
CREATE TABLE "job_terms" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"min_price" bigint NOT NULL,
	"work_minutes" integer NOT NULL,
	"judges" text[] NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "job_terms_min_price" CHECK ("job_terms"."min_price" between 1 and 9007199254740991),
	CONSTRAINT "job_terms_work_minutes" CHECK ("job_terms"."work_minutes" between 60 and 43200),
	CONSTRAINT "job_terms_judges" CHECK (cardinality("job_terms"."judges") between 1 and 10)
);
--> statement-breakpoint
CREATE TABLE "job_texts" (
	"job_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "job_texts_job_id_kind_pk" PRIMARY KEY("job_id","kind"),
	CONSTRAINT "job_texts_kind" CHECK ("job_texts"."kind" in ('input', 'delivery', 'objection', 'verdict')),
	CONSTRAINT "job_texts_length" CHECK (case when "job_texts"."kind" in ('input', 'delivery')
        then octet_length("job_texts"."text") between 1 and 8192
        else char_length("job_texts"."text") between 1 and 500 end)
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"hirer" text NOT NULL,
	"hirer_grant" uuid,
	"owner_grant" uuid,
	"reference" text NOT NULL,
	"title" text NOT NULL,
	"brief" text NOT NULL,
	"input_hash" text,
	"price" bigint NOT NULL,
	"fee_bps" smallint NOT NULL,
	"judge" text NOT NULL,
	"accept_minutes" integer NOT NULL,
	"work_minutes" integer NOT NULL,
	"review_minutes" integer NOT NULL,
	"terms_hash" text NOT NULL,
	"salt" text NOT NULL,
	"status" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"is_funding" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"key_version" smallint,
	"funded_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"delivery_hash" text,
	"disputed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"hirer_proposal" bigint,
	"owner_proposal" bigint,
	"agent_amount" bigint,
	"hirer_amount" bigint,
	"address_hash" text,
	"forget_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_sides" CHECK ("jobs"."owner" <> "jobs"."hirer" and "jobs"."judge" not in ("jobs"."owner", "jobs"."hirer")),
	CONSTRAINT "jobs_reference" CHECK (char_length("jobs"."reference") between 1 and 128),
	CONSTRAINT "jobs_title" CHECK (char_length("jobs"."title") <= 80),
	CONSTRAINT "jobs_brief" CHECK (char_length("jobs"."brief") <= 1000),
	CONSTRAINT "jobs_price" CHECK ("jobs"."price" between 1 and 9007199254740991),
	CONSTRAINT "jobs_fee" CHECK ("jobs"."fee_bps" between 0 and 10000),
	CONSTRAINT "jobs_accept_minutes" CHECK ("jobs"."accept_minutes" between 60 and 10080),
	CONSTRAINT "jobs_work_minutes" CHECK ("jobs"."work_minutes" between 60 and 43200),
	CONSTRAINT "jobs_review_minutes" CHECK ("jobs"."review_minutes" between 60 and 20160),
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('open', 'accepted', 'funded', 'delivered', 'disputed', 'completed', 'rejected', 'expired', 'cancelled')),
	CONSTRAINT "jobs_ended" CHECK (("jobs"."status" in ('completed', 'rejected', 'expired', 'cancelled')) = ("jobs"."ended_at" is not null)
        and ("jobs"."ended_at" is null) = ("jobs"."due_at" is not null)
        and ("jobs"."ended_at" is null) = ("jobs"."end_reason" is null)),
	CONSTRAINT "jobs_end_reason" CHECK ("jobs"."end_reason" is null or case "jobs"."status" when 'completed' then end_reason in ('approved', 'judged', 'agreed', 'review_time_over', 'no_verdict') when 'rejected' then end_reason in ('conceded', 'judged', 'agreed', 'no_verdict') when 'expired' then end_reason in ('gave_up', 'no_delivery') when 'cancelled' then end_reason in ('withdrawn', 'declined', 'queue_full', 'nobody_accepted', 'not_funded') end),
	CONSTRAINT "jobs_queued" CHECK (("jobs"."status" = 'open') = ("jobs"."address_hash" is not null)),
	CONSTRAINT "jobs_funding" CHECK (not "jobs"."is_funding" or "jobs"."status" = 'accepted'),
	CONSTRAINT "jobs_accepted" CHECK (("jobs"."status" in ('open', 'cancelled') or "jobs"."accepted_at" is not null)
        and ("jobs"."status" <> 'open' or "jobs"."accepted_at" is null)
        and ("jobs"."accepted_at" is null) = ("jobs"."key_version" is null)),
	CONSTRAINT "jobs_funded" CHECK (("jobs"."status" in ('open', 'accepted', 'cancelled')) = ("jobs"."funded_at" is null)),
	CONSTRAINT "jobs_delivered" CHECK (("jobs"."delivered_at" is null) = ("jobs"."delivery_hash" is null)
        and ("jobs"."status" not in ('delivered', 'disputed') or "jobs"."delivered_at" is not null)
        and ("jobs"."status" <> 'expired' or "jobs"."delivered_at" is null)
        and ("jobs"."delivered_at" is null or "jobs"."funded_at" is not null)),
	CONSTRAINT "jobs_disputed" CHECK (("jobs"."status" <> 'disputed' or "jobs"."disputed_at" is not null)
        and ("jobs"."end_reason" not in ('judged', 'no_verdict') or "jobs"."disputed_at" is not null)
        and ("jobs"."end_reason" <> 'judged' or "jobs"."judge" <> 'none')),
	CONSTRAINT "jobs_proposals" CHECK (coalesce("jobs"."hirer_proposal", 0) between 0 and "jobs"."price"
        and coalesce("jobs"."owner_proposal", 0) between 0 and "jobs"."price"
        and ("jobs"."status" in ('funded', 'delivered', 'disputed') or num_nonnulls("jobs"."hirer_proposal", "jobs"."owner_proposal") = 0)),
	CONSTRAINT "jobs_amounts" CHECK (num_nulls("jobs"."agent_amount", "jobs"."hirer_amount")
          = case when "jobs"."status" in ('completed', 'rejected', 'expired') then 0 else 2 end
        and "jobs"."agent_amount" >= 0 and "jobs"."hirer_amount" >= 0 and "jobs"."agent_amount" + "jobs"."hirer_amount" = "jobs"."price"
        and ("jobs"."status" = 'completed') = ("jobs"."agent_amount" > 0)),
	CONSTRAINT "jobs_paid" CHECK (coalesce("jobs"."agent_amount", 0) = 0 or "jobs"."delivered_at" is not null or "jobs"."end_reason" = 'agreed'),
	CONSTRAINT "jobs_paid_in_full" CHECK ("jobs"."end_reason" not in ('approved', 'review_time_over') or "jobs"."agent_amount" = "jobs"."price"),
	CONSTRAINT "jobs_halved" CHECK ("jobs"."end_reason" <> 'no_verdict' or "jobs"."agent_amount" = "jobs"."price" / 2),
	CONSTRAINT "jobs_forgotten" CHECK ("jobs"."forget_at" is null or "jobs"."ended_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "job_terms" ADD CONSTRAINT "job_terms_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_texts" ADD CONSTRAINT "job_texts_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_for_each_reference" ON "jobs" USING btree ("hirer","reference");--> statement-breakpoint
CREATE INDEX "jobs_by_hirer" ON "jobs" USING btree ("hirer","status","id");--> statement-breakpoint
CREATE INDEX "jobs_by_owner" ON "jobs" USING btree ("owner","status","id");--> statement-breakpoint
CREATE INDEX "jobs_by_agent" ON "jobs" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "jobs_by_judge" ON "jobs" USING btree ("judge","price") WHERE "jobs"."status" = 'disputed';--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("due_at") WHERE "jobs"."due_at" is not null and not "jobs"."is_funding";--> statement-breakpoint
CREATE INDEX "jobs_to_forget" ON "jobs" USING btree ("forget_at") WHERE "jobs"."forget_at" is not null;
--> statement-breakpoint
-- From here on written by hand.
-- The terms of a job never change, nor does its delivery, nor its end, whichever statement updates it.
CREATE FUNCTION "keep_job"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'the terms, the delivery and the end of a job never change' USING ERRCODE = 'AC409';
END $$;
--> statement-breakpoint
CREATE TRIGGER "jobs_kept" BEFORE UPDATE ON "jobs" FOR EACH ROW
	WHEN (
		(OLD."id", OLD."agent_id", OLD."owner", OLD."hirer", OLD."hirer_grant", OLD."reference", OLD."input_hash", OLD."price", OLD."fee_bps",
			OLD."judge", OLD."accept_minutes", OLD."work_minutes", OLD."review_minutes", OLD."terms_hash", OLD."salt", OLD."created_at")
		IS DISTINCT FROM
		(NEW."id", NEW."agent_id", NEW."owner", NEW."hirer", NEW."hirer_grant", NEW."reference", NEW."input_hash", NEW."price", NEW."fee_bps",
			NEW."judge", NEW."accept_minutes", NEW."work_minutes", NEW."review_minutes", NEW."terms_hash", NEW."salt", NEW."created_at")
		OR OLD."accepted_at" IS NOT NULL AND (OLD."accepted_at", OLD."owner_grant", OLD."key_version")
			IS DISTINCT FROM (NEW."accepted_at", NEW."owner_grant", NEW."key_version")
		OR OLD."delivered_at" IS NOT NULL AND (OLD."delivered_at", OLD."delivery_hash")
			IS DISTINCT FROM (NEW."delivered_at", NEW."delivery_hash")
		OR OLD."ended_at" IS NOT NULL AND (OLD."status", OLD."ended_at", OLD."end_reason", OLD."agent_amount", OLD."hirer_amount")
			IS DISTINCT FROM (NEW."status", NEW."ended_at", NEW."end_reason", NEW."agent_amount", NEW."hirer_amount"))
	EXECUTE FUNCTION "keep_job"();
