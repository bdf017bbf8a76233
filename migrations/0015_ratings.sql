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
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ratings_by_agent" ON "ratings" USING btree ("agent_id","id");--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_payers" CHECK ("agents"."satisfied_weight" between 0 and "agents"."payers_weight");--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_ratings" CHECK ("agents"."ratings" >= 0 and "agents"."rating_sum" between "agents"."rated_weight" and 5 * "agents"."rated_weight");--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_weights" CHECK ("standings"."satisfied_weight" between 0 and "standings"."payers_weight" and "standings"."paid_weight" >= 0);