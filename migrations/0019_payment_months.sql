-- expand
CREATE TABLE "payment_months" (
	"wallet" text NOT NULL,
	"role" text NOT NULL,
	"month" date NOT NULL,
	"agent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"coin" text NOT NULL,
	"payments" bigint NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"fee" numeric(38, 0) NOT NULL,
	CONSTRAINT "payment_months_wallet_role_month_agent_id_kind_coin_pk" PRIMARY KEY("wallet","role","month","agent_id","kind","coin"),
	CONSTRAINT "payment_months_sums" CHECK ("payment_months"."payments" > 0 and "payment_months"."amount" > 0 and "payment_months"."fee" >= 0)
);
--> statement-breakpoint
ALTER TABLE "payment_months" ADD CONSTRAINT "payment_months_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Adds to the totals of both sides (schema/tables/payment-months.ts). The caller's statement has changed rows whose
-- agents are locked, so no two transactions write one row. `debit` of a request is the owner's cost alone.
CREATE FUNCTION "total_charges"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "payment_months" ("wallet", "role", "month", "agent_id", "kind", "coin", "payments", "amount", "fee")
	SELECT "side"."wallet", "side"."role", date_trunc('month', "collected_at" AT TIME ZONE 'UTC')::date, "agent_id", 'charge', '',
		count(*), sum("amount"), sum("fee")
	FROM "changed", LATERAL (VALUES ("owner", 'owner'), ("hirer", 'hirer')) AS "side" ("wallet", "role")
	WHERE "status" = 'collected' AND NOT EXISTS (
		SELECT FROM "former" WHERE "former"."id" = "changed"."id" AND "former"."status" = 'collected')
	GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
	ON CONFLICT ("wallet", "role", "month", "agent_id", "kind", "coin") DO UPDATE SET
		"payments" = "payment_months"."payments" + excluded."payments",
		"amount" = "payment_months"."amount" + excluded."amount", "fee" = "payment_months"."fee" + excluded."fee";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "total_request_payments"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "payment_months" ("wallet", "role", "month", "agent_id", "kind", "coin", "payments", "amount", "fee")
	SELECT "side"."wallet", "side"."role", date_trunc('month', "created_at" AT TIME ZONE 'UTC')::date, "agent_id", 'request',
		CASE WHEN "fee" IS NULL THEN "asset" ELSE '' END, count(*), sum("amount"), sum("side"."cost")
	FROM "changed", LATERAL (VALUES ("owner", 'owner', "debit"), ("payer", 'hirer', 0)) AS "side" ("wallet", "role", "cost")
	WHERE "status" = 'settled' AND NOT EXISTS (
		SELECT FROM "former" WHERE "former"."id" = "changed"."id" AND "former"."status" = 'settled')
	GROUP BY 1, 2, 3, 4, 6 ORDER BY 1, 2, 3, 4, 6
	ON CONFLICT ("wallet", "role", "month", "agent_id", "kind", "coin") DO UPDATE SET
		"payments" = "payment_months"."payments" + excluded."payments",
		"amount" = "payment_months"."amount" + excluded."amount", "fee" = "payment_months"."fee" + excluded."fee";
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Triggers, so that functions of the former release count, too, while it still runs. They lock the tables until the
-- commit, so the totals below miss no payment and count none twice.
CREATE TRIGGER "charges_months" AFTER UPDATE ON "charges" REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "total_charges"();
--> statement-breakpoint
CREATE TRIGGER "request_payments_months" AFTER UPDATE ON "request_payments"
	REFERENCING OLD TABLE AS "former" NEW TABLE AS "changed"
	FOR EACH STATEMENT EXECUTE FUNCTION "total_request_payments"();
--> statement-breakpoint
INSERT INTO "payment_months" ("wallet", "role", "month", "agent_id", "kind", "coin", "payments", "amount", "fee")
SELECT "side"."wallet", "side"."role", date_trunc('month', "collected_at" AT TIME ZONE 'UTC')::date, "agent_id", 'charge', '',
	count(*), sum("amount"), sum("fee")
FROM "charges", LATERAL (VALUES ("owner", 'owner'), ("hirer", 'hirer')) AS "side" ("wallet", "role")
WHERE "status" = 'collected' GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "payment_months" ("wallet", "role", "month", "agent_id", "kind", "coin", "payments", "amount", "fee")
SELECT "side"."wallet", "side"."role", date_trunc('month', "created_at" AT TIME ZONE 'UTC')::date, "agent_id", 'request',
	CASE WHEN "fee" IS NULL THEN "asset" ELSE '' END, count(*), sum("amount"), sum("side"."cost")
FROM "request_payments", LATERAL (VALUES ("owner", 'owner', "debit"), ("payer", 'hirer', 0)) AS "side" ("wallet", "role", "cost")
WHERE "status" = 'settled' GROUP BY 1, 2, 3, 4, 6;
