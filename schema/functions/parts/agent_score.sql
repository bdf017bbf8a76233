-- Computes an agent's reputationScore, from 0 to 100, by the same operations in the same order as agentScore
-- of lib/reputation/counterparties/rules.ts. The weights of its payers are sums of billionths.
create function agent_score(_hirers integer, _payers_weight bigint, _satisfied_weight bigint)
returns double precision language plpgsql immutable as $$
declare
	u constant double precision := _hirers;
	n constant double precision := _payers_weight::double precision / 1000000000::double precision;
	k constant double precision := _satisfied_weight::double precision / 1000000000::double precision;
	z constant double precision := 1.96;
	bound double precision := 0;
begin
	if n <> 0 then
		bound := (k * k) / (n * (k + z * z / 2 + z * sqrt(z * z / 4 + (k * (n - k)) / n)));
	end if;
	return round(100::double precision * (0.8::double precision * bound + 0.2::double precision * (u / (u + 4))) * 100) / 100;
end $$;
