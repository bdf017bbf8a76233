import type { Database } from './bench.ts'
import { amount } from './quick.ts'

/** The number of agents in the market whose lists and writes are measured. */
export const MARKET = amount(20_000, 1_000)

/**
 * Fills a database with agents of all types, fee models and layers, in proportions as a market has them:
 * layer 22 one in a thousand, one in nineteen not active. No property goes with another.
 */
export async function seedAgents(database: Database, count: number): Promise<void> {
  await database.query(
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, api_endpoint,
       reputation_score, hirers, total_hires, status, registered_at)
     select uuidv7(make_interval(secs => n - $1)), 'Owner' || lpad((n % 5000)::text, 39, 'x'),
       (array['Yield Scout ', 'Oracle ', 'Trader ', 'Keeper '])[1 + (n + n / 1000) % 4] || n,
       (array['autonomous', 'semi-autonomous', 'oracle'])[1 + n % 3],
       case when n % 1000 = 0 then array[7, 22] else array[1 + n % 10, 11 + n % 11] end::smallint[],
       (array['percentage', 'flat', 'hybrid'])[1 + n % 3], 500, 'https://agent.example.com/' || n,
       (n::bigint * 7919 % 997) / 10.0, 0, 0, case when n % 19 = 0 then 'inactive' else 'active' end,
       now() - make_interval(secs => $1 - n)
     from generate_series(1, $1::int) as n`,
    [count],
  )
  await database.query('vacuum analyze agents')
}
