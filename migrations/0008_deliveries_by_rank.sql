-- expand concurrently
CREATE INDEX CONCURRENTLY "deliveries_by_rank" ON "deliveries" USING btree ("endpoint_id","rank","next_attempt_at") WHERE "deliveries"."status" = 'pending';