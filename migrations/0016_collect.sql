CREATE TABLE "budget_accounts" (
	"hire_id" uuid PRIMARY KEY NOT NULL,
	"hirer" text NOT NULL,
	"owner" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"address" text NOT NULL,
	"seed" text NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "budget_accounts_address_unique" UNIQUE("address")
);
--> statement-breakpoint
CREATE TABLE "payment_intent_legs" (
	"intent_id" uuid NOT NULL,
	"hire_id" uuid NOT NULL,
	"address" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "payment_intent_legs_intent_id_hire_id_pk" PRIMARY KEY("intent_id","hire_id"),
	CONSTRAINT "payment_intent_legs_amounts" CHECK ("payment_intent_legs"."amount" >= 0 and "payment_intent_legs"."fee" between 0 and "payment_intent_legs"."amount")
);
--> statement-breakpoint
CREATE TABLE "payment_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"generation" smallint NOT NULL,
	"hire_id" uuid,
	"fee_bps" smallint,
	"transaction" text NOT NULL,
	"message" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"built_slot" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"cosigned_message" text,
	"network_signature" text,
	"cosigned_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "payment_intents_cosigned" CHECK (num_nulls("payment_intents"."cosigned_message", "payment_intents"."network_signature", "payment_intents"."cosigned_at") in (0, 3)),
	CONSTRAINT "payment_intents_fee" CHECK (("payment_intents"."kind" = 'collect') = ("payment_intents"."fee_bps" is not null))
);
--> statement-breakpoint
ALTER TABLE "budget_accounts" ADD CONSTRAINT "budget_accounts_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intent_legs" ADD CONSTRAINT "payment_intent_legs_intent_id_payment_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payment_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intents" ADD CONSTRAINT "payment_intents_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_accounts_by_hirer" ON "budget_accounts" USING btree ("hirer","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_by_owner" ON "budget_accounts" USING btree ("owner","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_unseen" ON "budget_accounts" USING btree ("owner","looked_at");--> statement-breakpoint
CREATE INDEX "payment_intents_unsigned" ON "payment_intents" USING btree ("wallet","kind") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null;--> statement-breakpoint
CREATE INDEX "payment_intents_open" ON "payment_intents" USING btree ("asked_at") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_intents_by_time" ON "payment_intents" USING btree ("created_at") WHERE "payment_intents"."status" <> 'landed';--> statement-breakpoint
CREATE INDEX "charges_by_collection" ON "charges" USING btree ("collection_id") WHERE "charges"."collection_id" is not null;