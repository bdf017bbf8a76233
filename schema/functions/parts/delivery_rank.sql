-- Which of the deliveries that wait for a webhook endpoint go first. 2: of what happened on the chain. 0: of what
-- others can make happen as often as they like, a hire by a wallet that has never paid, and payments that
-- failed, at the side that did not cause them. 1: of all else.
create function delivery_rank(_type text, _recipient text, _wallet text, _is_free boolean, _cause text)
returns smallint language sql immutable as $$
	select case
		when _type in ('charge.collected', 'budget.funded', 'budget.withdrawn', 'payment.settled', 'credit.bought',
			'vault.position_opened', 'vault.position_closed', 'vault.yield_claimed') then 2
		when _is_free and _recipient <> _cause then 0
		when _type = 'payment.failed' and _recipient = _wallet then 0
		else 1 end::smallint
$$;
