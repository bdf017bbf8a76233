import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogRoutes } from '../../lib/x402/catalog/catalog-queries.ts'
import { plannedDatabase } from '../support/plans.ts'
import { asset } from '../support/request-payments.ts'

/* The plan of the catalog's statement, over 20,000 agents with 100,000 routes, of which few are listed. */

let database: Awaited<ReturnType<typeof plannedDatabase>>
beforeAll(async () => {
  database = await plannedDatabase()
  const statements = [
    `set session_replication_role = replica`,
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at,
       api_endpoint, api_protocol)
     select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n, 'Agent', 'oracle', '{1}', 'flat', 5, 0, 'active', '2026-01-01',
       'https://api.example.com/' || n, 'http'
     from generate_series(1, 20000) as n`,
    `insert into agent_endpoints (url_hash, protocol, url, wallets, status)
     select encode(sha256(convert_to(api_endpoint, 'UTF8')), 'hex'), 'http', api_endpoint, 1, 'live' from agents`,
    `insert into request_prices select id, 'GET /' || n, '${asset}', 5 from agents, generate_series(1, 5) as n`,
    `insert into request_resources (agent_id, price_name, state, url, document, changed_at)
     select id, 'GET /' || n, case when is_chosen then 'listed' else 'rejected' end, 'https://api.example.com/' || n,
       case when is_chosen then '{}' end, '2026-06-01'
     from agents, generate_series(1, 5) as n, lateral (select right(id::text, 2) = '0f' and n < 5) as each (is_chosen)`,
  ]
  await database.client.query(statements.join(';\n'))
  await database.client.query('vacuum analyze')
})
afterAll(() => database.close())

it('reads the listed routes alone, each with its agent, endpoint and price', async () => {
  const { rows } = await database.client.query(
    `select count(*)::integer as listed from request_resources where state = 'listed'`,
  )
  const [{ listed }] = rows
  expect(listed).toBeGreaterThan(250)
  const plans = await database.plansOf(() => catalogRoutes.run(database.db, {}))
  expect(plans.length).toBeGreaterThan(0)
  for (const { scanned, rowsRead } of plans) {
    expect(scanned).toEqual([])
    // By two indexes at most each, and the documents.
    expect(rowsRead).toBeLessThanOrEqual(10 * listed)
  }
})
