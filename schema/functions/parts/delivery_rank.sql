-- Computes the rank of a delivery among an endpoint's pending ones; the highest goes first. Rank 2: events
-- on the chain. Rank 0: events that others can cause at no cost, for the side that did not cause them:
-- hires and unfunded jobs by wallets that never paid, failed and refused payments. Rank 1: all other events.
create function delivery_rank(_type text, _recipient text, _wallet text, _is_free boolean, _cause text)
returns smallint language sql immutable as $$
	select case
		when _type in ('charge.collected', 'budget.funded', 'budget.withdrawn', 'payment.settled', 'credit.bought',
			'job.funded', 'job.paid', 'job.refunded', 'job.stray',
			'vault.position_opened', 'vault.position_closed', 'vault.yield_claimed') then 2
		when _is_free and _recipient <> _cause then 0
		when _type in ('payment.failed', 'request.refused') and _recipient = _wallet then 0
		else 1 end::smallint
$$;
