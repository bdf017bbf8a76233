CREATE TABLE "hire_payments" (
	"hire_id" uuid PRIMARY KEY NOT NULL,
	"collected" numeric(38, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_layers" (
	"owner" text NOT NULL,
	"layer" smallint NOT NULL,
	"fee" numeric(38, 0) NOT NULL,
	CONSTRAINT "owner_layers_owner_layer_pk" PRIMARY KEY("owner","layer")
);
--> statement-breakpoint
CREATE TABLE "payers" (
	"kind" text NOT NULL,
	"payee" text NOT NULL,
	"payer" text NOT NULL,
	"fee" numeric(38, 0) NOT NULL,
	"fee_step" bigint NOT NULL,
	"rating" smallint,
	CONSTRAINT "payers_kind_payee_payer_pk" PRIMARY KEY("kind","payee","payer"),
	CONSTRAINT "payers_not_oneself" CHECK ("payers"."payee" <> "payers"."payer"),
	CONSTRAINT "payers_fee" CHECK ("payers"."fee" >= 0 and "payers"."fee_step" > 0),
	CONSTRAINT "payers_rating" CHECK ("payers"."rating" between 1 and 5)
);
--> statement-breakpoint
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
CREATE TABLE "ratings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hire_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"wallet" text NOT NULL,
	"rating" smallint NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revised_at" timestamp (3) with time zone,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "ratings_one_for_each_hire" UNIQUE("hire_id"),
	CONSTRAINT "ratings_not_of_oneself" CHECK ("ratings"."wallet" <> "ratings"."owner"),
	CONSTRAINT "ratings_rating" CHECK ("ratings"."rating" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "payers_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "satisfied_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "ratings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "rated_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "rating_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "standings" ADD COLUMN "payers_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "standings" ADD COLUMN "satisfied_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "standings" ADD COLUMN "paid_weight" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hire_payments" ADD CONSTRAINT "hire_payments_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_accounts" ADD CONSTRAINT "budget_accounts_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intent_legs" ADD CONSTRAINT "payment_intent_legs_intent_id_payment_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payment_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intents" ADD CONSTRAINT "payment_intents_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_accounts_by_hirer" ON "budget_accounts" USING btree ("hirer","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_by_owner" ON "budget_accounts" USING btree ("owner","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_unseen" ON "budget_accounts" USING btree ("owner","looked_at");--> statement-breakpoint
CREATE INDEX "payment_intents_unsigned" ON "payment_intents" USING btree ("wallet","kind") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null;--> statement-breakpoint
CREATE INDEX "payment_intents_open" ON "payment_intents" USING btree ("asked_at") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_intents_by_time" ON "payment_intents" USING btree ("created_at") WHERE "payment_intents"."status" <> 'landed';--> statement-breakpoint
CREATE INDEX "ratings_by_agent" ON "ratings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "charges_by_collection" ON "charges" USING btree ("collection_id") WHERE "charges"."collection_id" is not null;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_payers" CHECK ("agents"."satisfied_weight" between 0 and "agents"."payers_weight");--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_ratings" CHECK ("agents"."ratings" >= 0 and "agents"."rating_sum" between "agents"."rated_weight" and 5 * "agents"."rated_weight");--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_weights" CHECK ("standings"."satisfied_weight" between 0 and "standings"."payers_weight" and "standings"."paid_weight" >= 0);