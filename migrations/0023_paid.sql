ALTER TABLE "hires" ADD COLUMN "closed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_accounts" ADD COLUMN "generation" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "unpaid_charges" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "hires_to_close" ON "hires" USING btree ("ended_at") WHERE "hires"."ended_at" is not null and not "hires"."closed";--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD CONSTRAINT "wallet_quotas_unpaid_charges" CHECK ("wallet_quotas"."unpaid_charges" <= 1000);--> statement-breakpoint
-- by hand:
INSERT INTO wallet_quotas (wallet, unpaid_charges)
SELECT owner, least(1000, count(*) FILTER (WHERE status <> 'collected') - count(*) FILTER (WHERE status = 'collected'))
FROM charges GROUP BY owner
ON CONFLICT (wallet) DO UPDATE SET unpaid_charges = excluded.unpaid_charges;--> statement-breakpoint
UPDATE budget_accounts SET generation = newest.generation
FROM (
  SELECT DISTINCT ON (hire_id) hire_id, generation FROM payment_intents
  WHERE kind = 'fund_budget' AND status = 'landed' ORDER BY hire_id, created_at DESC
) AS newest
WHERE newest.hire_id = budget_accounts.hire_id;
