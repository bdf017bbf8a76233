-- Adds the credit of landed purchases. The caller has locked the transactions. Returns the endpoints and
-- wallets to notify.
create function land_purchases(_intent_ids uuid[], _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	intent payment_intents;
	_to_notify text[] := '{}';
begin
	-- Owners in one order, so that two calls do not deadlock.
	for intent in select * from payment_intents where id = any (_intent_ids) order by wallet, id loop
		_to_notify := _to_notify || (select to_notify from record_credit(intent.id, intent.wallet, intent.credit, _now));
	end loop;
	return _to_notify;
end $$;
