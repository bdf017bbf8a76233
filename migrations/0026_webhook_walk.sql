CREATE TABLE "delivery_walk" (
	"is_only" boolean PRIMARY KEY NOT NULL,
	"after" uuid NOT NULL,
	CONSTRAINT "delivery_walk_is_only" CHECK ("delivery_walk"."is_only")
);
--> statement-breakpoint
CREATE INDEX "endpoints_by_key" ON "endpoints" USING btree (split_part("secret", ':', 1),"id");--> statement-breakpoint
CREATE INDEX "endpoints_by_previous_key" ON "endpoints" USING btree (split_part("previous_secret", ':', 1),"id") WHERE "endpoints"."previous_secret" is not null;--> statement-breakpoint
CREATE INDEX "endpoints_rotated" ON "endpoints" USING btree ("previous_secret_ends_at") WHERE "endpoints"."previous_secret_ends_at" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("wallet","event_id","endpoint_id") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_given_up" ON "deliveries" USING btree ("wallet","event_id","endpoint_id") WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
-- by hand:
INSERT INTO delivery_walk (is_only, after) VALUES (true, '00000000-0000-0000-0000-000000000000');
