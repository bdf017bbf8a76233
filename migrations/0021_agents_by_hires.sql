-- expand concurrently
CREATE INDEX CONCURRENTLY "agents_by_hires" ON "agents" USING btree ("status",("total_hires"::double precision),"id");
