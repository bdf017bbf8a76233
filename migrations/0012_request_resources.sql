-- expand
CREATE TABLE "request_resources" (
	"agent_id" uuid NOT NULL,
	"price_name" text NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"url" text,
	"checked_at" timestamp (3) with time zone,
	"document" text,
	"fees" bigint DEFAULT 0 NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"next_probe_at" timestamp (3) with time zone,
	"lease" uuid,
	"begun" smallint DEFAULT 0 NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "request_resources_agent_id_price_name_pk" PRIMARY KEY("agent_id","price_name"),
	CONSTRAINT "request_resources_document" CHECK (octet_length("request_resources"."document") <= 8192),
	CONSTRAINT "request_resources_listed" CHECK (("request_resources"."state" = 'listed') = ("request_resources"."document" is not null)),
	CONSTRAINT "request_resources_fees" CHECK ("request_resources"."fees" >= 0)
);
--> statement-breakpoint
ALTER TABLE "probed_hosts" ADD COLUMN "endpoints_next" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "request_resources" ADD CONSTRAINT "request_resources_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "request_resources_due" ON "request_resources" USING btree ("next_probe_at") WHERE "request_resources"."next_probe_at" is not null;--> statement-breakpoint
CREATE INDEX "request_resources_listed" ON "request_resources" USING btree ("changed_at") WHERE "request_resources"."state" = 'listed';--> statement-breakpoint
CREATE INDEX "request_resources_unlisted" ON "request_resources" USING btree ("changed_at") WHERE "request_resources"."state" <> 'listed';
