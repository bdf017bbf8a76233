CREATE TABLE "deliveries" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease" uuid,
	"last_attempt_at" timestamp (3) with time zone,
	"last_response_code" integer,
	"last_failure" text,
	CONSTRAINT "deliveries_next_attempt" CHECK (("deliveries"."status" = 'pending') = ("deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"xid" bigint DEFAULT (pg_current_xact_id()::text)::bigint NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"wallet" text NOT NULL,
	"counterparty" text,
	"agent_id" uuid,
	"data" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "webhook_set_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "webhook_disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("agent_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_by_wallet" ON "deliveries" USING btree ("wallet","event_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_age" ON "deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_by_wallet" ON "events" USING btree ("wallet","xid","seq");--> statement-breakpoint
CREATE INDEX "events_by_counterparty" ON "events" USING btree ("counterparty","xid","seq") WHERE "events"."counterparty" is not null;