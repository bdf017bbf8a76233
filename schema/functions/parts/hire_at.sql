-- What a hire is at `_now`, as hireTerm (lib/agents/hiring) computes it for reads: its row, with the status,
-- the end of its term and its own end as time has made them, which nobody may have recorded yet.
create function hire_at(_hire hires, _agent_status text, _now timestamptz) returns hires language plpgsql stable as $$
begin
	if _hire.status = 'active' and _hire.expires_at <= _now then
		if _hire.auto_renew and _agent_status = 'active' then
			_hire.expires_at := renewed_until(_hire.expires_at, _hire.term_days, _now);
		else
			_hire.status := 'expired';
			_hire.ended_at := _hire.expires_at;
		end if;
	end if;
	return _hire;
end $$;
