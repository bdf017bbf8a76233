-- Records a payment for a request before it is sent, and reserves the debit of the owner's credit, the
-- day's share of network fees, and the payer's funds. For a recorded payment it returns what this call may
-- do. The first call leases the payment; later calls wait for it one at a time. Only one call, ever, gets
-- `settled` and answers success. Calls of one payer are serialized, then calls for one owner. A recorded
-- payment is always sent with the same bytes: `transaction` and `network_signature`. `_fee` is its weight
-- after settlement, in CRED's smallest units; null for another asset, which has no weight. Publishes that
-- the owner's credit is low, once after each purchase. Of the payments with one identifier of a payer at an
-- agent, one is recorded within 30 days, unless it fails or expires: another gets `identifier_used`, with
-- the network signature of the first. With `settled`, the payment counts for the route of its price, which is
-- enqueued for a probe if the server declared it (`_is_declared`) and it is new.
-- optional: fee, balance, price_name, identifier_hash
-- due: settlement 90 seconds after the payment is recorded; looks at probe_at, if a new route was enqueued
-- outcome: recorded | resumed | settled | duplicate | failed | expired | agent_not_active | key_ended | identifier_used | not_a_price | payer_barred | too_many_in_flight | not_payable | funds_reserved | credit_exhausted | owners_day_exhausted | day_exhausted
-- nullable: id, transaction, network_signature, last_valid_block_height, route_state, route_code, probe_at
create function settle_request_payment(_key_version integer, _id uuid, _agent_id uuid, _payer text, _source text, _asset text,
	_amount bigint, _price_name text, _identifier_hash text, _message_hash text, _transaction text, _network_signature text, _last_valid_block_height bigint,
	_network_fee bigint, _debit bigint, _fee bigint, _balance bigint, _balance_slot bigint, _fees_per_day bigint, _lease uuid,
	_leased_until timestamptz, _is_declared boolean, _now timestamptz)
returns table (outcome text, id uuid, transaction text, network_signature text, last_valid_block_height bigint,
	route_state text, route_code text, probe_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	recheck_after constant interval := interval '90 seconds'; -- RECHECK_AFTER_MS of lib/x402/rules.ts
	_today constant date := (_now at time zone 'UTC')::date;
	_owner text;
	credit credits;
	payment request_payments;
	route record;
begin
	to_notify := '{}';
	select null::text as state, null::text as code, null::timestamptz as probe_at into route;
	select pubkey into _owner from agents where id = _agent_id;
	perform lock_payers(array[_payer]);
	select * into credit from credits where owner = _owner for update;
	select * into payment from request_payments where message_hash = _message_hash for update;
	if payment.id is not null then
		outcome := case
			when payment.agent_id <> _agent_id or payment.answered_at is not null then 'duplicate'
			when not exists (
				select from facilitator_keys where agent_id = _agent_id and generation = _key_version) then 'key_ended'
			when payment.status in ('failed', 'expired') then payment.status
			when payment.leased_until > _now then 'duplicate'
			when payment.status = 'settled' then 'settled'
			else 'resumed' end;
		if outcome = 'settled' then
			update request_payments set answered_at = _now where id = payment.id;
			select * into route from record_resource_payment(payment, _is_declared, _now);
		elsif outcome = 'resumed' then
			update request_payments set lease = _lease, leased_until = _leased_until where id = payment.id;
		end if;
		return query select outcome, payment.id, payment.transaction, payment.network_signature,
			payment.last_valid_block_height, route.state, route.code, route.probe_at, to_notify;
		return;
	end if;

	outcome := request_refusal(_key_version, _agent_id, _payer, _source, _asset, _amount, _identifier_hash,
		_network_fee, _debit, _balance, _balance_slot, _fees_per_day, _now);
	if outcome = 'identifier_used' then
		select network_signature into payment.network_signature from request_payments
		where agent_id = _agent_id and payer = _payer and identifier_hash = _identifier_hash
			and status in ('pending', 'settled');
	elsif outcome is null then
		-- The row serializes all owners, so that they can't exceed the day together.
		insert into sponsored_days (day, fees) values (_today, _network_fee)
		on conflict (day) do update set fees = sponsored_days.fees + excluded.fees
		where sponsored_days.fees + excluded.fees <= _fees_per_day;
		outcome := case when found then 'recorded' else 'day_exhausted' end;
	end if;
	if outcome = 'recorded' then
		update credits set balance = balance - _debit, day = greatest(day, _today),
			day_fees = _network_fee + case when day >= _today then day_fees else 0 end,
			low_below = case when balance - _debit >= low_below then low_below end
		where owner = _owner;
		if credit.balance - _debit < credit.low_below then
			to_notify := publish_event('credit.low', _now, _now, _owner, null, null, json_build_object(
				'owner', _owner,
				'balance', credit.balance - _debit,
				'lowBelow', credit.low_below));
		end if;
		-- An older payment no longer holds the identifier.
		update request_payments set identifier_hash = null
		where agent_id = _agent_id and payer = _payer and identifier_hash = _identifier_hash
			and status in ('pending', 'settled');
		insert into request_payments (id, agent_id, owner, payer, source, asset, amount, price_name, identifier_hash,
			message_hash, transaction, network_signature, last_valid_block_height, network_fee, debit, fee, status, created_at, due_at, lease, leased_until)
		values (_id, _agent_id, _owner, _payer, _source, _asset, _amount, _price_name, _identifier_hash,
			_message_hash, _transaction, _network_signature, _last_valid_block_height, _network_fee, _debit, _fee, 'pending', _now, _now + recheck_after,
			_lease, _leased_until)
		returning * into payment;
	end if;
	return query select outcome, payment.id, payment.transaction, payment.network_signature,
		payment.last_valid_block_height, route.state, route.code, route.probe_at, to_notify;
end $$;
