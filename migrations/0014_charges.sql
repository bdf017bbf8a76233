CREATE TABLE "hire_periods" (
	"hire_id" uuid NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"spent" bigint NOT NULL,
	"last_charge_id" uuid,
	"low_by_id" uuid,
	"exhausted_by_id" uuid,
	CONSTRAINT "hire_periods_hire_id_starts_at_pk" PRIMARY KEY("hire_id","starts_at"),
	CONSTRAINT "hire_periods_spent" CHECK ("hire_periods"."spent" between 0 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hire_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"hirer" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"units" bigint,
	"captured_value" bigint,
	"share" bigint,
	"layer" smallint,
	"description" text,
	"period_start" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"collection_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"voided_at" timestamp (3) with time zone,
	"collected_at" timestamp (3) with time zone,
	"fee" bigint,
	CONSTRAINT "charges_one_for_each_reference" UNIQUE("agent_id","reference"),
	CONSTRAINT "charges_amount" CHECK ("charges"."amount" between 1 and 9007199254740991),
	CONSTRAINT "charges_voided" CHECK (("charges"."status" = 'voided') = ("charges"."voided_at" is not null)),
	CONSTRAINT "charges_collected" CHECK (num_nulls("charges"."collected_at", "charges"."fee") = case when "charges"."status" = 'collected' then 0 else 2 end),
	CONSTRAINT "charges_voided_uncollected" CHECK ("charges"."status" <> 'voided' or "charges"."collection_id" is null)
);
--> statement-breakpoint
ALTER TABLE "hires" ADD COLUMN "fee_model" text;--> statement-breakpoint
ALTER TABLE "hires" ADD COLUMN "fee_amount" bigint;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "charge_day" date;--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD COLUMN "charges" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hire_periods" ADD CONSTRAINT "hire_periods_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_period" FOREIGN KEY ("hire_id","period_start") REFERENCES "public"."hire_periods"("hire_id","starts_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "charges_by_owner" ON "charges" USING btree ("owner","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_hirer" ON "charges" USING btree ("hirer","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_agent" ON "charges" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_hire" ON "charges" USING btree ("hire_id","status","id");--> statement-breakpoint
CREATE INDEX "hires_of_agent" ON "hires" USING btree ("agent_id","status","id");--> statement-breakpoint
ALTER TABLE "hires" ADD CONSTRAINT "hires_fee_amount" CHECK ("hires"."fee_amount" >= 0);--> statement-breakpoint
ALTER TABLE "wallet_quotas" ADD CONSTRAINT "wallet_quotas_charges" CHECK ("wallet_quotas"."charges" <= 10000);--> statement-breakpoint
-- by hand: a hire that exists has its agent's fee. (The two columns are generated NOT NULL; above they are not yet.)
UPDATE "hires" SET "fee_model" = "agents"."fee_model", "fee_amount" = "agents"."fee_amount"
FROM "agents" WHERE "agents"."id" = "hires"."agent_id";--> statement-breakpoint
ALTER TABLE "hires" ALTER COLUMN "fee_model" SET NOT NULL, ALTER COLUMN "fee_amount" SET NOT NULL;
