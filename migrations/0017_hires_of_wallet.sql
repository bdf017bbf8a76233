-- expand concurrently
CREATE INDEX CONCURRENTLY "hires_of_wallet" ON "hires" USING btree ("wallet","status","id");
