-- Computes a hire of the agent at `_now`: its row, with the status, the end of its term, its own end and the
-- renewals left, recorded or not. A hire with auto_renew is renewed by whole terms of 24-hour days. A term
-- that ends while the agent is paused is the last one.
create function hire_at(_hire hires, _agent agents, _now timestamptz) returns hires language plpgsql stable as $$
declare
	-- Limits renewals in a row without use: a collected charge or a login of the hirer. Otherwise unpaid hires
	-- would write rows for ever.
	most_unused constant smallint := 3;
	-- A login up to this long after a term's end counts for that term, unless the end is already recorded. Only
	-- the wallet's latest login is stored, and it may have replaced one within the term.
	late_login constant interval := make_interval(secs => 86400);
	_term constant interval := make_interval(secs => _hire.term_days * 86400);
	_used_at timestamptz;
	_left integer := 0;
begin
	if _hire.status <> 'active' or _hire.expires_at > _now then
		return _hire;
	end if;
	if _hire.auto_renew then
		_used_at := greatest(_hire.paid_at, (
			select last_login_at from wallets where address = _hire.wallet and last_login_at
				< greatest(_hire.expires_at + _hire.unused_renewals * _term, _hire.expires_at + late_login)));
		-- The renewal after a use is as good as a new hire.
		_left := case
			when _used_at >= period_start(_hire.expires_at, _hire.term_days)
			then floor(extract(epoch from _used_at - _hire.expires_at) / (_hire.term_days * 86400)) + 2 + most_unused
			else _hire.unused_renewals end;
	end if;
	while _hire.expires_at <= _now loop
		if _left = 0 or _agent.pauses @> _hire.expires_at then
			_hire.status := 'expired';
			_hire.ended_at := _hire.expires_at;
			return _hire;
		end if;
		_hire.expires_at := _hire.expires_at + _term;
		_left := _left - 1;
	end loop;
	_hire.unused_renewals := least(_left, most_unused);
	return _hire;
end $$;
