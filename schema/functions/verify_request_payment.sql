-- Returns what settle_request_payment would return for a payment now, and reserves nothing. `resumable`:
-- the payment is recorded, and no call has had its success.
-- optional: balance, identifier_hash
-- outcome: valid | resumable | duplicate | failed | expired | agent_not_active | key_ended | identifier_used | not_a_price | payer_barred | too_many_in_flight | not_payable | funds_reserved | credit_exhausted | owners_day_exhausted | day_exhausted
create function verify_request_payment(_key_version integer, _agent_id uuid, _payer text, _source text, _asset text,
	_amount bigint, _identifier_hash text, _message_hash text, _network_fee bigint, _debit bigint, _balance bigint, _balance_slot bigint,
	_fees_per_day bigint, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	payment request_payments;
begin
	select * into payment from request_payments where message_hash = _message_hash;
	outcome := case
		when payment.id is null then coalesce(request_refusal(_key_version, _agent_id, _payer, _source, _asset, _amount,
			_identifier_hash, _network_fee, _debit, _balance, _balance_slot, _fees_per_day, _now), 'valid')
		when payment.agent_id <> _agent_id or payment.answered_at is not null then 'duplicate'
		when not exists (
			select from facilitator_keys where agent_id = _agent_id and generation = _key_version) then 'key_ended'
		when payment.status in ('failed', 'expired') then payment.status
		when payment.leased_until > _now then 'duplicate'
		else 'resumable' end;
	return next;
end $$;
