-- expand concurrently
CREATE INDEX CONCURRENTLY "agent_listings_priced" ON "agent_listings" USING btree ("layer","status","reputation_score","agent_id") WHERE "agent_listings"."is_priced";
