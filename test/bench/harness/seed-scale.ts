import type { Database } from './bench.ts'
import { seedAgents } from './seed.ts'

/** How much of everything a database has, and how much of it is one wallet's. */
export type Amounts = { rows: number; hires: number; ofEach: number }

/** Wallets whose own rows are many. */
type Wallets = { hirer: string; owner: string }

/**
 * Fills a database for the comparison of many rows with few: agents, the signed registry, events, and hires
 * of one wallet. One wallet has `ofEach` of everything that its reputation is made of.
 */
export async function seedScale(database: Database, amounts: Amounts, wallets: Wallets): Promise<void> {
  const { query } = database
  const { rows, hires, ofEach } = amounts
  // Triggers and foreign keys would take most of the time; what they keep is not read here, but for these.
  await query('set session_replication_role = replica')
  for (const [table, trigger] of READ_TRIGGERS)
    await query(`alter table ${table} enable always trigger ${trigger}`)
  // Before a commit is in the log on disk, VACUUM marks no page as visible to all.
  await query('set synchronous_commit = on')
  const [wordIndex] = (await query(WORD_INDEX)).rows
  await query('drop index document_words_by_word')
  await seedAgents(database, rows)
  await query(REGISTRY, [rows])
  await query(wordIndex.indexdef)
  await query(EVENTS, [rows, wallets.hirer])
  await query(HIRES_OF_WALLET, [hires, wallets.hirer])
  await query(AGENTS_OF_OWNER, [Math.min(ofEach, 200), wallets.owner])
  await query(HIRES_OF_OWNER, [ofEach, wallets.owner])
  await query(ATTESTATIONS, [ofEach, wallets.owner])
  await query(COUNTERPARTIES, [ofEach, wallets.owner])
  await query('set session_replication_role = default')
  await query('vacuum analyze')
}

/** The triggers that fill the tables for lists and searches (migrations/0000_init.sql). */
const READ_TRIGGERS = [
  ['agents', 'agents_documented'],
  ['agents', 'agents_listed'],
  ['registry_agents', 'registry_agents_documented'],
  ['registry_agents', 'registry_agents_listed'],
]

/** Many words are stored quicker without it. */
const WORD_INDEX = `select indexdef from pg_indexes where indexname = 'document_words_by_word'`

const REGISTRY = `
  insert into registry_agents (pubkey, name, agent_type, capabilities, layers, fee_model, timestamp, signature,
    body_hash, revision, registered_at, updated_at)
  select 'Registry' || lpad(n::text, 36, 'x'), 'Agent ' || n,
    (array['personal', 'commerce', 'defi', 'data', 'infrastructure', 'business'])[1 + (n + n / 1000) % 6],
    case when n % 1000 = 0 then array['gaming']
      else array[(array['shopping', 'referral', 'storage', 'compute', 'social'])[1 + n % 5]] end,
    case when n % 1000 = 0 then array[23] else array[(array[1, 2, 11, 6, 14])[1 + n % 5]] end::smallint[],
    'free', 1795000000000 + n, repeat('1', 88), repeat('0', 64), 1,
    now() - make_interval(secs => $1 - n), now() - make_interval(secs => $1 - n)
  from generate_series(1, $1::int) as n`

const EVENTS = `
  insert into events (id, type, occurred_at, recorded_at, wallet, data)
  select uuidv7(), 'hire.created', now(), now(),
    case when n % 2 = 0 then $2 else 'Other' || n % 5000 end, '{"hireId":"x","status":"active"}'
  from generate_series(1, $1::int) as n`

const HIRES_OF_WALLET = `
  insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, budget_limit, auto_renew,
    term_days, status, hired_at, expires_at, ended_at)
  select uuidv7(), $2, agent.id, '{10}', 'percentage', 500, 5000000000, false, 30, 'terminated', now(), now(), now()
  from generate_series(1, $1::int) as n
  join (select id, row_number() over () - 1 as place from (select id from agents limit 500) as few) as agent
    on agent.place = n % 500`

const AGENTS_OF_OWNER = `
  insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status,
    registered_at)
  select uuidv7(), $2, 'Owned', 'oracle', '{10,17}', 'flat', 1, 'active', now()
  from generate_series(1, $1::int)`

const HIRES_OF_OWNER = `
  insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days,
    status, hired_at, expires_at, ended_at)
  select uuidv7(), 'Hirer' || n, (select id from agents where pubkey = $2 limit 1), '{10}', 'flat', 1, false, 30,
    'expired', now(), now(), now()
  from generate_series(1, $1::int) as n`

const ATTESTATIONS = `
  insert into attestations (id, wallet, credential_type, credential_id, verification_level, created_at)
  select uuidv7(), $2, 'degree', 'credential ' || n, 'self_attested', now()
  from generate_series(1, $1::int) as n`

const COUNTERPARTIES = `
  insert into dealings (wallet, kind, other)
  select $2, kind, 'Other' || n from generate_series(1, $1::int) as n, unnest(array['hirer', 'counterparty']) as kind`
