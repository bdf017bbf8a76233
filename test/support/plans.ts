import { neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { connect } from '../../lib/db/connect.ts'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { serveNeon } from '../../lib/local/neon/server.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { startPostgres } from './postgres-server.ts'

/** A statement as the production client sends it. */
type Sent = { query: string; params: (string | null)[] }

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}

/** What a plan reads and sorts. */
export type Plan = {
  /** Tables that are read as a whole. */
  scanned: string[]
  /** Rows of tables and index entries that it reads. */
  rowsRead: number
  /** The most rows that any of its sorts takes. */
  rowsSorted: number
  /** Indexes that it reads, in any order. */
  indexes: string[]
  /** Pages of tables and indexes that it reads, repeated ones too. Pages of functions do not count. */
  pages: number
}

/**
 * A database, and the plans of what the production client sends to it. On a server of its own: while many
 * rows are written in one transaction, the log of no database on that server shows anything new.
 */
export async function plannedDatabase() {
  const postgres = await startPostgres()
  await postgres.createDatabase('plans')
  const url = postgres.url('plans')
  const engine = await openPostgres(url)
  await applyMigrations(engine)
  const handler = neonHandler(engine)
  let sent: Sent[] | undefined
  const server = await serveNeon(async (request) => {
    if (!sent) return handler(request)
    const body = (await request.json()) as Sent | { queries: Sent[] }
    sent.push(...('queries' in body ? body.queries : [body]))
    return Response.json({ message: 'recorded, not run' }, { status: 400 })
  }, 0)
  const { fetchEndpoint } = neonConfig
  neonConfig.fetchEndpoint = server.url
  // Many rows take longer to write than the service's statements may.
  const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=0' })
  await client.connect()

  /** Explains what a call sends first, with what it really reads, and rolls it back. */
  async function plansOf(call: () => Promise<unknown>): Promise<Plan[]> {
    sent = []
    await call().catch(() => {})
    const recorded = sent
    sent = undefined
    const plans: Plan[] = []
    for (const { query, params } of recorded) {
      await client.query('begin')
      const { rows } = await client.query(
        `explain (analyze, buffers, timing off, format json) ${query}`,
        params,
      )
      await client.query('rollback')
      plans.push(planOf([rows[0]['QUERY PLAN'][0].Plan]))
      if (query.includes(`"${API_SCHEMA}"`)) plans.push(await planInside(query, params))
    }
    return plans
  }

  /**
   * Runs a statement that calls functions, and adds up the plans of the statements in these and in triggers:
   * generic ones, as a session keeps them, which know no values. The statement's own plan is left out: it is
   * planned with its values.
   */
  async function planInside(query: string, params: unknown[]): Promise<Plan> {
    const nodes: Node[] = []
    const onNotice = ({ message = '' }: { message?: string | undefined }) => {
      const [, plan] = /^duration: .*?plan:\s(\{.*)/s.exec(message) ?? []
      if (plan !== undefined) nodes.push(JSON.parse(plan).Plan)
    }
    client.on('notice', onNotice)
    await client.query(`begin; ${LOG_PLANS}`)
    await client.query(query, params)
    await client.query('rollback')
    client.off('notice', onNotice)
    // The outermost ends last.
    return planOf(nodes.slice(0, -1))
  }

  return {
    db: connect('postgresql://test:test@db.test.internal/test'),
    client,
    plansOf,
    async close() {
      // Other test files share the process.
      neonConfig.fetchEndpoint = fetchEndpoint
      await client.end()
      await server.close()
      await engine.close()
      await postgres.stop()
    },
  }
}

/** Makes Postgres send every plan to the client, also for statements in functions. */
const LOG_PLANS = `load 'auto_explain';
  set local auto_explain.log_min_duration = 0;
  set local auto_explain.log_analyze = on;
  set local auto_explain.log_timing = off;
  set local auto_explain.log_format = json;
  set local auto_explain.log_nested_statements = on;
  set local client_min_messages = log;
  set local plan_cache_mode = force_generic_plan`

function planOf(roots: Node[]): Plan {
  const plan: Plan = { scanned: [], rowsRead: 0, rowsSorted: 0, indexes: [], pages: 0 }
  const visit = (node: Node) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const rows = Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
    const type = node['Node Type']
    if (type === 'Seq Scan') plan.scanned.push(node['Relation Name'] ?? '')
    if (/ Scan$/.test(type) && (node['Relation Name'] || node['Index Name'])) plan.rowsRead += rows
    if (node['Index Name']) plan.indexes.push(node['Index Name'])
    if (/Sort$/.test(type)) {
      const taken = (node.Plans ?? []).map((input) => input['Actual Rows'] * input['Actual Loops'])
      plan.rowsSorted = Math.max(plan.rowsSorted, ...taken)
    }
    for (const inner of node.Plans ?? []) visit(inner)
  }
  for (const root of roots) {
    visit(root)
    plan.pages += (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
  }
  return plan
}
