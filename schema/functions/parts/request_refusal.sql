-- Returns the reason to reject a new payment for a request, or null. `_debit` is the debit of the owner's
-- credit, `_network_fee` the cost for the fee payer, in lamports. `_balance` is the source's balance at
-- `_balance_slot`, or null if the caller has found the payment not payable. Payments in flight, and ones
-- landed in a later slot, still have to leave the balance. `_identifier_hash` is the hash of the client's id
-- of the purchase, or null: the payer pays each id once in 30 days.
create function request_refusal(_key_version integer, _agent_id uuid, _payer text, _source text, _asset text,
	_amount bigint, _identifier_hash text, _network_fee bigint, _debit bigint, _balance bigint, _balance_slot bigint, _fees_per_day bigint,
	_now timestamptz)
returns text language plpgsql as $$
#variable_conflict use_column
declare
	max_at_first constant integer := 3; -- MAX_AT_FIRST of lib/x402/rules.ts
	max_in_flight constant integer := 50; -- MAX_IN_FLIGHT
	owners_of_a_day constant integer := 10; -- OWNERS_OF_A_DAY
	identifier_holds constant interval := interval '30 days'; -- IDENTIFIER_MS
	agent agents;
	credit credits;
	known request_payers;
	_in_flight bigint;
	_reserved numeric;
begin
	select * into agent from agents where id = _agent_id;
	select * into credit from credits where owner = agent.pubkey;
	select * into known from request_payers where payer = _payer;
	select count(*), coalesce(sum(amount) filter (where source = _source), 0) into _in_flight, _reserved
	from request_payments where payer = _payer and status = 'pending';
	_reserved := _reserved + coalesce((
		select sum(amount) from request_payments
		where source = _source and status = 'settled' and landed_slot > _balance_slot), 0);
	return case
		when agent.status is distinct from 'active' then 'agent_not_active'
		when not exists (
			select from facilitator_keys where agent_id = _agent_id and generation = _key_version) then 'key_ended'
		when exists (
			select from request_payments
			where agent_id = _agent_id and payer = _payer and identifier_hash = _identifier_hash
				and status in ('pending', 'settled') and created_at > _now - identifier_holds) then 'identifier_used'
		when not exists (
			select from request_prices
			where agent_id = _agent_id and asset = _asset and amount = _amount and price_holds(ended_at, _now))
			then 'not_a_price'
		when known.barred_until > _now or exists (
			select from payer_failures
			where payer = _payer and agent_id = _agent_id and barred_until > _now) then 'payer_barred'
		when _in_flight >= least(max_at_first + coalesce(known.settled, 0), max_in_flight)
			then 'too_many_in_flight'
		when _balance is null then 'not_payable'
		when _reserved + _amount > _balance then 'funds_reserved'
		when coalesce(credit.balance, 0) < _debit then 'credit_exhausted'
		when _network_fee + case when credit.day >= (_now at time zone 'UTC')::date then credit.day_fees else 0 end
			> _fees_per_day / owners_of_a_day then 'owners_day_exhausted'
		when _network_fee + coalesce((
			select fees from sponsored_days where day = (_now at time zone 'UTC')::date), 0) > _fees_per_day
			then 'day_exhausted'
		end;
end $$;
