-- expand
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_end_reason";--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_end_reason" CHECK ("jobs"."end_reason" is null or case "jobs"."status" when 'completed' then end_reason in ('approved', 'judged', 'agreed', 'review_time_over', 'no_verdict', 'restored') when 'rejected' then end_reason in ('conceded', 'judged', 'agreed', 'no_verdict', 'restored') when 'expired' then end_reason in ('gave_up', 'no_delivery') when 'cancelled' then end_reason in ('withdrawn', 'declined', 'queue_full', 'nobody_accepted', 'not_funded') end);
