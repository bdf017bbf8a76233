-- expand concurrently
CREATE INDEX CONCURRENTLY "agents_by_rating" ON "agents" USING btree ("status",(("rating_sum" + 3000000000)::double precision / ("rated_weight" + 1000000000)),"id");
