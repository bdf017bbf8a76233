import { neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { hireAgent } from '../../../lib/agents/hiring/hire.ts'
import { terminateHire } from '../../../lib/agents/hiring/terminate.ts'
import { connect, type Db } from '../../../lib/db/connect.ts'
import { neonHandler } from '../../../lib/local/neon/handler.ts'
import { serveNeon } from '../../../lib/local/neon/server.ts'
import { applyMigrations } from '../../../lib/migrations/migrations.ts'
import { openPostgres } from '../../../lib/migrations/postgres.ts'
import { chargeHire } from '../../../lib/payments/charges/charge.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { drawUuid } from '../../support/random.ts'
import type { Bench, Database } from '../harness/bench.ts'
import { drawWallet } from '../harness/draws.ts'
import { median } from '../harness/load.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { seedAgents } from '../harness/seed.ts'
import { atEnd } from '../harness/stops.ts'

/** Calls of one session; those from the 20th on are quoted, when generic plans have taken over. */
const CALLS = amount(200, 25)
const QUOTED_FROM = 20
const COLD_SESSIONS = amount(7, 2)
const AGENTS = amount(20_000, 1_000)

const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
  'pg_stat_statements.track=top',
]

/** What one call cost Postgres, and the characters of SQL that were sent. */
type Cost = { planningMs: number; executionMs: number; characters: number }

/** What deciding writes cost Postgres, on skewed data: half of all hires are of one agent. */
export async function statements(_bench: Bench): Promise<Section[]> {
  const server = await startPostgres({ settings: SETTINGS })
  atEnd(() => server.stop())
  await server.createDatabase('statements')
  const url = server.url('statements')
  const engine = await openPostgres(url)
  await applyMigrations(engine)
  await engine.close()
  const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=0' })
  await client.connect()
  atEnd(() => client.end())
  await client.query('create extension pg_stat_statements')
  const database: Database = { url, query: (text, params) => client.query(text, params) }
  await seed(database)
  const rows = []
  for (const [name, act] of Object.entries(ACTS)) {
    const cold: Cost[] = []
    for (let i = 0; i < COLD_SESSIONS; i++) cold.push(...(await inSession(database, act, 1)))
    const warm = (await inSession(database, act, CALLS)).slice(QUOTED_FROM)
    const of = (costs: Cost[], value: (cost: Cost) => number) => median(costs.map(value))
    const planningMs = of(warm, (cost) => cost.planningMs)
    const executionMs = of(warm, (cost) => cost.executionMs)
    rows.push({
      name,
      planningMs,
      executionMs,
      coldMs: of(cold, (cost) => cost.planningMs + cost.executionMs),
      characters: of(warm, (cost) => cost.characters),
    })
  }
  return [
    {
      title: `Deciding writes in Postgres, from the ${QUOTED_FROM}th call of a session on`,
      columns: [
        '',
        'planning ms',
        'execution ms',
        'together',
        'first call of a session',
        'characters of SQL',
      ],
      rows: rows.map(({ name, planningMs, executionMs, coldMs, characters }) => [
        name,
        planningMs,
        executionMs,
        planningMs + executionMs,
        coldMs,
        characters,
      ]),
      goals: rows.flatMap(({ name, planningMs, executionMs, characters }) => [
        {
          what: `${name}: ms in Postgres`,
          measured: planningMs + executionMs,
          limit: GOALS_MS[name] ?? 1,
          is: 'at most' as const,
        },
        { what: `${name}: characters of SQL`, measured: characters, limit: 1_500, is: 'at most' as const },
      ]),
    },
  ]
}

const GOALS_MS: Record<string, number> = { hire: 1, charge: 1.2, end: 1 }

/** A call to be measured, prepared by what is not. */
type Act = (db: Db) => Promise<() => Promise<unknown>>

const wallet = () => drawWallet().publicKey as Wallet
const at = (db: Db) => ({ db, now: new Date(), notify: () => {}, schedule: () => {}, ...LIMITS })
/** All calls are from one address, as behind one NAT. */
const LIMITS = { hiresPerAddress: 1_000_000_000, chargesPerAddress: 1_000_000_000 }
const ADDRESS = '192.0.2.1'
const terms = { budgetLimit: 1_000_000n, autoRenew: false, expiresInDays: 30 }

const ACTS: Record<string, Act> = {
  hire: async (db) => () => hireAgent(at(db), wallet(), { agentId: anyAgent(), ...terms } as never, ADDRESS),
  charge: async (db) => {
    const hire = await hireAgent(at(db), wallet(), { agentId: anyAgent(), ...terms } as never, ADDRESS)
    return () =>
      chargeHire(
        at(db),
        hire.agent.pubkey,
        { hireId: hire.hire.id, reference: drawUuid(), units: 2 } as never,
        ADDRESS,
      )
  },
  end: async (db) => {
    const hirer = wallet()
    const hire = await hireAgent(at(db), hirer, { agentId: anyAgent(), ...terms } as never, ADDRESS)
    return () => terminateHire(at(db), hirer, hire.hire.id)
  },
}

/** The rows that this part promises. */
export const subjects = (): string[] => Object.keys(ACTS)

let agentIds: string[] = []
let call = 0
/** Returns the agents in turn, and every other time the agent with most hires. */
const anyAgent = (): string => agentIds[call++ % 2 === 0 ? 0 : call % agentIds.length] ?? ''

async function seed(database: Database) {
  await seedAgents(database, AGENTS)
  const { rows } = (await database.query(
    `select id from agents where status = 'active' and fee_model = 'flat' order by id`,
  )) as unknown as { rows: { id: string }[] }
  agentIds = rows.map(({ id }) => id)
  // Every second hire is of the first agent; its owner has endpoints for all events.
  await database.query(
    `insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days, status,
       hired_at, expires_at)
     select gen_random_uuid(), 'Hirer' || lpad(n::text, 39, 'x'), ($1::uuid[])[1 + case when n % 2 = 0 then 0 else n % cardinality($1::uuid[]) end],
       '{1}', 'flat', 500, false, 30, 'active', now() - interval '1 day', now() + interval '29 days'
     from generate_series(1, $2::int) as n`,
    [agentIds, AGENTS],
  )
  await database.query('vacuum analyze')
}

/** Runs a call so often in a session of its own; what each of them cost. */
async function inSession(database: Database, act: Act, calls: number): Promise<Cost[]> {
  const engine = await openPostgres(database.url)
  let characters = 0
  const handler = neonHandler(engine)
  const endpoint = await serveNeon(async (request) => {
    const body = (await request.clone().json()) as { query?: string; queries?: { query: string }[] }
    const sent = body.queries?.map(({ query }) => query) ?? [body.query ?? '']
    characters += sent.join('').length
    return handler(request)
  }, 0)
  const { fetchEndpoint } = neonConfig
  neonConfig.fetchEndpoint = endpoint.url
  const db = connect('postgresql://bench:bench@db.bench.internal/bench')
  const costs: Cost[] = []
  try {
    for (let i = 0; i < calls; i++) {
      // The preparation of a cold call has its own session.
      const prepared = calls === 1 ? await otherSession(database, act) : await act(db)
      await database.query('select pg_stat_statements_reset()')
      characters = 0
      neonConfig.fetchEndpoint = endpoint.url
      await prepared()
      const { rows } = (await database.query(
        `select sum(total_plan_time) as planning, sum(total_exec_time) as execution from pg_stat_statements
         where query !~ 'pg_stat_statements'`,
      )) as unknown as { rows: { planning: string; execution: string }[] }
      costs.push({
        planningMs: Number(rows[0]?.planning),
        executionMs: Number(rows[0]?.execution),
        characters,
      })
    }
  } finally {
    neonConfig.fetchEndpoint = fetchEndpoint
    await endpoint.close()
    await engine.close()
  }
  return costs
}

/** Prepares a call by a session that ends before the call. */
async function otherSession(database: Database, act: Act) {
  const engine = await openPostgres(database.url)
  const endpoint = await serveNeon(neonHandler(engine), 0)
  neonConfig.fetchEndpoint = endpoint.url
  try {
    return await act(connect('postgresql://bench:bench@db.bench.internal/bench'))
  } finally {
    await endpoint.close()
    await engine.close()
  }
}
