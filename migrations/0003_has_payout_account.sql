-- expand
-- Whether a wallet has set up payouts: it has opened a payout account here, or a hire's budget account names it.
-- Runs as the owner, so that Workers which read agents need no right to read payments.
CREATE FUNCTION "has_payout_account"("owner" text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
	SET search_path = public, pg_temp AS $$
	SELECT EXISTS (SELECT FROM "payment_intents" WHERE "wallet" = $1 AND "kind" = 'open_collector' AND "status" = 'landed')
		OR EXISTS (SELECT FROM "budget_accounts" WHERE "budget_accounts"."owner" = $1)
$$;
