-- expand
DROP INDEX "jobs_by_hirer";--> statement-breakpoint
DROP INDEX "jobs_by_judge";--> statement-breakpoint
DROP INDEX "jobs_due";--> statement-breakpoint
CREATE INDEX "jobs_unclosed" ON "jobs" USING btree ("hirer","id") WHERE "jobs"."escrow" is not null and "jobs"."escrow_closed_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_by_hirer" ON "jobs" USING btree ("hirer","status","id","agent_id");--> statement-breakpoint
CREATE INDEX "jobs_by_judge" ON "jobs" USING btree ("judge",(-"price"),"id") WHERE "jobs"."status" = 'disputed';--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("status","due_at") WHERE "jobs"."due_at" is not null and not "jobs"."is_funding";
