-- expand
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"session_generation" integer NOT NULL,
	"kind" text NOT NULL,
	"client" text NOT NULL,
	"name" text NOT NULL,
	"host" text,
	"permissions" text[] NOT NULL,
	"spend_limit" bigint,
	"committed" bigint DEFAULT 0 NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"rotated_at" timestamp (3) with time zone NOT NULL,
	"public_key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "grants_kind" CHECK ("grants"."kind" in ('app', 'key', 'token')),
	CONSTRAINT "grants_client" CHECK (octet_length("grants"."client") between 1 and 2048),
	CONSTRAINT "grants_name" CHECK (char_length("grants"."name") between 1 and 60),
	CONSTRAINT "grants_host" CHECK (octet_length("grants"."host") between 1 and 255),
	CONSTRAINT "grants_permissions" CHECK ("grants"."permissions" <@ array['agents:hire', 'agents:charge', 'vault:transact']),
	CONSTRAINT "grants_spend_limit" CHECK ("grants"."committed" between 0 and coalesce("grants"."spend_limit", "grants"."committed")),
	CONSTRAINT "grants_sequence" CHECK ("grants"."sequence" >= 0),
	CONSTRAINT "grants_public_key" CHECK (("grants"."kind" = 'key') = ("grants"."public_key" is not null))
);
--> statement-breakpoint
CREATE INDEX "grants_by_wallet" ON "grants" USING btree ("wallet","last_used_at") WHERE "grants"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "grants_ended" ON "grants" USING btree (least("ended_at", "expires_at"));--> statement-breakpoint
CREATE INDEX "grants_by_use" ON "grants" USING btree ("last_used_at");
