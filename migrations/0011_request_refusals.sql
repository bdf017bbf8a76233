-- expand
CREATE TABLE "request_refusals" (
	"agent_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"first_at" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "request_refusals_agent_id_reason_pk" PRIMARY KEY("agent_id","reason"),
	CONSTRAINT "request_refusals_reason" CHECK ("request_refusals"."reason" in ('no_credit', 'day_used_up', 'service_day_used_up', 'no_token_account', 'not_active', 'former_key', 'not_a_price', 'stale_fee_payer', 'wrong_accepts'))
);
--> statement-breakpoint
ALTER TABLE "request_payments" ADD COLUMN "price_name" text;--> statement-breakpoint
ALTER TABLE "request_payments" ADD COLUMN "identifier_hash" text;--> statement-breakpoint
ALTER TABLE "request_refusals" ADD CONSTRAINT "request_refusals_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "request_payments_by_identifier" ON "request_payments" USING btree ("agent_id","payer","identifier_hash") WHERE "request_payments"."identifier_hash" is not null and "request_payments"."status" in ('pending', 'settled');