-- Rows for test/postgres/plans.long.test.ts: 100,000 agents and 50,000 of the rest, with values that are
-- common and values that are rare: 25 times what any statement may read. Past the triggers, whose results are
-- made here at once.
SET session_replication_role = replica;
-- Before the commit is in the log on disk, VACUUM marks no page as visible to all, and index-only scans read
-- the table.
SET synchronous_commit = on;
-- Many rows are quicker without indexes, which are made again at the end as they were.
CREATE TEMP TABLE dropped AS SELECT indexname, indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint);
DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || string_agg(indexname, ', ') FROM dropped); END $$;
INSERT INTO agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at, listed_until, webhook_url, api_endpoint, api_protocol, request_prices, lowest_request_price)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'owner' || CASE WHEN n % 500 IN (1, 15) THEN n % 500 ELSE n % 1000 END,
  CASE WHEN n % 1000 = 5 THEN 'Zebra ' WHEN n % 10 = 1 THEN 'Yield ' WHEN n % 10 = 2 THEN 'Agent 東京都庁 ' ELSE 'Agent ' END || n,
  CASE WHEN n % 500 = 7 THEN 'oracle' WHEN n % 3 = 0 THEN 'semi-autonomous' ELSE 'autonomous' END,
  CASE WHEN n % 250 = 3 THEN '{22}' WHEN n % 5 = 0 THEN '{1,2}' ELSE '{1}' END::smallint[],
  CASE WHEN n % 1000 = 9 THEN 'hybrid' WHEN n % 4 = 0 THEN 'flat' ELSE 'percentage' END, 5,
  CASE WHEN n % 3 = 0 THEN n / 3 % 50 / 4.0 ELSE 0 END,
  CASE WHEN n % 20 = 0 THEN 'inactive' WHEN n % 1000 = 1 THEN 'suspended' ELSE 'active' END,
  timestamptz '2026-01-01' + n * interval '1 second',
  CASE WHEN n % 10 > 0 THEN timestamptz '2026-05-01' + n * interval '1 minute' END, CASE WHEN n <= 60 THEN 'https://hooks.example.com/' || n END,
  CASE WHEN n % 2 = 0 THEN 'https://h' || n % 40000 || '.example.com/' || n % 80000 END, CASE WHEN n % 4 = 0 THEN 'mcp' END,
  CASE WHEN n % 5 = 2 THEN 3 ELSE 0 END, CASE WHEN n % 5 = 2 AND n % 20 > 2 THEN n END
FROM generate_series(1, 100000) AS n;
INSERT INTO facilitator_keys SELECT id, 1, registered_at FROM agents WHERE request_prices > 0;
INSERT INTO credits (owner, balance) SELECT DISTINCT pubkey, 5 FROM agents;
INSERT INTO request_refusals SELECT id, 'no_credit', registered_at, registered_at, registered_at FROM agents WHERE request_prices > 0;
INSERT INTO agent_endpoints (url_hash, protocol, url, wallets, host, status, next_probe_at, identifies)
SELECT encode(sha256(convert_to(api_endpoint, 'UTF8')), 'hex'), 'mcp', api_endpoint, count(DISTINCT pubkey), split_part(api_endpoint, '/', 3),
  'live', timestamptz '2026-01-01' + min(length(api_endpoint)) * interval '1 day',
  'registered:key' || lpad((row_number() OVER ())::text, 8, '0')
FROM agents WHERE api_protocol IS NOT NULL GROUP BY api_endpoint;
INSERT INTO probed_hosts (host, queue, free_at, next_turn_at)
SELECT host, CASE WHEN length(host) % 2 = 0 THEN 'live' ELSE 'dead' END, '2026-01-01', min(next_probe_at) FROM agent_endpoints GROUP BY host;
INSERT INTO registry_agents (pubkey, name, agent_type, capabilities, layers, fee_model, timestamp, signature, body_hash,
  revision, registered_at, updated_at, api_endpoint, api_protocol)
SELECT 'key' || lpad(n::text, 8, '0'), 'Entry ' || n, CASE WHEN n % 1000 = 8 THEN 'business' WHEN n % 2 = 0 THEN 'data' ELSE 'defi' END,
  CASE WHEN n % 1000 = 3 THEN '{gaming,compute}' WHEN n % 250 = 4 THEN '{gaming}' WHEN n % 10 = 0 THEN '{energy}' ELSE '{compute}' END::text[],
  CASE WHEN n % 1000 = 3 THEN '{6,23}' WHEN n % 250 = 4 THEN '{23}' WHEN n % 10 = 0 THEN '{8}' ELSE '{6}' END::smallint[],
  'free', 1, 's', 'b', 1, timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01',
  'https://h' || n % 40000 || '.example.com/' || n % 80000, CASE WHEN n % 4 = 0 THEN 'mcp' END
FROM generate_series(1, 50000) AS n;
INSERT INTO registry_listings (layer, capability, agent_type, registered_at, pubkey)
SELECT layer, capability, agent_type, registered_at, pubkey
FROM registry_agents, unnest(0::smallint || layers) AS layer, unnest(''::text || capabilities) AS capability ORDER BY 1, 2, 3, 4, 5;
-- As the triggers make it, but that no word is weighed; of two agents and four entries in five: 500,000
-- words.
INSERT INTO documents (kind, key, words, stems)
SELECT kind, key, word_vector('simple', its), word_vector('english', its) FROM (
  SELECT 'agent', id::text, concat_ws(' ', name, agent_type, CASE WHEN 22 = ANY (supported_layers) THEN 'swarm'
    WHEN 2 = ANY (supported_layers) THEN 'shopping referral' ELSE 'shopping' END) FROM agents
    WHERE id <= lpad(to_hex(40000), 32, '0')::uuid
  UNION ALL SELECT 'registered', pubkey, concat_ws(' ', name, agent_type, array_to_string(capabilities, ' ')) FROM registry_agents
    WHERE pubkey <= 'key00040000'
  ORDER BY 1, 2) AS made (kind, key, its);
ANALYZE documents;
INSERT INTO agent_listings (layer, status, agent_type, fee_model, reputation_score, agent_id, name, word_bloom, is_priced)
SELECT layer, status, agent_type, fee_model, reputation_score, id, lower(name), bloom, request_prices > 0
FROM agents LEFT JOIN documents ON kind = 'agent' AND key = id::text,
  word_bloom(coalesce(tsvector_to_array(words), '{}')) AS bloom, unnest(0::smallint || supported_layers) AS layer
ORDER BY 1, 2, 3, 4, 5, 6;
INSERT INTO document_words (kind, word, key)
SELECT DISTINCT kind, word, key FROM documents, unnest(tsvector_to_array(words) || tsvector_to_array(stems)) AS word;
INSERT INTO hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days, status, hired_at, expires_at, ended_at, outcome)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n <= 10000 THEN 'hirer' WHEN n % 4 = 0 THEN 'once' || n ELSE 'wallet' || n % 5000 END,
  lpad(to_hex(CASE WHEN n > 10000 AND n % 4 = 0 THEN 1 ELSE n END), 32, '0')::uuid, '{1}', 'flat', 5, n % 2 = 0, 30,
  CASE WHEN n % 4 = 0 OR n % 10 = 1 THEN 'active' ELSE 'terminated' END,
  timestamptz '2026-01-01' + n * interval '1 second',
  CASE WHEN n % 1000 = 0 THEN timestamptz '2026-02-01' ELSE timestamptz '2026-12-31' END,
  CASE WHEN n > 20000 AND NOT (n % 4 = 0 OR n % 10 = 1) THEN timestamptz '2026-01-02' + n * interval '1 second' END, NULL
FROM generate_series(1, 50000) AS n;
INSERT INTO hire_periods (hire_id, starts_at, ends_at, spent)
SELECT id, timestamptz '2026-12-01' - m * interval '30 days', timestamptz '2026-12-31' - m * interval '30 days', 1000000
FROM hires, generate_series(0, 1) AS m;
-- A hire of one agent has 20,000 of them.
INSERT INTO charges (id, hire_id, agent_id, owner, hirer, reference, amount, units, period_start, status, created_at,
  voided_at, collected_at, fee)
SELECT lpad(to_hex(n), 32, '0')::uuid, hires.id, agents.id, agents.pubkey, hires.wallet, n::text, 5, 1, '2026-12-01', state,
  timestamptz '2026-01-01' + n * interval '1 second', CASE WHEN state = 'voided' THEN timestamptz '2026-02-01' END,
  CASE WHEN state = 'collected' THEN timestamptz '2026-02-01' END, CASE WHEN state = 'collected' THEN 1 END
FROM generate_series(1, 50000) AS n CROSS JOIN LATERAL (SELECT CASE WHEN n % 2000 = 7 THEN 'voided' WHEN n % 3 = 0 THEN 'collected' ELSE 'recorded' END AS state) AS s
JOIN hires ON hires.id = lpad(to_hex(CASE WHEN n <= 20000 THEN 11 ELSE n END), 32, '0')::uuid JOIN agents ON agents.id = hires.agent_id;
-- One owner has the budget accounts of 20,000 strangers' hires, on which it has charged nothing.
INSERT INTO budget_accounts (hire_id, hirer, owner, agent_id, address, seed, generation, looked_at)
SELECT hires.id, hires.wallet, CASE WHEN hires.id <= lpad(to_hex(20000), 32, '0')::uuid THEN 'owner21' ELSE agents.pubkey END,
  agents.id, hires.id::text, 'seed', 1, '1970-01-01'
FROM hires JOIN agents ON agents.id = hires.agent_id;
INSERT INTO payment_intents (id, wallet, kind, status, generation, fee_bps, transaction, message, last_valid_block_height,
  built_slot, created_at, asked_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 10 = 0 AND n <> 40000 THEN 'once' || n ELSE 'owner' || n % 1000 END, 'collect', CASE WHEN n % 10 = 0 THEN 'open' ELSE 'landed' END, 1, 100,
  'AQ==', 'm', 1, 1, timestamptz '2026-01-01' + n * interval '1 second', '1970-01-01'
FROM generate_series(1, 50000) AS n;
INSERT INTO attestations (id, wallet, credential_type, credential_id, verification_level, created_at, status, priority, requested_at, proof_seen_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n <= 10000 THEN 'hirer' ELSE 'wallet' || n % 5000 END, 'skill', n::text,
  CASE WHEN n % 100 = 0 THEN 'on_chain_proven' WHEN n % 100 = 1 THEN 'third_party_verified' ELSE 'self_attested' END, timestamptz '2026-01-01',
  CASE WHEN n % 100 < 2 THEN 'verified' WHEN n % 10 = 5 THEN 'in_review' WHEN n % 1000 = 6 THEN 'pending' END,
  CASE WHEN n % 3 = 0 THEN 'expedited' ELSE 'normal' END, timestamptz '2026-01-01' + n * interval '1 second',
  CASE WHEN n % 100 = 0 THEN timestamptz '2026-01-02' + n * interval '1 second' END
FROM generate_series(1, 50000) AS n;
INSERT INTO standings (wallet, hirers, counterparties) SELECT 'wallet' || n, 1000, 1000 FROM generate_series(1, 5000) AS n;
-- An owner and its agent with many payers and ratings, besides rows of others.
INSERT INTO payers (kind, payee, payer, fee, fee_step, rating)
SELECT CASE WHEN n % 2 = 0 THEN 'owner' ELSE 'agent' END,
  CASE WHEN n <= 20000 THEN CASE WHEN n % 2 = 0 THEN 'owner1' ELSE '00000000-0000-0000-0000-000000000001' END ELSE 'payee' || n END,
  CASE WHEN n <= 2 THEN 'hirer' ELSE 'payer' || n END, n, 1000, CASE WHEN n > 2 THEN 1 + n % 5 END
FROM generate_series(1, 50000) AS n;
INSERT INTO owner_layers (owner, layer, fee) SELECT 'owner' || n / 22, 1 + n % 22, n FROM generate_series(1, 22000) AS n;
INSERT INTO standings (wallet, payers_weight, satisfied_weight) VALUES ('owner1', 1000000000, 1000000000);
UPDATE agents SET payers_weight = 1000000000, satisfied_weight = 1000000000 WHERE id = '00000000-0000-0000-0000-000000000001';
INSERT INTO hire_payments (hire_id, collected) SELECT lpad(to_hex(n), 32, '0')::uuid, 1000 FROM generate_series(1, 50000) AS n;
INSERT INTO ratings (id, hire_id, agent_id, owner, wallet, rating, created_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 4 > 0 THEN lpad(to_hex(n), 32, '0')::uuid END,
  lpad(to_hex(CASE WHEN n > 1 AND n <= 20000 THEN 1 ELSE n + 1 END), 32, '0')::uuid, 'owner1', 'payer' || n, 1 + n % 5, '2026-01-01'
FROM generate_series(2, 50000) AS n;
INSERT INTO agent_request_days (agent_id, day, payments, paid)
SELECT lpad(to_hex(agent), 32, '0')::uuid, date '2026-06-01' - day, 1, 1 FROM generate_series(1, 500) AS agent, generate_series(0, 99) AS day;
-- A hirer has paid 100 agents for 50 months, besides the months of others.
INSERT INTO payment_months (wallet, role, month, agent_id, kind, coin, payments, amount, fee)
SELECT CASE WHEN agent <= 100 THEN 'hirer' ELSE 'wallet' || agent END, 'hirer', date '2026-06-01' - make_interval(months => month),
  lpad(to_hex(agent), 32, '0')::uuid, 'charge', '', 2, 5, 1 FROM generate_series(1, 500) AS agent, generate_series(0, 49) AS month;
INSERT INTO wallets (address, first_login_at, last_login_at) SELECT 'wallet' || n, '2026-01-01', '2026-01-01' FROM generate_series(1, 5000) AS n;
-- Of transactions before the first that a new server gives out, so that the log shows them all.
INSERT INTO events (id, xid, type, occurred_at, recorded_at, wallet, counterparty, agent_id, data)
SELECT lpad(to_hex(n), 32, '0')::uuid, n / 100, 'hire.created', '2026-01-01', '2026-01-01',
  CASE WHEN n % 4 = 0 THEN 'hirer' ELSE 'owner' || n % 1000 END, CASE WHEN n % 4 = 1 THEN 'hirer' ELSE 'wallet' || n % 5000 END,
  lpad(to_hex(1 + n % 50), 32, '0')::uuid, '{}'
FROM generate_series(1, 50000) AS n;
INSERT INTO events (id, xid, type, occurred_at, recorded_at, wallet, data)
SELECT lpad(to_hex(100000 + n), 32, '0')::uuid, n / 100, 'charge.recorded', '2025-01-01', '2025-01-01', 'payer' || n, '{}'
FROM generate_series(1, 20000) AS n;
-- Fifty webhooks, ten of them disabled, for which nearly all waiting deliveries are.
INSERT INTO deliveries (event_id, endpoint_id, wallet, status, created_at, next_attempt_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(CASE WHEN n % 100 = 0 THEN 1 + n / 100 % 50 ELSE 1 + n % 10 END), 32, '0')::uuid, 'owner' || n % 1000,
  'pending', timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
FROM generate_series(1, 50000) AS n;
UPDATE agents SET webhook_disabled_at = '2026-01-01' WHERE id IN (SELECT lpad(to_hex(n), 32, '0')::uuid FROM generate_series(1, 10) AS n);
INSERT INTO webhook_targets (wallet, url_hash, host, proven_at, last_attempt_at)
SELECT 'owner' || n, md5(n::text), 'hooks.example.com', '2026-01-01', timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 60000) AS n;
INSERT INTO delivery_attempts (endpoint_id, event_id, attempted_at, response_code, duration_ms)
SELECT endpoint_id, event_id, created_at, 500, 10 FROM deliveries;
INSERT INTO endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
SELECT lpad(to_hex(1000000 + n), 32, '0')::uuid, 'owner' || n % 2000, 'https://example.com/' || n, '{}', '{}', '2026-01-01', '2026-01-01', ''
FROM generate_series(1, 20000) AS n;
INSERT INTO agent_webhook_secrets (agent_id, secret) SELECT id, '' FROM agents WHERE id < '00000000-0000-0000-0000-000000004e21';
INSERT INTO webhook_buckets (name, full_at)
SELECT n::text, timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 20000) AS n;
INSERT INTO webhook_hosts (host, since, attempts)
SELECT n::text, timestamptz '2026-01-01' + n * interval '1 second', 1 FROM generate_series(1, 20000) AS n;
INSERT INTO address_quotas (address_hash, ends_at, used)
SELECT n::text, timestamptz '2026-01-01' + n * interval '1 second', 1 FROM generate_series(1, 20000) AS n;
INSERT INTO wallet_quotas (wallet, agents, active_agents) SELECT 'owner' || n, 200, 190 FROM generate_series(1, 20000) AS n;
INSERT INTO spent_nonces (nonce, expires_at)
SELECT n::text, timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 20000) AS n;
-- Grants: of 1,000 wallets 20 active ones each; wallet3210 has 5,000 more that ended.
INSERT INTO grants (id, wallet, session_generation, kind, client, name, permissions, rotated_at, created_at, last_used_at, expires_at, ended_at)
SELECT gen_random_uuid(), 'wallet' || CASE WHEN n <= 20000 THEN 3000 + n % 1000 ELSE 3210 END, 0, 'app', 'client', 'name', '{}',
  time, time, time, time + interval '30 days', CASE WHEN n > 20000 THEN time END
FROM generate_series(1, 25000) AS n, LATERAL (SELECT timestamptz '2026-05-20' + n * interval '1 second') AS of (time);
-- Vaults: one of a staker with 20,000 positions that are withdrawn, 40 that are open and 20,000 transactions;
-- 5,000 others have a few. Transaction 60001 is an open claim of the staker's, 60002 an open stack, 60003 an
-- open unstack.
INSERT INTO vaults (owner, next_position_id, open_stacks, open_positions, settled_at, yield_day)
SELECT 'staker' || CASE WHEN n > 0 THEN n::text ELSE '' END, 30000, 2, 40, '2026-05-01', '2026-06-01' FROM generate_series(0, 5000) AS n;
INSERT INTO positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, status, escrowed, seen_slot, open_claim, withdrawn_at)
SELECT CASE WHEN n <= 20040 THEN 'staker' ELSE 'staker' || 1 + n % 5000 END, n, 'place' || lpad(n::text, 6, '0'), 1, 1000, 7, 800,
  '2026-01-01', CASE WHEN n <= 20000 OR n % 2 = 1 AND n > 20040 THEN 'withdrawn' ELSE 'open' END, 1100, 5,
  CASE WHEN n BETWEEN 20001 AND 20011 THEN lpad(to_hex(60001), 32, '0')::uuid WHEN n % 100 = 0 THEN gen_random_uuid() END, NULL
FROM generate_series(1, 60000) AS n;
INSERT INTO vault_intents (id, owner, kind, status, generation, signing, transaction, message, last_valid_block_height, built_slot,
  created_at, yield, yield_day, lock_days, apy_bps, staked_at, due_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n <= 20000 OR n > 60000 THEN 'staker' ELSE 'staker' || 1 + n % 5000 END,
  CASE WHEN n = 60001 THEN 'claim' WHEN n = 60003 THEN 'unstack' ELSE 'stack' END,
  CASE WHEN n > 60000 OR n > 20000 AND n % 50 = 0 THEN 'open' WHEN n % 4 = 0 THEN 'expired' ELSE 'landed' END, 1,
  CASE WHEN n % 8 = 0 AND n % 50 > 0 AND n > 50000 OR n % 100 = 0 AND n BETWEEN 20001 AND 25000 THEN 'wallet_first' ELSE 'service_first' END, 'AQ==', 'm', 150, 5,
  timestamptz '2026-01-01' + n * interval '1 second', 10, '2026-06-01', 7, 800, '2026-01-01',
  -- For intents that may still land or have expired. A landed intent keeps its last value.
  CASE WHEN n % 8 > 0 THEN timestamptz '2026-01-01' + n * interval '1 second' END
FROM generate_series(1, 60003) AS n;
INSERT INTO vault_intent_legs (intent_id, address, amount, balance_before)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'place' || lpad(n::text, 6, '0'), 10, 1100 FROM generate_series(1, 60000) AS n
UNION ALL SELECT lpad(to_hex(60001), 32, '0')::uuid, 'place0' || n, 10, 1100 FROM generate_series(20001, 20011) AS n
UNION ALL SELECT lpad(to_hex(60002), 32, '0')::uuid, 'new', 10, 0
UNION ALL SELECT lpad(to_hex(60003), 32, '0')::uuid, 'place020012', 10, 1100;
INSERT INTO vault_yield_days (day) SELECT day FROM generate_series(timestamptz '2020-01-01', timestamptz '2027-01-01', interval '1 day') AS day;
DO $$ BEGIN EXECUTE (SELECT string_agg(indexdef, ';') FROM dropped); END $$;
SET session_replication_role = origin;

-- Open jobs of the hires' numbers, and a transaction of each.
insert into jobs (id, agent_id, owner, hirer, reference, title, brief, price, fee_bps, judge, accept_minutes,
	work_minutes, review_minutes, terms_hash, salt, status, due_at, counted_at, created_at, address_hash)
select hires.id, agent_id, pubkey, wallet, hires.id::text, 'title', 'brief', 100, 100, 'none', 60, 60, 60, 'hash', 'salt',
	'open', hired_at + interval '1 hour', hired_at, hired_at, 'address'
from hires join agents on agents.id = agent_id where pubkey <> wallet;
insert into payment_intent_jobs (intent_id, job_id, address, amount, fee)
select payment_intents.id, jobs.id, 'escrow', 5, 1 from payment_intents join jobs using (id);
insert into job_texts (job_id, kind, text, created_at) select id, 'input', 'text', created_at from jobs;
