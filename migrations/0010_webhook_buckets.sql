-- expand
CREATE TABLE "webhook_buckets" (
	"name" text PRIMARY KEY NOT NULL,
	"full_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_targets" ADD COLUMN "reserved" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_buckets_by_time" ON "webhook_buckets" USING btree ("full_at");