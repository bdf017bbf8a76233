ALTER TABLE "agents" ADD COLUMN "webhook_disabled_reason" text;--> statement-breakpoint
-- by hand: the newest event of the owner's log that says so; null where it is no longer kept.
UPDATE agents SET webhook_disabled_reason = (
	SELECT data->>'reason' FROM events
	WHERE events.wallet = agents.pubkey AND type = 'endpoint.disabled' AND data->>'agentId' = agents.id::text
	ORDER BY xid DESC, seq DESC LIMIT 1)
WHERE webhook_disabled_at IS NOT NULL;
