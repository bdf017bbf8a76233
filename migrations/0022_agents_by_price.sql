-- expand concurrently
CREATE INDEX CONCURRENTLY "agents_by_price" ON "agents" USING btree ("status",(case "fee_model" when 'percentage' then -1e16::double precision * (1 + "fee_amount") else -"fee_amount"::double precision end),"id");
