CREATE TABLE "payment_generations" (
	"generation" smallint PRIMARY KEY NOT NULL,
	"authority" text NOT NULL
);
--> statement-breakpoint
DROP INDEX "budget_accounts_unseen";--> statement-breakpoint
ALTER TABLE "budget_accounts" ALTER COLUMN "generation" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "budget_accounts" ALTER COLUMN "generation" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_intent_legs" ADD COLUMN "seed" text;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "hire_day" date;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "hires" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "active_hires" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_intents_fundings" ON "payment_intents" USING btree ("hire_id","last_valid_block_height") WHERE "payment_intents"."kind" = 'fund_budget' and "payment_intents"."cosigned_at" is not null;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD CONSTRAINT "wallet_quotas_hires" CHECK ("wallet_quotas"."hires" <= 1000);--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD CONSTRAINT "wallet_quotas_active_hires" CHECK ("wallet_quotas"."active_hires" between 0 and 1000);--> statement-breakpoint
-- by hand: drizzle-kit knows no triggers. A hire is counted where it begins and where it ends, by whatever statement; the
-- wallets of those that end together are locked in order, so that no two statements can wait for each other.
CREATE FUNCTION "count_hire"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "wallet_quotas" AS "quota" ("wallet", "hire_day", "hires", "active_hires")
	VALUES (NEW."wallet", (NEW."hired_at" AT TIME ZONE 'UTC')::date, 1, 1)
	ON CONFLICT ("wallet") DO UPDATE SET
		"hires" = 1 + CASE WHEN "quota"."hire_day" >= excluded."hire_day" THEN "quota"."hires" ELSE 0 END,
		"hire_day" = greatest("quota"."hire_day", excluded."hire_day"),
		"active_hires" = "quota"."active_hires" + 1;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "count_ended_hires"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM "wallet_quotas" WHERE "wallet" IN (
		SELECT "before"."wallet" FROM "before" JOIN "after" USING ("id") WHERE "before"."status" = 'active' AND "after"."status" <> 'active')
	ORDER BY "wallet" FOR NO KEY UPDATE;
	UPDATE "wallet_quotas" AS "quota" SET "active_hires" = greatest(0, "quota"."active_hires" - "ended"."hires")
	FROM (
		SELECT "before"."wallet", count(*)::integer AS "hires" FROM "before" JOIN "after" USING ("id")
		WHERE "before"."status" = 'active' AND "after"."status" <> 'active' GROUP BY "before"."wallet") AS "ended"
	WHERE "quota"."wallet" = "ended"."wallet";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "hires_count_new" AFTER INSERT ON "hires" FOR EACH ROW
	WHEN (NEW."status" = 'active') EXECUTE FUNCTION "count_hire"();
--> statement-breakpoint
CREATE TRIGGER "hires_count_ended" AFTER UPDATE ON "hires" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_ended_hires"();
--> statement-breakpoint
-- What is there already. Creating the triggers has locked the table against writers until this migration is done. A
-- wallet that has more keeps them, and gets no more until enough have ended.
INSERT INTO "wallet_quotas" ("wallet", "active_hires")
SELECT "wallet", least(count(*), 1000) FROM "hires" WHERE "status" = 'active' GROUP BY "wallet"
ON CONFLICT ("wallet") DO UPDATE SET "active_hires" = excluded."active_hires";
