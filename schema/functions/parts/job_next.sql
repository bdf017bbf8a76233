-- Computes a job after an act at `_now`: its row, or null if the act is rejected. This is the table of states
-- of lib/work/rules.ts, and a test compares the two over all inputs. `_by` is `hirer`, `agent` (its owner),
-- `judge` or `service`. `_amount` is what the agent gets by `judge` and `propose`. Nobody acts once the
-- deadline has passed: the service's `expire` comes first.
create function job_next(_job jobs, _act text, _by text, _amount bigint, _now timestamptz) returns jobs
language plpgsql immutable as $$
declare
	_from constant text := _job.status;
	_is_valid constant boolean := coalesce(_amount between 0 and _job.price, false);
	_is_agreed constant boolean := coalesce(_amount = case _by when 'hirer' then _job.owner_proposal else _job.hirer_proposal end, false);
	_minutes integer;
begin
	if _by <> 'service' and is_job_due(_job, _now) then
		return null;
	end if;
	_job.status := case
		when (_act, _by, _from) = ('accept', 'agent', 'open') then 'accepted'
		when (_act, _by, _from) = ('yield', 'service', 'open') then 'cancelled'
		when _act = 'end' and _by in ('hirer', 'agent') and _from in ('open', 'accepted') and not _job.is_funding then 'cancelled'
		when (_act, _by, _from) = ('end', 'agent', 'funded') then 'expired'
		when (_act, _by, _from) = ('fund', 'hirer', 'accepted') and not _job.is_funding then _from
		when (_act, _by, _from) = ('confirm', 'service', 'accepted') and _job.is_funding then 'funded'
		when (_act, _by, _from) = ('lapse', 'service', 'accepted') and _job.is_funding then _from
		when (_act, _by, _from) = ('deliver', 'agent', 'funded') then 'delivered'
		when (_act, _by, _from) = ('object', 'hirer', 'delivered') then 'disputed'
		when (_act, _by) in (('approve', 'hirer'), ('concede', 'agent')) and _from in ('delivered', 'disputed') then 'completed'
		when (_act, _by, _from) = ('judge', 'judge', 'disputed') and _job.judge <> 'none' and _is_valid then 'completed'
		when _act = 'propose' and _by in ('hirer', 'agent') and _from in ('funded', 'delivered', 'disputed') and _is_valid
			then case when _is_agreed then 'completed' else _from end
		when (_act, _by) = ('expire', 'service') and is_job_due(_job, _now) then case _from
			when 'open' then 'cancelled'
			when 'accepted' then 'cancelled'
			when 'funded' then 'expired'
			else 'completed' end
		end;
	if _job.status is null then
		return null;
	end if;

	if _job.status = _from then
		_job.is_funding := case when _act = 'propose' then _job.is_funding else _act = 'fund' end;
		_job.hirer_proposal := case when (_act, _by) = ('propose', 'hirer') then _amount else _job.hirer_proposal end;
		_job.owner_proposal := case when (_act, _by) = ('propose', 'agent') then _amount else _job.owner_proposal end;
		return _job;
	end if;

	_job.is_funding := false;
	_job.hirer_proposal := null;
	_job.owner_proposal := null;
	_minutes := case _job.status
		when 'accepted' then greatest(
			60, -- MIN_FUND_MINUTES of lib/work/rules.ts
			least(_job.work_minutes,
				4320)) -- MAX_FUND_MINUTES
		when 'funded' then _job.work_minutes
		when 'delivered' then _job.review_minutes
		when 'disputed' then case when _job.judge <> 'none'
			then 10080 -- DECIDE_MINUTES
			else 4320 -- AGREE_MINUTES
			end
		end;
	if _minutes is not null then
		_job.address_hash := null;
		_job.due_at := _now + make_interval(mins => _minutes);
		_job.counted_at := _now;
		_job.accepted_at := coalesce(_job.accepted_at, _now);
		_job.funded_at := case _job.status when 'funded' then _now else _job.funded_at end;
		_job.delivered_at := case _job.status when 'delivered' then _now else _job.delivered_at end;
		_job.disputed_at := case _job.status when 'disputed' then _now else _job.disputed_at end;
		return _job;
	end if;

	if _job.status <> 'cancelled' then
		_job.agent_amount := case
			when _act in ('judge', 'propose') then _amount
			when _act = 'approve' or _from = 'delivered' and _act = 'expire' then _job.price
			when _from = 'disputed' and _act = 'expire' then _job.price / 2
			else 0 end;
		_job.hirer_amount := _job.price - _job.agent_amount;
		_job.status := case when _job.status = 'completed' and _job.agent_amount = 0 then 'rejected' else _job.status end;
	end if;
	_job.address_hash := null;
	_job.ended_at := case _act when 'expire' then _job.due_at else _now end;
	_job.due_at := null;
	_job.end_reason := case _act
		when 'yield' then 'queue_full'
		when 'end' then case when _from = 'funded' then 'gave_up' when _by = 'hirer' then 'withdrawn' else 'declined' end
		when 'approve' then 'approved'
		when 'concede' then 'conceded'
		when 'judge' then 'judged'
		when 'propose' then 'agreed'
		else case _from
			when 'open' then 'nobody_accepted'
			when 'accepted' then 'not_funded'
			when 'funded' then 'no_delivery'
			when 'delivered' then 'review_time_over'
			else 'no_verdict' end
		end;
	_job.forget_at := _job.ended_at + make_interval(secs => 86400 * case
		when _job.accepted_at is null
		then 7 -- UNACCEPTED_KEPT_DAYS
		else 30 -- KEPT_DAYS
		end);
	return _job;
end $$;
